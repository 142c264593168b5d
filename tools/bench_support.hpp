// What the measurements of `basesweep bench` share.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/tuning.hpp"
#include "lib/matcher.hpp"
#include "lib/packed_batch.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep {

struct BenchOptions {
  std::string device = "auto";
  int threads = 0;
  bool quick = false;
  std::string only;               // part of the names of the cases to measure
  std::vector<std::string> sets;  // NxM: N patterns of M bases; empty: the cases that docs/benchmarks.md has
};

using BenchClock = std::chrono::steady_clock;

double seconds_since(BenchClock::time_point begin);
double median(std::vector<double> values);

// Rates are printed as they are measured.
void print_row(const std::string& what, const std::string& how, double bases, double seconds,
               const std::string& note = "");

// Batches made here are padded for patterns of so many bases.
inline constexpr std::uint32_t kMostBenchLength = 1U << 16;

// One record of random bases, all of which the batch owns. `columns`: a multiple of 64. `two_letters`: A and C alone.
std::unique_ptr<PackedBatch> random_batch(std::uint32_t columns, std::uint64_t seed, bool two_letters = false);

// m0, m1 and so on, of A, C, G, T.
std::vector<Pattern> random_patterns(int count, int length);

struct CoreTiming {
  double seconds = 0;  // median
  std::uint64_t hits = 0;
  std::vector<std::uint64_t> counts;  // of each entry, if counts were asked for
};

// Searches a batch in memory on the calling thread, at least `least_runs` times and for `least_seconds`. The options'
// device is the CPU. Throws UsageError as make_matcher() does.
CoreTiming time_on_core(const PatternSet& patterns, const MatcherOptions& options, const Tuning& tuning,
                        const PackedBatch& batch, int least_runs, double least_seconds);

// A pattern set that an algorithm is measured with.
struct BenchCase {
  Algorithm algorithm;
  int count, length;
  StrandChoice strands;
  int edits = -1;  // -1: exact
  Output output = Output::hits;

  std::string name() const;
  PatternSet patterns() const;
  // An approximate search costs as much for each pattern, so that its rate counts bases of text times patterns.
  double searches() const;
};

struct BenchCases {
  std::vector<BenchCase> measured;
  std::vector<std::string> declined;  // "ALGORITHM declines N x M: why"
};

// What the options ask for: of --set, each exact algorithm on one strand. Throws UsageError where a set is not NxM, has
// more than kMostBenchLength bases a pattern or is too large, and where nothing is left to measure.
BenchCases bench_cases(const BenchOptions& options);

// The three parts of the command. `no_gpu`: whether none is measured.
void bench_cpu_matchers(const BenchOptions& options, const std::vector<BenchCase>& cases);
void bench_gpu(int gpu, const BenchOptions& options, const std::vector<BenchCase>& cases);
void bench_files(const BenchOptions& options, Device device, int gpu, bool no_gpu);

}  // namespace basesweep
