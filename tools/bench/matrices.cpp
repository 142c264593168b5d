// Measurements of `basesweep bench` in memory: weight matrices on random text, on the CPU and on a GPU.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

#include "kernels/cuda/bench.hpp"
#include "kernels/registry/matrix_rooms.hpp"
#include "lib/matrices/matrix_matcher.hpp"
#include "lib/matrices/matrix_set.hpp"
#include "tools/bench/support.hpp"

namespace basesweep {
namespace {

// Matrices of 8 to 20 positions, some of them vague, as those of collections are.
std::vector<FileMatrix> random_matrices(int count) {
  std::mt19937 random(11);
  std::vector<FileMatrix> matrices;
  for (int i = 0; i < count; ++i) {
    FileMatrix matrix;
    matrix.id = fmt::format("m{}", i);
    matrix.file = "random";
    for (unsigned width = 8 + random() % 13; width > 0; --width) {
      PerBase column{};
      for (double& number : column) number = random() % 4;
      column[random() % 4] += random() % 3 == 0 ? 3 : 40;
      matrix.columns.push_back(column);
    }
    matrices.push_back(std::move(matrix));
  }
  return matrices;
}

struct Case {
  int count;
  double p;
};
constexpr std::array kCases{Case{1, 1e-4}, Case{100, 1e-4}, Case{1000, 1e-4}, Case{1000, 1e-6}};

MatrixSet matrices_of(const Case& c) {
  MatrixSet::Options options;
  options.threshold = {Threshold::Kind::p_value, c.p};
  return {random_matrices(c.count), options};
}

std::string row_name(MatrixAlgorithm algorithm, const Case& c) {
  return fmt::format("{} {} matrices p={:g}", to_string(algorithm), c.count, c.p);
}

// Many of these matrices are too vague for filter alone.
constexpr std::array kAlgorithms{MatrixAlgorithm::lookup, MatrixAlgorithm::automatic};

bool wanted(const BenchOptions& o, MatrixAlgorithm algorithm, const Case& c) {
  return row_name(algorithm, c).find(o.only) != std::string::npos;
}

// The kernels of the shares, one after the other; counts hits.
cuda::KernelTiming time_shares(const MatrixSet& matrices, const std::vector<MatrixShare>& shares, int gpu,
                               std::uint32_t positions, int runs) {
  cuda::KernelTiming all;
  for (const MatrixShare& share : shares) {
    const cuda::KernelTiming one =
        cuda::time_kernel(*share.room,
                          {matrices,
                           share.queries,
                           {.patterns = matrices.patterns(), .queries = {}, .output = Output::counts, .gpu = gpu}},
                          {positions}, runs);
    all.seconds += one.seconds;
    all.occurrences += one.occurrences;
  }
  return all;
}

}  // namespace

bool any_matrix_row(const BenchOptions& o) {
  return std::any_of(kAlgorithms.begin(), kAlgorithms.end(), [&o](MatrixAlgorithm algorithm) {
    return std::any_of(kCases.begin(), kCases.end(), [&](const Case& c) { return wanted(o, algorithm, c); });
  });
}

void bench_matrices(const BenchOptions& o, BenchRecord& record) {
  constexpr std::uint32_t kPositions = 1U << 20;
  record.begin(
      "matrices",
      fmt::format("Weight matrices on the CPU, 1 thread, {}; {} random bases in memory, both strands, positions "
                  "stored, median; rates count bases x matrices x strands",
                  to_string(best_isa()), kPositions));
  const std::unique_ptr<PackedBatch> batch = random_batch(kPositions, 1);
  for (const Case& c : kCases) {
    const MatrixSet matrices = matrices_of(c);
    for (const MatrixAlgorithm algorithm : kAlgorithms) {
      if (!wanted(o, algorithm, c)) continue;
      MatrixMatcherOptions matching;
      matching.device = Device::cpu;
      matching.algorithm = algorithm;
      const std::unique_ptr<Matcher> matcher = make_matrix_matcher(matrices, matching);
      const CoreTiming timing = time_matcher(*matcher, *batch, 5, o.quick ? 0.1 : 0.5);
      record.add({row_name(algorithm, c), "in memory", 2.0 * kPositions * c.count, timing.seconds,
                  fmt::format("{} hits", timing.hits)});
    }
  }
}

void bench_gpu_matrices(int gpu, const BenchOptions& o, BenchRecord& record) {
  constexpr std::uint32_t kPositions = 1U << 26;
  const int runs = o.quick ? 3 : 9;
  record.begin("gpu matrices",
               fmt::format("Weight matrices on GPU {}; kernels alone, {} random bases, both strands, hits counted, "
                           "median of {}; rates count bases x matrices x strands",
                           gpu, kPositions, runs));
  for (const Case& c : kCases) {
    const MatrixSet matrices = matrices_of(c);
    const double rate = 2.0 * kPositions * c.count;
    for (const MatrixAlgorithm algorithm : kAlgorithms) {
      if (!wanted(o, algorithm, c)) continue;
      MatrixAssignment chosen = assign_matrices(matrices, Device::gpu, std::nullopt);
      if (algorithm != MatrixAlgorithm::automatic) {
        chosen.shares = {{&room_of(algorithm), reachable_queries(matrices), ""}};
      }
      const cuda::KernelTiming timing = time_shares(matrices, chosen.shares, gpu, kPositions, runs);
      record.add({row_name(algorithm, c),
                  chosen.shares.size() == 1 ? chosen.shares.front().room->name : "lookup, filter", rate, timing.seconds,
                  fmt::format("{} hits", timing.occurrences)});
    }
  }
}

}  // namespace basesweep
