#include "tools/pair_search.hpp"

#include <fmt/format.h>

#include <utility>

#include "lib/base/error.hpp"
#include "lib/reads/pair_reader.hpp"

namespace basesweep {

void add_record_outputs(CLI::App& command, SearchJobOptions& o) {
  add_texts(
      command, "--matching-reads", "FILE", o.matching_reads,
      "Write the records of the input that have a hit, as they are, to this file (.gz: compressed); of pairs, given "
      "twice: first mates to the first file, second mates to the second");
  add_texts(command, "--other-reads", "FILE", o.other_reads,
            "Write the records that have no hit to this file; of pairs, it may be given twice too");
  add_words(command, "--pairs", {"any", "both"},
            [&o](std::size_t word) { o.pairs = word == 0 ? PairChoice::any : PairChoice::both; },
            "Which pairs --matching-reads writes: those of which any mate has a hit (default), or both mates have one",
            {});
}

WrittenFiles record_outputs(const SearchJobOptions& o) {
  WrittenFiles files;
  for (const std::string& path : o.matching_reads) files.emplace_back("--matching-reads", path);
  for (const std::string& path : o.other_reads) files.emplace_back("--other-reads", path);
  return files;
}

void check_record_outputs(const SearchJobOptions& o) {
  const WrittenFiles files = record_outputs(o);
  if (!files.empty()) {
    const char* const option = files.front().first;
    const char* const other = o.max_hits              ? "--max-hits"
                              : o.regions.any()       ? "--region"
                              : o.chunk.chunk.empty() ? nullptr
                                                      : "--chunk";
    if (other != nullptr) {
      throw UsageError(fmt::format("{} and {} conflict: the records must be searched whole", option, other));
    }
  }
  for (const auto& [option, paths] :
       {std::pair("--matching-reads", &o.matching_reads), {"--other-reads", &o.other_reads}}) {
    if (paths->size() > 2) throw UsageError(fmt::format("{} is given more than twice", option));
    if (paths->size() == 2 && !o.reads_pairs()) {
      throw UsageError(fmt::format(
          "{} is given twice, which is for pairs: first mates, then second mates (-1 and -2, or --interleaved)",
          option));
    }
  }
  if (o.pairs && !o.writes_reads()) throw UsageError("--pairs needs --matching-reads or --other-reads");
}

void check_pairs(SearchJobOptions& o) {
  check_mates(o, o.inputs);
  if (o.regions.any()) refuse_pairs(o, "--region is for records that are found by their names");
  if (o.circular.any()) refuse_pairs(o, "--circular is for genomes");
  if (!o.first_mates.empty()) o.inputs = files_of(o);
}

void refuse_pairs(const SearchJobOptions& o, std::string_view why) {
  if (!o.reads_pairs()) return;
  const char* const option = !o.first_mates.empty() ? "-1 and -2" : o.interleaved ? "--interleaved" : "--pairs";
  throw UsageError(fmt::format("{}, and mates share their names: leave {} out", why, option));
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
