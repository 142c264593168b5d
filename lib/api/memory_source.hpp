// Sequences in memory as blocks of FASTA text.
#pragma once

#include <basesweep/basesweep.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/reader/block_source.hpp"

namespace basesweep {

// The records must outlive it. Where a sequence holds a line break or begins with '>', next() gives out what is before
// it, then throws DataError; other bytes that are no sequence are told by the packer. Sequences without bases come,
// too. Of names only as much goes along as a message should hold.
class MemorySource final : public BlockSource {
 public:
  MemorySource(std::span<const NamedSequence> records, std::size_t block_bytes);

  std::optional<RawBlock> next() override;
  const std::vector<std::string>& paths() const override { return paths_; }
  const std::vector<SourceInfo>& sources() const override { return sources_; }

  // The index of a record, from its number among those that have bases.
  std::int64_t index_of(std::int64_t number) const { return with_bases_[static_cast<std::size_t>(number)]; }

 private:
  void add_title(RawBlock& block) const;
  void add_bases(std::string_view bases, RawBlock& block);
  std::string_view shown_name() const;

  std::span<const NamedSequence> records_;
  std::size_t block_bytes_;
  std::vector<std::int64_t> with_bases_;
  std::vector<std::string> paths_{"<memory>"};
  std::vector<SourceInfo> sources_{{"<memory>", Compression::none, Format::fasta}};
  std::uint64_t blocks_ = 0;
  std::size_t record_ = 0;  // of which text comes next
  std::size_t offset_ = 0;  // in its bases
  std::optional<DataError> fault_;
};

}  // namespace basesweep
