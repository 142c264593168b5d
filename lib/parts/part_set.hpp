// The parts of a run, as `merge` reads them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/record_info.hpp"
#include "lib/parts/part.hpp"
#include "lib/parts/part_reader.hpp"
#include "lib/parts/part_writer.hpp"
#include "lib/rows/row.hpp"

namespace basesweep {

// The contents of a part before its rows, in sections of these names. They are the same in all parts of a run, apart
// from the number of the chunk, the words and the folders of files.
struct PartHead {
  PartLabel label;                    // "label"
  std::vector<std::string> words{};   // "words": the command and its options, as a command line would have them
  std::vector<std::string> inputs{};  // "inputs": the paths of the text, as they were given
  std::string reference{};            // "refer": the path of the reference, where reads are mapped
  std::optional<std::vector<RecordInfo>> records{};  // "records": those with bases, unless they are reads
  bool indexed = false;                              // "indexed": each input has an index
  std::string query{};                               // "query": what is searched for, encoded by the command

  // Whether a row can be about this record of this input.
  bool has_record(const PlacedRow& row) const;
  // Whether a row can be about this place in it.
  bool has_place(const PlacedRow& row) const;
};
void write_head(const PartHead& head, PartWriter& to);

// After the rows comes a section of the first name: the report of the chunk. A command that adds up what chunks found,
// other than counts of hits, puts it into a section of the second name after that, encoded by itself.
inline constexpr std::string_view kPartSummary = "summary";
inline constexpr std::string_view kPartTotals = "totals";

// Reads one part after the other, so few files are open at a time. All functions throw IoError and DataError.
class PartSet {
 public:
  // A block of rows of a part.
  struct Block {
    std::shared_ptr<const PartReader> part;
    PartSection section;

    template <class OneRow>
    DecodedRows<OneRow> decode() const {
      return part->decode<OneRow>(section);
    }
  };

  // Reads the heads. Throws DataError, which names the parts, for those that are missing, given twice, of another run,
  // or no parts.
  explicit PartSet(const std::vector<std::string>& paths);

  const PartHead& head() const { return head_; }
  // The paths, in the order of their chunks.
  const std::vector<std::string>& paths() const { return paths_; }
  // The next block of rows, in the order of chunks; nothing after the last, when all parts were read to their ends.
  std::optional<Block> next();
  // Makes next() start again with the first block.
  void rewind();
  // The summaries of all parts, which each has, in their order. Only when all blocks were read.
  const std::vector<std::string>& summaries() const { return summaries_; }
  // The same for totals. Throws DataError if a part has none.
  const std::vector<std::string>& totals() const;

 private:
  bool open_next();
  void add_once(const PartSection& section, std::vector<std::string>& of_parts) const;

  PartHead head_;  // of the first chunk
  std::vector<std::string> paths_;
  std::vector<std::string> summaries_;
  std::vector<std::string> totals_;
  std::size_t next_ = 0;  // of paths_, to be opened
  std::shared_ptr<PartReader> reader_;
};

}  // namespace basesweep
