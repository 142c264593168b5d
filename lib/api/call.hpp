// What the calls of the library share. `Options`: SearchOptions, PcrOptions or, for threads_of(), PwmOptions.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <basesweep/basesweep.hpp>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/threads.hpp"
#include "lib/reader/reader.hpp"
#include "lib/search/device.hpp"
#include "lib/search/matcher.hpp"
#include "lib/writer/byte_sink.hpp"

namespace basesweep {

inline Algorithm algorithm_of(const std::string& name, bool approximate) {
  if (name == to_string(Algorithm::automatic)) return Algorithm::automatic;
  for (const Algorithm algorithm : approximate ? approximate_algorithms() : exact_algorithms()) {
    if (name == to_string(algorithm)) return algorithm;
  }
  throw UsageError(fmt::format("algorithm '{}' is not one that {}", name,
                               approximate ? "searches with edits" : "searches without edits"));
}

template <class Options>
MatcherOptions matcher_options(const Options& o, bool approximate, int threads) {
  if (o.text_bases && *o.text_bases < 0) throw UsageError("text_bases must be at least 0");
  DeviceChoice device = parse_device(o.device, fmt::format("device '{}'", o.device));
  MatcherOptions options;
  options.algorithm = algorithm_of(o.algorithm, approximate);
  options.device = device.device;
  options.gpus = std::move(device.gpus);
  options.expected_bases = o.text_bases;
  options.table_bytes = o.table_bytes;
  options.threads = threads;
  return options;
}

template <class Options>
int threads_of(const Options& o) {
  if (o.threads < 0 || o.threads > kMaxThreads) throw UsageError(fmt::format("threads: expected 0 to {}", kMaxThreads));
  return affordable_threads(o.threads == 0 ? available_threads() : o.threads);
}

// Gets headers, which the library has no use for.
class NoOutput final : public ByteSink {
 public:
  void write(std::string_view) override {}
};

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

// How many of the threads the records keep busy.
inline int threads_for(std::span<const NamedSequence> records, int threads) {
  // One more thread is not worth its start for less text than this.
  constexpr std::size_t kThreadBases = std::size_t{1} << 17;
  std::size_t bases = 0;
  for (const NamedSequence& record : records) bases += record.bases.size();
  return static_cast<int>(std::min(static_cast<std::size_t>(threads), 1 + bases / kThreadBases));
}

}  // namespace basesweep
