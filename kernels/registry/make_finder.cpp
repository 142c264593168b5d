#include <fmt/format.h>

#include <algorithm>

#include "kernels/cuda/cuda.hpp"
#include "kernels/reads/cpu_finder.hpp"
#include "kernels/registry/choose_device.hpp"
#include "kernels/registry/verifiers.hpp"
#include "lib/base/error.hpp"

namespace basesweep {
namespace {

// Seconds of one CPU thread, for a base of reads of 150 with 8 edits and for a position of the reference's index.
// Measured on a Zen 3 with AVX2 and rounded, see kernels/reads/seeds/README.md.
constexpr double kSecondsPerBase = 1.5e-8;
constexpr double kSecondsPerPosition = 1.5e-8;

std::optional<double> expected_seconds(std::int64_t positions, const FinderOptions& options) {
  if (!options.expected_bases) return std::nullopt;
  const auto bases = static_cast<double>(*options.expected_bases);
  return (bases * kSecondsPerBase + static_cast<double>(positions) * kSecondsPerPosition) /
         std::max(options.threads, 1);
}

}  // namespace

Device choose_device(std::int64_t positions, const FinderOptions& options) {
  return choose_device(options.device, options.gpu, expected_seconds(positions, options), options.log);
}

std::unique_ptr<Finder> make_finder(const PackedBatch& reference, const FinderOptions& options) {
  const std::vector<Algorithm>& known = read_algorithms();
  if (options.algorithm != Algorithm::automatic &&
      std::find(known.begin(), known.end(), options.algorithm) == known.end()) {
    throw UsageError(fmt::format("algorithm {} is not for reads", to_string(options.algorithm)));
  }
  const Device device = choose_device(reference.positions(), options);
  if (device == Device::gpu) return cuda::make_finder(reference, options, cuda_verifiers(options.algorithm));
  return std::make_unique<CpuFinder>(reference, options, cpu_verifiers(options.algorithm, options.isa));
}

}  // namespace basesweep
