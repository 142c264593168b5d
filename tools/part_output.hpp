// The output of a chunk, and the parts that `merge` gives to a command.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/parts/part_rows.hpp"
#include "lib/parts/part_set.hpp"
#include "lib/parts/part_writer.hpp"
#include "lib/report/chunk_summary.hpp"
#include "lib/report/merge_reports.hpp"
#include "lib/writer/output_file.hpp"
#include "tools/reference/command_info.hpp"
#include "tools/run_options.hpp"
#include "tools/scope.hpp"

namespace basesweep {

// The name of a chunk's output must not promise what it is not. Throws UsageError.
void check_part_name(const std::string& path);

// The command of the run that parts are of, one of `commands`, then its options. Throws DataError for words that no
// chunk writes, so that parts cannot have `merge` write to files that its own command line does not name.
std::vector<std::string> words_of(const PartSet& parts, const std::vector<CommandInfo>& commands);

// Writes the part of a chunk.
class PartOutput {
 public:
  // `to` must outlive this.
  PartOutput(ByteSink& to, const PartHead& head) : writer_(to), rows_(writer_) { write_head(head, writer_); }

  // Takes what PartRows makes.
  ByteSink& rows() { return rows_; }
  // Takes other blocks of rows.
  PartWriter& writer() { return writer_; }
  // `totals`: see kPartTotals; empty: none.
  void finish(const ChunkSummary& summary, std::string_view totals = {}) {
    writer_.add_section(kPartSummary, print_summary(summary));
    if (!totals.empty()) writer_.add_section(kPartTotals, totals);
    writer_.finish();
  }

 private:
  PartWriter writer_;
  PartSink rows_;
};

// The records that a header may list, as a chunk knows them: those of its plan.
std::optional<std::vector<RecordInfo>> part_records(const std::optional<Chunk>& chunk);

// The summaries of all parts, once their rows were read, and what they say together. Throws DataError.
class Summaries {
 public:
  explicit Summaries(const PartSet& parts);

  bool truncated() const;                                           // a chunk stopped at --max-hits or --max-products
  bool counted() const { return all_.front().counts.has_value(); }  // chunks only counted, and parts have no rows
  // The sums of their counts; nothing: parts have rows. Throws DataError, see add_counts().
  std::optional<ChunkSummary> add_up(const CountShape& shape) const;
  // The report of the whole run, of the one that merging made. `read_all`: each chunk read all of the inputs.
  std::string report(const std::string& whole, bool read_all) const;

 private:
  std::vector<ChunkSummary> all_;
  std::vector<std::string> paths_;
  std::vector<std::string> chunks_;
};

}  // namespace basesweep
