#include "tools/pair_search.hpp"

#include <fmt/format.h>

#include <utility>

#include "lib/base/error.hpp"
#include "lib/reads/pair_reader.hpp"

namespace basesweep {

void check_pairs(SearchJobOptions& o) {
  check_mates(o, o.inputs);
  if (o.regions.any()) refuse_pairs(o, "--region names records, and mates share their names");
  if (o.circular.any()) refuse_pairs(o, "--circular is not for pairs of reads");
  if (!o.first_mates.empty()) o.inputs = files_of(o);
}

void refuse_pairs(const SearchJobOptions& o, std::string_view why) {
  if (!o.reads_pairs()) return;
  const char* const option = !o.first_mates.empty() ? "-1 and -2" : o.interleaved ? "--interleaved" : "--pairs";
  throw UsageError(fmt::format("{}: leave {} out", why, option));
}

Scope scope_of_pairs(const SearchJobOptions& o) {
  Scope scope;
  scope.chunk = find_chunk(o.chunk, o.first_mates.empty() ? o.inputs : o.first_mates, o.regions, true,
                           worker_threads(o), o.alignments.reading, warner(o));
  if (scope.chunk) scope.reads = scope.chunk->plan.range_of(scope.chunk->number);
  return scope;
}

std::unique_ptr<FileSource> open_pairs(const SearchJobOptions& o, ReaderOptions reading) {
  return std::make_unique<PairReader>(
      ReadSourceOptions{.paths = o.first_mates.empty() ? std::move(reading.paths) : o.first_mates,
                        .mate_paths = o.second_mates,
                        .interleaved = o.interleaved,
                        .block_bytes = reading.block_bytes,
                        .threads = reading.threads,
                        .records = reading.records,
                        .alignments = std::move(reading.alignments),
                        .warn = std::move(reading.warn)});
}

std::int64_t first_record(const SearchJobOptions& o, const Scope& scope) {
  if (!scope.reads) return 0;
  return scope.reads->begin * (o.first_mates.empty() ? 1 : 2);
}

}  // namespace basesweep
