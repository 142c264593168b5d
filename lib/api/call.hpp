// Code that the calls of the library share. `Options`: SearchOptions, PcrOptions or, for searcher_options() and
// threads_of(), PwmOptions or GuideOptions.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <basesweep/basesweep.hpp>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/api/batch_sink.hpp"
#include "lib/api/memory_source.hpp"
#include "lib/api/result_file.hpp"
#include "lib/base/circular_records.hpp"
#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/base/threads.hpp"
#include "lib/pipeline/progress.hpp"
#include "lib/reader/reader.hpp"
#include "lib/search/make_matcher.hpp"
#include "lib/search/pattern.hpp"

namespace basesweep {

inline Algorithm algorithm_of(const std::string& name, bool approximate) {
  if (name == to_string(Algorithm::automatic)) return Algorithm::automatic;
  for (const Algorithm algorithm : approximate ? approximate_algorithms() : exact_algorithms()) {
    if (name == to_string(algorithm)) return algorithm;
  }
  throw UsageError(fmt::format("algorithm '{}' is not one that {}", name,
                               approximate ? "searches with edits" : "searches without edits"));
}

// `Strands`: that of SearchOptions, MapperOptions or PwmOptions.
template <class Strands>
StrandChoice strands_of(Strands strands) {
  switch (strands) {
    case Strands::both: return StrandChoice::both;
    case Strands::plus: return StrandChoice::plus;
    case Strands::minus: return StrandChoice::minus;
  }
  throw UsageError("strands: expected both, plus or minus");
}

inline SearcherOptions searcher_options(const std::string& device, std::optional<std::int64_t> expected_bases,
                                        int threads) {
  DeviceChoice choice = parse_device(device, fmt::format("device '{}'", device));
  SearcherOptions options;
  options.device = choice.device;
  options.gpus = std::move(choice.gpus);
  options.expected_bases = expected_bases;
  options.threads = threads;
  return options;
}

// The same for a search in text.
template <class Options>
SearcherOptions searcher_options(const Options& o, int threads) {
  if (o.text_bases && *o.text_bases < 0) throw UsageError("text_bases must be at least 0");
  return searcher_options(o.device, o.text_bases, threads);
}

template <class Options>
MatcherOptions matcher_options(const Options& o, bool approximate, int threads) {
  MatcherOptions options{searcher_options(o, threads)};
  options.algorithm = algorithm_of(o.algorithm, approximate);
  options.table_bytes = o.table_bytes;
  return options;
}

// affordable_threads(), which starts threads, but not again for numbers that it gave before: many small searches are
// made in one process.
int threads_of_call(int workers);

template <class Options>
int threads_of(const Options& o) {
  if (o.threads < 0 || o.threads > kMaxThreads) throw UsageError(fmt::format("threads: expected 0 to {}", kMaxThreads));
  return threads_of_call(o.threads == 0 ? available_threads() : o.threads);
}

template <class Options>
CircularRecords circular_of(const Options& o) {
  return {o.circular, {o.circular_records.begin(), o.circular_records.end()}};
}

// Throws UsageError if there is no function to take results. `Take`: a std::function.
template <class Take>
void check_taker(const Take& take, std::string_view results) {
  if (!take) throw UsageError(fmt::format("no function to take {}", results));
}

// Collects warnings of several threads.
class Warnings {
 public:
  void add(const std::string& text) {
    const std::lock_guard lock(mutex_);
    texts_.push_back(text);
  }
  std::vector<std::string> take() { return std::move(texts_); }

 private:
  std::mutex mutex_;
  std::vector<std::string> texts_;
};

// `warnings` must outlive the reader.
inline Reader open_files(const std::vector<std::string>& paths, std::size_t block_bytes, int threads,
                         Warnings& warnings) {
  if (paths.empty()) throw UsageError("no input file");
  return Reader(
      {.paths = paths, .block_bytes = block_bytes, .threads = threads, .warn = [&warnings](const std::string& text) {
         warnings.add(text);
       }});
}

// The progress function of a call, and how many bytes to tell it.
struct CallOptions {
  const ProgressFunction& progress;
  std::function<std::optional<std::int64_t>()> bytes{};  // of the input, as it is stored; may be empty
  std::function<std::int64_t()> bytes_read{};
};
inline CallOptions call_options(const ProgressFunction& progress) {
  return {.progress = progress};
}  // of text in memory
// Of files: `source` is a Reader or a ReadSource, which must outlive the result.
template <class Source>
CallOptions call_options(const ProgressFunction& progress, const Source& source) {
  return {.progress = progress,
          .bytes = [bytes = source.stored_bytes()] { return bytes; },
          .bytes_read = [&source] { return source.stored_bytes_read(); }};
}

// Calls work() and, if there is a progress function, asks that meanwhile: then another thread works. `counts`: those
// that the work has its pipeline write. Throws what either throws; Cancelled when the progress function wants no more.
void watch(const CallOptions& call, ProgressCounts& counts, const std::function<void()>& work);
// The same for work whose results go to a sink, which gets them all, or those before an error.
void watch(const CallOptions& call, ProgressCounts& counts, BatchSink& sink, const std::function<void()>& work);

// The threads that a call works with, see TextOptions.
struct CallThreads {
  int number;
  bool alone = false;
};

// How many of the threads the records keep busy.
inline CallThreads threads_for(std::span<const NamedSequence> records, int threads) {
  // One more thread is not worth its start for less text than this.
  constexpr std::size_t kThreadBases = std::size_t{1} << 17;
  std::size_t bases = 0;
  for (const NamedSequence& record : records) bases += record.bases.size();
  return {static_cast<int>(std::min(static_cast<std::size_t>(threads), 1 + bases / kThreadBases)),
          bases < kThreadBases};
}

// The columns that the caller wants, in which batches, and the functions to call.
struct Wanted {
  const CellFormatter& formatter;
  BatchSinkOptions batches;
  const TakeBatch& take;
  const ProgressFunction& progress;
};
// For columns that the caller chose.
inline Wanted wanted(const CellFormatter& formatter, const ColumnOptions& columns, const TakeBatch& take) {
  return {formatter, {.max_rows = columns.batch_rows}, take, columns.progress};
}
// For the columns from which single rows are made.
inline Wanted wanted(const CellFormatter& formatter, const TakeBatch& take, const ProgressFunction& progress) {
  return {formatter, {.at_once = true}, take, progress};
}

// Where the results of a call go, and what is told of it.
struct CallTarget {
  ByteSink& sink;
  BatchSink* batches;  // the sink, if the caller gets batches; null: it is a file
  const CallOptions& call;
  Warnings& warnings;
};
// The same for a target of either kind.
inline void watch(const CallTarget& to, ProgressCounts& counts, const std::function<void()>& work) {
  to.batches == nullptr ? watch(to.call, counts, work) : watch(to.call, counts, *to.batches, work);
}

// The arguments of the work of a call.
struct CallJob : CallTarget {
  BlockSource& source;
  const Formatter& formatter;
  CallThreads threads;
};

// Returns the summary that work(job) returns. `State`: has block_bytes and threads.
template <class State, class Work>
auto run_in_memory(const State& state, std::span<const NamedSequence> records, Wanted wanted, Work work) {
  MemorySource source(records, state.block_bytes);
  wanted.batches.name_of = source.names();
  BatchSink sink(wanted.formatter, std::move(wanted.batches), wanted.take);
  Warnings dropped;  // warnings about names: records in memory may share one
  const CallOptions call = call_options(wanted.progress);
  auto summary =
      work(CallJob{{sink, &sink, call, dropped}, source, wanted.formatter, threads_for(records, state.threads)});
  summary.warnings.clear();
  return summary;
}
template <class State, class Work>
auto run_on_files(const State& state, const std::vector<std::string>& paths, Wanted wanted, Work work) {
  Warnings warnings;
  Reader reader = open_files(paths, state.block_bytes, state.threads, warnings);
  BatchSink sink(wanted.formatter, std::move(wanted.batches), wanted.take);
  const CallOptions call = call_options(wanted.progress, reader);
  return work(CallJob{{sink, &sink, call, warnings}, reader, wanted.formatter, {state.threads}});
}

// The same for results that go to a file. `State`: has formats() and formatter(format, options, files), too.
template <class State, class Work>
auto write_in_memory(const State& state, std::span<const NamedSequence> records, const std::string& path,
                     const FileOptions& options, Work work) {
  MemorySource source(records, state.block_bytes, MemorySource::Names::whole);
  ResultFile file(path, options, state.formats(), {}, state.threads);
  const auto formatter = state.formatter(file.format(), options, source.paths());
  Warnings dropped;
  const CallOptions call = call_options(options.progress);
  auto summary =
      work(CallJob{{file.sink(), nullptr, call, dropped}, source, *formatter, threads_for(records, state.threads)});
  file.commit();
  summary.warnings.clear();
  return summary;
}
template <class State, class Work>
auto write_of_files(const State& state, const std::vector<std::string>& paths, const std::string& path,
                    FileOptions options, Work work) {
  Warnings warnings;
  if (options.cram_reference.empty() && paths.size() == 1) options.cram_reference = paths.front();
  Reader reader = open_files(paths, state.block_bytes, state.threads, warnings);
  ResultFile file(path, options, state.formats(), paths, state.threads);
  const auto formatter = state.formatter(file.format(), options, input_names(paths));
  if (formatter->needs_records() && reader.format() == Format::fastq) {
    throw UsageError(fmt::format("{}: {} lists every record in its header, so it is only for FASTA; this is FASTQ",
                                 path, noun_of(file.format())));
  }
  const CallOptions call = call_options(options.progress, reader);
  auto summary = work(CallJob{{file.sink(), nullptr, call, warnings}, reader, *formatter, {state.threads}});
  file.commit();
  return summary;
}

}  // namespace basesweep
