#include <fmt/format.h>

#include <algorithm>

#include "kernels/choose_device.hpp"
#include "kernels/cpu_finder.hpp"
#include "kernels/cuda/cuda.hpp"
#include "lib/error.hpp"

namespace basesweep {
namespace {

// What one CPU thread needs for a base of reads of 150 with 8 edits, and for a column of the reference's index.
// Measured on a Zen 3 with AVX2 and rounded, see kernels/seeds/README.md.
constexpr double kSecondsPerBase = 1.5e-8;
constexpr double kSecondsPerColumn = 1.5e-8;

std::optional<double> expected_seconds(std::int64_t columns, const FinderOptions& options) {
  if (!options.expected_bases) return std::nullopt;
  const auto bases = static_cast<double>(*options.expected_bases);
  return (bases * kSecondsPerBase + static_cast<double>(columns) * kSecondsPerColumn) / std::max(options.threads, 1);
}

}  // namespace

const std::vector<Algorithm>& read_algorithms() {
  static const std::vector<Algorithm> algorithms{Algorithm::hmm, Algorithm::myers, Algorithm::bitsliced};
  return algorithms;
}

Device choose_device(std::int64_t columns, const FinderOptions& options) {
  return choose_device(options.device, options.gpu, expected_seconds(columns, options), options.log);
}

const char* automatic_verifiers(Device device) {
  return device == Device::gpu ? "myers, hmm and bitsliced" : "bitsliced and myers";
}

std::unique_ptr<Finder> make_finder(const PackedBatch& reference, const FinderOptions& options) {
  const std::vector<Algorithm>& known = read_algorithms();
  if (options.algorithm != Algorithm::automatic &&
      std::find(known.begin(), known.end(), options.algorithm) == known.end()) {
    throw UsageError(fmt::format("algorithm {} is not for reads", to_string(options.algorithm)));
  }
  const Device device = choose_device(reference.columns(), options);
  if (device == Device::gpu) return cuda::make_finder(reference, options);
  return std::make_unique<CpuFinder>(reference, options);
}

}  // namespace basesweep
