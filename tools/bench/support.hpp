// The options and the timing that the measurements of `basesweep bench` share.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kernels/tuning.hpp"
#include "lib/search/make_matcher.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"
#include "tools/bench/record.hpp"

namespace basesweep {

struct BenchOptions {
  std::string device = "auto";
  int threads = 0;
  bool quick = false;
  std::string json;               // file of the measurements; "": none
  std::string only;               // measure only cases whose name contains this
  std::vector<std::string> sets;  // NxM: N patterns of M bases; empty: the cases of docs/benchmarks.md
  std::string text;               // a file to search with each set, whose patterns are then taken from it; "": none
};

struct SetSize {
  int count, length;
};
// Reads NxM. Throws UsageError as bench_cases() does.
SetSize parse_set(const std::string& set);

using BenchClock = std::chrono::steady_clock;

double seconds_since(BenchClock::time_point begin);
double median(std::vector<double> values);

// The longest pattern that batches made here are padded for, in bases.
inline constexpr std::uint32_t kMaxBenchLength = 1U << 16;

// A batch of one record of random bases, without a halo. `positions`: a multiple of 64. `two_letters`: only A and C.
std::unique_ptr<PackedBatch> random_batch(std::uint32_t positions, std::uint64_t seed, bool two_letters = false);

// Random patterns of A, C, G, T, named m0, m1 and so on.
std::vector<Pattern> random_patterns(int count, int length);

struct CoreTiming {
  double seconds = 0;  // median
  std::uint64_t hits = 0;
  std::vector<std::uint64_t> counts;  // for each query, if counts were requested
};

// Searches a batch in memory with a matcher of the CPU, on the calling thread, at least `min_runs` times and for at
// least `min_seconds`.
CoreTiming time_matcher(Matcher& matcher, const PackedBatch& batch, int min_runs, double min_seconds);

// The same with a matcher that is made first. The options must name the CPU. Throws UsageError as make_matcher() does.
CoreTiming time_on_core(const PatternSet& patterns, const MatcherOptions& options, const Tuning& tuning,
                        const PackedBatch& batch, int min_runs, double min_seconds);

// A FASTA file of one record of random bases in the temporary folder; the destructor removes it.
class FastaFile {
 public:
  // Throws IoError.
  FastaFile(std::int64_t bases, int line_length, bool two_letters = false);
  ~FastaFile();
  FastaFile(const FastaFile&) = delete;
  FastaFile& operator=(const FastaFile&) = delete;
  std::string path() const { return path_.string(); }
  std::int64_t bases() const { return bases_; }

 private:
  std::int64_t bases_;
  std::filesystem::path path_;
};

struct FileJob {
  double seconds = 0;  // median
  std::uint64_t hits = 0;
};

// Does what `motif -o /dev/null` does with a file, as BED, with the algorithm that `auto` takes.
FileJob time_file_job(const FastaFile& file, const PatternSet& patterns, const DeviceChoice& where, int threads,
                      int runs);

// One row: an algorithm and the pattern set it is measured with.
struct BenchCase {
  Algorithm algorithm;
  int count, length;
  StrandChoice strands;
  int edits = -1;  // -1: exact
  Output output = Output::occurrences;
  bool indels = false;  // for neighbors, which is measured without them too

  std::string name() const;
  PatternSet patterns() const;
  // Only kernels can count ends: a matcher cannot tell how many hits they are.
  bool gpu_only() const { return edits >= 0 && output == Output::counts; }
  // Each pattern of an approximate search costs about the same, so its rate counts bases of text times patterns.
  double searches() const;
};

struct BenchCases {
  std::vector<BenchCase> measured;
  std::vector<std::string> declined;  // "ALGORITHM declines N x M: why"
  bool matrices = false;              // whether rows of matrices are measured, too
  bool guides = false;                // the same of guides
  bool reads = false;                 // the same of reads that are sorted, trimmed and counted
  bool windows = false;               // the same of windows of reads, on a GPU
};
// Whether --only leaves a row of matrices, of guides, of reads, or of windows.
bool any_matrix_row(const BenchOptions& options);
bool any_guide_row(const BenchOptions& options);
bool any_read_row(const BenchOptions& options);
bool any_window_row(const BenchOptions& options);

// The cases that the options select. Each --set is measured with each exact algorithm on one strand. Throws UsageError
// if a set is not NxM, has patterns longer than kMaxBenchLength or is too large, or if no case is selected.
BenchCases bench_cases(const BenchOptions& options);

// The parts of the command. `no_gpu`: no GPU is measured.
void bench_cpu_matchers(const BenchOptions& options, const std::vector<BenchCase>& cases, BenchRecord& record);
void bench_text(const BenchOptions& options, BenchRecord& record);
void bench_guides(const BenchOptions& options, BenchRecord& record);
void bench_reads(const BenchOptions& options, BenchRecord& record);
void bench_matrices(const BenchOptions& options, BenchRecord& record);
void bench_gpu_matrices(int gpu, const BenchOptions& options, BenchRecord& record);
void bench_gpu_windows(int gpu, const BenchOptions& options, BenchRecord& record);
void bench_gpu(int gpu, const BenchOptions& options, const std::vector<BenchCase>& cases, BenchRecord& record);
// `gpus`: their numbers.
void bench_files(const BenchOptions& options, Device device, const std::vector<int>& gpus, BenchRecord& record);

}  // namespace basesweep
