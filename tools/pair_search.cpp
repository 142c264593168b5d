#include "tools/pair_search.hpp"

#include <fmt/format.h>

#include <utility>

#include "lib/base/error.hpp"
#include "lib/reads/pair_reader.hpp"

namespace basesweep {

HelpSection pairs_help(const std::string& noun) {
  return {
      "Pairs of reads",
      {fmt::format(
          "With -1 and -2, or --interleaved, reads come in pairs. The names of mates must be equal apart from /1 and "
          "/2 (or .1 and .2, _1 and _2) at the end. Each mate is searched by itself, so a {} never spans two mates. "
          "Rows are those of the interleaved reads: of the first mate, of the second, of the next first one; the "
          "column "
          "mate (--columns +mate) says which it is. A pair matches if any of its mates has a hit; with --pairs both, "
          "if "
          "both have one. It is written whole: a file of --matching-reads is interleaved, but of two files the first "
          "has the first mates and the second has the second mates. Reads of SAM, BAM and CRAM are pairs with "
          "--interleaved, or with --pairs if FLAG 1 says so. A --plan of pairs is that of the files of -1.",
          noun)}};
}

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
