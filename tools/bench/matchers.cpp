// Measurements of `basesweep bench` in memory: each algorithm alone, on random text.
#include <fmt/format.h>

#include <numeric>

#include "kernels/cuda/bench.hpp"
#include "kernels/registry/rooms.hpp"
#include "kernels/registry/tuned.hpp"
#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/threads.hpp"
#include "lib/search/edit_options.hpp"
#include "tools/bench/support.hpp"

namespace basesweep {
namespace {

constexpr std::int64_t kMaxSetBases = std::int64_t{1} << 28;
constexpr int kMaxSetPatterns = 1 << 24;

bool wanted(const BenchCase& c, const BenchOptions& o) { return c.name().find(o.only) != std::string::npos; }

// The reason in decline_reason(), without algorithm and pattern.
std::string bare(const std::string& reason) { return reason.substr(reason.find(": ") + 2); }

void add_set(BenchCases& cases, const SetSize& size, const BenchOptions& o) {
  const PatternSet patterns(random_patterns(size.count, size.length), StrandChoice::plus, PalindromeChoice::both);
  for (const Algorithm algorithm : exact_algorithms()) {
    const BenchCase c{algorithm, size.count, size.length, StrandChoice::plus};
    if (!wanted(c, o)) continue;
    if (const std::optional<std::string> reason = decline_reason(algorithm, patterns)) {
      cases.declined.push_back(
          fmt::format("{} declines {} x {}: {}", to_string(algorithm), size.count, size.length, bare(*reason)));
    } else {
      cases.measured.push_back(c);
    }
  }
}

std::vector<BenchCase> usual_cases() {
  std::vector<BenchCase> all;
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
  for (const int count : {1000, 10'000, 100'000}) {
    for (const int edits : {3, 4}) all.push_back({Algorithm::neighbors, count, 20, StrandChoice::both, edits});
  }
  all.push_back({Algorithm::neighbors, 100'000, 20, StrandChoice::both, 6, Output::counts});
  struct SetWithIndels {
    int count, length, edits;
  };
  for (const auto& [count, length, edits] : {SetWithIndels{312, 23, 3},
                                             {10'000, 23, 3},
                                             {1'000, 24, 2},
                                             {100'000, 24, 2},
                                             {1'000, 20, 4},
                                             {10'000, 32, 5}}) {
    all.push_back({Algorithm::neighbors, count, length, StrandChoice::both, edits, Output::occurrences, true});
  }
  for (const int length : {32, 128, 1024}) {
    all.push_back({Algorithm::hmm, 1, length, StrandChoice::plus, length / 10});
  }
  return all;
}

}  // namespace

SetSize parse_set(const std::string& set) {
  std::string_view rest = set;
  SetSize size{0, 0};
  if (!parse_number(take_to(rest, 'x'), size.count) || !parse_number(rest, size.length) || size.count < 1 ||
      size.length < 1 || size.length > static_cast<int>(kMaxBenchLength)) {
    throw UsageError(fmt::format(
        "--set {}: expected NxM, such as 1000x12: the number of patterns, and the bases of each, at most {}", set,
        kMaxBenchLength));
  }
  if (size.count > kMaxSetPatterns || std::int64_t{size.count} * size.length > kMaxSetBases) {
    throw UsageError(fmt::format("--set {}: too large: at most {} patterns with {} bases in total", set,
                                 kMaxSetPatterns, kMaxSetBases));
  }
  return size;
}

std::string BenchCase::name() const {
  return fmt::format("{} {} x {} {}{}{}{}", to_string(algorithm), count, length,
                     strands == StrandChoice::both ? "both" : "one strand",
                     edits < 0 ? "" : fmt::format(" k={}", edits), indels ? " with indels" : "",
                     output == Output::counts ? " counts" : "");
}

PatternSet BenchCase::patterns() const {
  if (edits < 0) return {random_patterns(count, length), strands, PalindromeChoice::both};
  EditOptions options;
  options.edits = static_cast<std::uint32_t>(edits);
  if (algorithm == Algorithm::hamming || (algorithm == Algorithm::neighbors && !indels)) options.max_indels = 0;
  return {random_patterns(count, length), strands, PalindromeChoice::both, options};
}

double BenchCase::searches() const {
  return edits < 0 ? 1 : static_cast<double>(count) * (strands == StrandChoice::both ? 2 : 1);
}

BenchCases bench_cases(const BenchOptions& o) {
  std::vector<SetSize> sizes;
  for (const std::string& set : o.sets) sizes.push_back(parse_set(set));
  BenchCases cases;
  if (sizes.empty()) cases.measured = usual_cases();
  std::erase_if(cases.measured, [&o](const BenchCase& c) { return !wanted(c, o); });
  for (const SetSize& size : sizes) add_set(cases, size, o);
  cases.matrices = sizes.empty() && any_matrix_row(o);
  cases.guides = sizes.empty() && any_guide_row(o);
  cases.reads = sizes.empty() && any_read_row(o);
  cases.windows = sizes.empty() && any_window_row(o);
  if (cases.measured.empty() && !cases.matrices && !cases.guides && !cases.reads && !cases.windows) {
    std::string why;
    for (const std::string& declined : cases.declined) why += (why.empty() ? "" : "; ") + declined;
    if (why.empty()) why = fmt::format("no row contains '{}' (--only)", o.only);
    throw UsageError("nothing to measure: " + why);
  }
  return cases;
}

void bench_gpu(int gpu, const BenchOptions& o, const std::vector<BenchCase>& cases, BenchRecord& record) {
  const std::string name = cuda::gpu_name(gpu);
  record.gpu += (record.gpu.empty() ? "" : ", ") + name;
  if (cases.empty()) return;
  const std::uint32_t positions = o.quick ? 1U << 28 : 1U << 30;
  const int runs = o.quick ? 5 : 21;
  record.begin("gpu", fmt::format("GPU {}: {}; kernels alone, {} random bases, positions stored, median of {}", gpu,
                                  name, positions, runs));
  const double read = cuda::time_read(gpu, positions, runs).seconds;
  record.add({"read the planes", "roof", static_cast<double>(positions), read, ""});
  for (const BenchCase& c : cases) {
    const PatternSet patterns = c.patterns();
    std::vector<std::uint32_t> queries(patterns.queries().size());
    std::iota(queries.begin(), queries.end(), 0U);
    const cuda::KernelTiming timing =
        cuda::time_kernel(room_of(c.algorithm), {patterns, queries, c.output, kIsas.front(), gpu}, {positions}, runs);
    const bool all = c.output == Output::counts || timing.stored == timing.occurrences;
    record.add({c.name(), fmt::format("{:.2f} of the roof", read / timing.seconds), positions * c.searches(),
                timing.seconds,
                all ? fmt::format("{} hits", timing.occurrences)
                    : fmt::format("{} of {} hits stored", timing.stored, timing.occurrences)});
  }
}

void bench_cpu_matchers(const BenchOptions& o, const std::vector<BenchCase>& cases, BenchRecord& record) {
  if (cases.empty()) return;
  constexpr std::uint32_t kPositions = 1U << 20;
  record.begin("cpu", fmt::format("CPU, 1 thread, {}; {} random bases in memory, positions stored, median",
                                  to_string(best_isa()), kPositions));
  const std::unique_ptr<PackedBatch> batch = random_batch(kPositions, 1);
  for (const BenchCase& c : cases) {
    if (c.gpu_only()) continue;
    MatcherOptions options;
    options.algorithm = c.algorithm;
    options.device = Device::cpu;
    options.output = c.output;
    options.threads = available_threads();             // that build tables
    if (o.quick) options.expected_bases = kPositions;  // tables for more text take up to half a minute to build
    const CoreTiming timing = time_on_core(c.patterns(), options, {}, *batch, 5, o.quick ? 0.1 : 0.5);
    record.add({c.name(), "in memory", kPositions * c.searches(), timing.seconds, fmt::format("{} hits", timing.hits)});
  }
}

}  // namespace basesweep
