// Sequences in memory as blocks of FASTA text.
#pragma once

#include <basesweep/basesweep.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/api/batch_sink.hpp"
#include "lib/reader/block_source.hpp"

namespace basesweep {

// Gives out the sequences as if they were a FASTA file. A line break in a sequence, or a '>' at its start, would change
// the meaning of that file: then next() gives out the text before it and throws DataError at the next call. The packer
// finds other bytes that are not sequence. Names are cut to their first word.
class MemorySource final : public BlockSource {
 public:
  // What titles need of names: something for messages, while names() gives them whole, or all of them.
  enum class Names { cut, whole };

  // The records must outlive the source. Throws DataError for names that are to be whole and have a blank.
  MemorySource(std::span<const NamedSequence> records, std::size_t block_bytes, Names names = Names::cut);

  std::optional<RawBlock> next() override;
  const std::vector<std::string>& paths() const override { return paths_; }
  const std::vector<SourceInfo>& sources() const override { return sources_; }

  // Gives index and name of a record in `records`, from its number among those that have bases. This must outlive it.
  std::function<NamedRecord(std::int64_t number)> names() const;

 private:
  void add_title(RawBlock& block) const;
  void add_bases(std::string_view bases, RawBlock& block);
  std::string_view short_name() const;

  std::span<const NamedSequence> records_;
  std::size_t block_bytes_;
  const Names names_;
  std::vector<std::int64_t> with_bases_;  // indices of the records that have bases
  std::vector<std::string> paths_{"<memory>"};
  std::vector<SourceInfo> sources_{{"<memory>", Compression::none, Format::fasta}};
  std::uint64_t blocks_ = 0;
  std::size_t record_ = 0;          // index of the record whose text comes next
  std::size_t offset_ = 0;          // in its bases
  std::optional<DataError> fault_;  // to be thrown by the next call of next()
};

}  // namespace basesweep
