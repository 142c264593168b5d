#include "kernels/registry/verifiers.hpp"

#include <algorithm>
#include <cstdint>

#include "kernels/registry/rooms.hpp"

namespace basesweep {
namespace {

// A group of bitsliced takes longer than myers for the same windows if they fill less than this part of its lanes.
// Measured: both take the same time at 37 of 256 lanes (AVX2) and 20 of 128 (SSE4.2) for reads of 150 with 8 edits, at
// 24 and 12 for 40 with 2, at 64 and 40 for 1,000 with 50. Zen 3, one core, 2026-11-21.
constexpr std::uint32_t kFewParts = 6;

// The fastest on one H200 (2026-11-21, kernels alone, CUDA events, median of 11), 10^12 cells a second:
//
//     windows                                  myers    hmm  bitsliced
//     24,343 of reads of 150, k = 8, index      12.7    6.6        6.4
//      6,020 of 500, k = 25, index              10.2    9.4        9.2
//      3,004 of 1,000, k = 50, index             3.3   10.0        5.5
//      1,503 of 2,000, k = 100, index            1.7   10.1        3.1
//  4,194,304 of 24, k = 5, sweep                11.7    8.9       10.4
//    976,600 of 150, k = 30, sweep              28.8   10.4       42.9
//     24,420 of 1,000, k = 200, sweep           17.6   11.9       32.2
//
// Where windows are narrow beside their read, hmm computes a band only (2026-11-24, `bench --only "windows of"`),
// milliseconds:
//
//      6,000 of 500, k = 25                     0.164  0.145      0.177
//     50,000 of 500, k = 25                     0.413  0.641      0.352
//      3,000 of 1,000, k = 50                   1.013  0.219      0.612
//      1,500 of 2,048, k = 100                  3.969  0.380      2.257
//     20,000 of 2,048, k = 100                  6.602  2.565      3.569
Algorithm fastest_on_gpu(std::uint32_t windows, std::uint32_t words, bool narrow) {
  if (narrow && words > 8) return Algorithm::hmm;
  const std::uint64_t bitsliced_warps = std::uint64_t{windows} * std::min(words, 8U) / 256;
  if (words > 1 && bitsliced_warps >= (words <= 8 ? 1024 : 256)) return Algorithm::bitsliced;
  return words <= 8 ? Algorithm::myers : Algorithm::hmm;
}

}  // namespace

const char* automatic_verifiers(Device device) {
  return device == Device::gpu ? "myers, hmm and bitsliced" : "bitsliced and myers";
}

CpuVerifiers cpu_verifiers(Algorithm algorithm, Isa isa) {
  if (algorithm != Algorithm::automatic) return {to_string(algorithm), room_of(algorithm).window_scan(isa), {}, 0};
  const WindowScan scan = room_of(Algorithm::bitsliced).window_scan(isa);
  return {automatic_verifiers(Device::cpu), scan, room_of(Algorithm::myers).window_scan(isa), scan.lanes / kFewParts};
}

cuda::Verifiers cuda_verifiers(Algorithm algorithm) {
  if (algorithm != Algorithm::automatic) {
    return {to_string(algorithm),
            [verify = room_of(algorithm).verify_windows](std::uint32_t, std::uint32_t, bool) { return verify; }};
  }
  return {automatic_verifiers(Device::gpu), [](std::uint32_t windows, std::uint32_t words, bool narrow) {
            return room_of(fastest_on_gpu(windows, words, narrow)).verify_windows;
          }};
}

}  // namespace basesweep
