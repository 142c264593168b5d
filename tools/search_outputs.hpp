// The files that a search writes.
#pragma once

#include <deque>
#include <optional>

#include "lib/parts/part_set.hpp"
#include "lib/reader/reader.hpp"
#include "lib/writer/output_file.hpp"
#include "lib/writer/text_index.hpp"
#include "tools/part_output.hpp"
#include "tools/run.hpp"
#include "tools/search_options.hpp"

namespace basesweep {

// Throws UsageError if a file of --matching-reads or --other-reads cannot hold records of the reader as they are.
void check_reads_files(const SearchJobOptions& options, FileSource& reader);

// They are opened before any text is read, since the first block may be long in coming, and appear together.
class SearchOutputs {
 public:
  // `format`: of the hits. `part`: what the part of a chunk says; nothing: a whole run. Throws IoError and UsageError.
  SearchOutputs(const SearchJobOptions& options, OutputFormat format, const std::optional<PartHead>& part, Run& run);

  OutputFile& output() { return output_; }
  PartOutput* part() { return part_ ? &*part_ : nullptr; }
  RecordSinks matching_reads() { return sinks_of(matching_reads_); }
  RecordSinks other_reads() { return sinks_of(other_reads_); }

  // Gives all files their names, once they are complete.
  void commit();

 private:
  static RecordSinks sinks_of(std::deque<OutputFile>& files);

  const SearchJobOptions& options_;
  const std::optional<HitFile> index_;
  OutputFile output_;
  std::deque<OutputFile> matching_reads_;
  std::deque<OutputFile> other_reads_;
  std::optional<PartOutput> part_;
};

}  // namespace basesweep
