// Sequences in memory as blocks of FASTA text.
#pragma once

#include <basesweep/basesweep.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lib/reader/block_source.hpp"

namespace basesweep {

// The records must outlive it. Throws DataError for a line break in a sequence; other bytes that are none are told by
// the packer. Sequences without bases come, too.
class MemorySource final : public BlockSource {
 public:
  MemorySource(std::span<const NamedSequence> records, std::size_t block_bytes);

  std::optional<RawBlock> next() override;
  const std::vector<std::string>& paths() const override { return paths_; }
  const std::vector<SourceInfo>& sources() const override { return sources_; }

  // The index of a record, from its number among those that have bases.
  std::int64_t index_of(std::int64_t number) const { return with_bases_[static_cast<std::size_t>(number)]; }

 private:
  void add_bases(std::string_view bases, RawBlock& block);

  std::span<const NamedSequence> records_;
  std::size_t block_bytes_;
  std::vector<std::int64_t> with_bases_;
  std::vector<std::string> paths_{"<memory>"};
  std::vector<SourceInfo> sources_{{"<memory>", Compression::none, Format::fasta}};
  std::uint64_t blocks_ = 0;
  std::int64_t text_bytes_ = 0;  // that were given out
  std::size_t record_ = 0;       // of which text comes next
  std::size_t offset_ = 0;       // in its bases
};

}  // namespace basesweep
