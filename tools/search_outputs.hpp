// The files that a search writes.
#pragma once

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
void check_reads_files(const SearchJobOptions& options, Reader& reader);

// They are opened before any text is read, since the first block may be long in coming, and appear together.
class SearchOutputs {
 public:
  // `format`: of the hits. `part`: what the part of a chunk says; nothing: a whole run. Throws IoError and UsageError.
  SearchOutputs(const SearchJobOptions& options, OutputFormat format, const std::optional<PartHead>& part, Run& run);

  OutputFile& output() { return output_; }
  PartOutput* part() { return part_ ? &*part_ : nullptr; }
  ByteSink* matching_reads() { return matching_reads_ ? &*matching_reads_ : nullptr; }
  ByteSink* other_reads() { return other_reads_ ? &*other_reads_ : nullptr; }

  // Gives all files their names, once they are complete.
  void commit();

 private:
  const SearchJobOptions& options_;
  const int threads_;
  const std::optional<HitFile> index_;
  OutputFile output_;
  std::optional<OutputFile> matching_reads_;
  std::optional<OutputFile> other_reads_;
  std::optional<PartOutput> part_;
};

}  // namespace basesweep
