// The matchers of `basesweep bench`: each algorithm alone, on random text.
#include <fmt/format.h>

#include <numeric>

#include "kernels/cuda/bench.hpp"
#include "tools/bench_support.hpp"

namespace basesweep {
namespace {

// Pattern sets that the algorithms are measured with.
struct Case {
  Algorithm algorithm;
  int count, length;
  StrandChoice strands;
  int edits = -1;  // -1: exact
  Output output = Output::hits;

  std::string name() const {
    return fmt::format("{} {} x {} {}{}{}", to_string(algorithm), count, length,
                       strands == StrandChoice::both ? "both" : "one strand",
                       edits < 0 ? "" : fmt::format(" k={}", edits), output == Output::counts ? " counts" : "");
  }
  PatternSet patterns() const {
    if (edits < 0) return {random_patterns(count, length), strands, PalindromeChoice::both};
    EditOptions options;
    options.edits = static_cast<std::uint32_t>(edits);
    if (algorithm == Algorithm::hamming) options.max_indels = 0;
    return {random_patterns(count, length), strands, PalindromeChoice::both, options};
  }
  // An approximate search costs as much for each pattern, so that its rate counts bases of text times patterns.
  double searches() const {
    return edits < 0 ? 1 : static_cast<double>(count) * (strands == StrandChoice::both ? 2 : 1);
  }
};

// Every algorithm of exact search that takes such a set, with it on one strand.
std::vector<Case> cases_of(const std::string& set) {
  const auto [count, length] = parse_set(set);
  const PatternSet patterns(random_patterns(count, length), StrandChoice::plus, PalindromeChoice::both);
  std::vector<Case> all;
  for (const Algorithm algorithm : exact_algorithms()) {
    if (!decline_reason(algorithm, patterns)) all.push_back({algorithm, count, length, StrandChoice::plus});
  }
  return all;
}

std::vector<Case> usual_cases() {
  std::vector<Case> all;
  for (const Algorithm algorithm : {Algorithm::planes, Algorithm::drk2s}) {
    for (const int length : {8, 16, 32, 64}) {
      for (const StrandChoice strands : {StrandChoice::plus, StrandChoice::both}) {
        all.push_back({algorithm, 1, length, strands});
      }
    }
    all.push_back({algorithm, 1, 12, StrandChoice::both});
    all.push_back({algorithm, 10, 12, StrandChoice::both});
  }
  for (const Algorithm algorithm : {Algorithm::ac_dfa, Algorithm::qgrams}) {
    for (const int length : {8, 12}) {
      for (const StrandChoice strands : {StrandChoice::plus, StrandChoice::both}) {
        all.push_back({algorithm, 1000, length, strands});
      }
      all.push_back({algorithm, 1000, length, StrandChoice::plus, -1, Output::counts});
    }
    for (const int count : {8000, 16000}) all.push_back({algorithm, count, 12, StrandChoice::both});
  }
  for (const int count : {1, 10, 100, 312}) {
    for (const int length : {20, 23, 30}) all.push_back({Algorithm::bitsliced, count, length, StrandChoice::plus, 3});
  }
  for (const int count : {1, 100}) {
    all.push_back({Algorithm::hamming, count, 20, StrandChoice::plus, 3});
    all.push_back({Algorithm::myers, count, 32, StrandChoice::plus, 3});
  }
  all.push_back({Algorithm::myers, 1, 64, StrandChoice::plus, 6});
  all.push_back({Algorithm::myers, 1, 1000, StrandChoice::plus, 50});
  for (const int count : {100, 1000, 10000}) {
    all.push_back({Algorithm::pigeonhole, count, 24, StrandChoice::plus, 2});
    all.push_back({Algorithm::pigeonhole, count, 32, StrandChoice::plus, 3});
  }
  for (const int length : {32, 128, 1024}) {
    all.push_back({Algorithm::hmm, 1, length, StrandChoice::plus, length / 10});
  }
  return all;
}

std::vector<Case> cases(const BenchOptions& o) {
  std::vector<Case> all = o.sets.empty() ? usual_cases() : std::vector<Case>{};
  for (const std::string& set : o.sets) {
    const std::vector<Case> more = cases_of(set);
    all.insert(all.end(), more.begin(), more.end());
  }
  std::erase_if(all, [&o](const Case& c) { return c.name().find(o.only) == std::string::npos; });
  return all;
}

}  // namespace

void bench_gpu(int gpu, const BenchOptions& o) {
  const std::uint32_t columns = o.quick ? 1U << 28 : 1U << 30;
  const int runs = o.quick ? 5 : 21;
  fmt::print("\nGPU {}: {}; kernels alone, {} random bases, positions stored, median of {}\n", gpu, cuda::gpu_name(gpu),
             columns, runs);
  const double read = cuda::time_read(gpu, columns, runs).seconds;
  print_row("read the planes", "roof", columns, read);
  for (const Case& c : cases(o)) {
    const PatternSet patterns = c.patterns();
    std::vector<std::uint32_t> entries(patterns.entries().size());
    std::iota(entries.begin(), entries.end(), 0U);
    const cuda::KernelTiming timing =
        cuda::time_kernel(c.algorithm, {patterns, entries, c.output, Isa::sse42, gpu}, {columns}, runs);
    print_row(c.name(), fmt::format("{:.2f} of the roof", read / timing.seconds), columns * c.searches(),
              timing.seconds, fmt::format("{} hits", timing.hits));
  }
}

void bench_cpu_matchers(const BenchOptions& o) {
  constexpr std::uint32_t kColumns = 1U << 20;
  fmt::print("\nCPU, 1 thread, {}; {} random bases in memory, positions stored, median\n", to_string(best_isa()),
             kColumns);
  const std::unique_ptr<PackedBatch> batch = random_batch(kColumns, 1);
  for (const Case& c : cases(o)) {
    MatcherOptions options;
    options.algorithm = c.algorithm;
    options.device = Device::cpu;
    options.output = c.output;
    const CoreTiming timing = time_on_core(c.patterns(), options, {}, *batch, 5, o.quick ? 0.1 : 0.5);
    print_row(c.name(), "in memory", kColumns * c.searches(), timing.seconds, fmt::format("{} hits", timing.hits));
  }
}

}  // namespace basesweep
