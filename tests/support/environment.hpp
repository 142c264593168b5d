// Settings of the tests that come from environment variables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/tuning.hpp"
#include "lib/search/matcher.hpp"

namespace support {

// Seed of the random cases: BASESWEEP_TEST_SEED. The default is fixed, so that a run can be repeated.
std::uint64_t test_seed();

// How many of the usual random cases to run, in percent: BASESWEEP_TEST_PERCENT, by default 100.
std::uint64_t test_percent();

// How many random cases to run: BASESWEEP_TEST_CASES when it is set, otherwise test_percent() of `usual`, and in builds
// with sanitizers a twentieth of that. At least 1.
std::uint64_t test_cases(std::uint64_t usual);

// An algorithm on a device. The instruction set is the one for its work on the CPU.
struct Target {
  basesweep::Algorithm algorithm;
  basesweep::Device device;
  basesweep::Isa isa;
  std::string name;  // "planes, cpu avx2"
  basesweep::Tuning tuning{};
};

// All targets of exact search, of approximate search and of reads. BASESWEEP_TEST_DEVICES limits them to devices: cpu,
// gpu or cpu,gpu; by default the CPU, and the GPU when it is usable. BASESWEEP_TEST_ALGORITHM limits them to one
// algorithm. They throw std::runtime_error when BASESWEEP_TEST_DEVICES has another value, or names the GPU and it is
// not usable.
const std::vector<Target>& targets();
const std::vector<Target>& approximate_targets();
const std::vector<Target>& read_targets();

// True when targets() has one on the GPU.
bool on_gpu();

}  // namespace support
