// Measurements of `basesweep bench` in memory: weight matrices on random text.
#include <fmt/format.h>

#include <array>
#include <random>

#include "lib/matrices/matrix_matcher.hpp"
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

}  // namespace

void bench_matrices(const BenchOptions& o, BenchRecord& record) {
  constexpr std::uint32_t kPositions = 1U << 20;
  record.begin(
      "matrices",
      fmt::format("Weight matrices on the CPU, 1 thread, {}; {} random bases in memory, both strands, positions "
                  "stored, median; rates count bases x matrices x strands",
                  to_string(best_isa()), kPositions));
  const std::unique_ptr<PackedBatch> batch = random_batch(kPositions, 1);
  struct Case {
    int count;
    double p;
  };
  for (const auto& [count, p] : {Case{1, 1e-4}, {100, 1e-4}, {1000, 1e-4}, {1000, 1e-6}}) {
    MatrixSet::Options options;
    options.threshold = {Threshold::Kind::p_value, p};
    const MatrixSet matrices(random_matrices(count), options);
    // Many of these matrices are too vague for filter alone.
    for (const MatrixAlgorithm algorithm : {MatrixAlgorithm::lookup, MatrixAlgorithm::automatic}) {
      const std::unique_ptr<Matcher> matcher = make_matrix_matcher(matrices, {.algorithm = algorithm});
      const CoreTiming timing = time_matcher(*matcher, *batch, 5, o.quick ? 0.1 : 0.5);
      record.add({fmt::format("{} {} matrices p={:g}", to_string(algorithm), count, p), "in memory",
                  2.0 * kPositions * count, timing.seconds, fmt::format("{} hits", timing.hits)});
    }
  }
}

}  // namespace basesweep
