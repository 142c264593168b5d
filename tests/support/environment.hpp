// Settings of the tests that come from environment variables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/tuning.hpp"
#include "lib/base/isa.hpp"
#include "lib/search/algorithm.hpp"
#include "lib/search/device.hpp"

namespace support {

// Seed of the random cases: BASESWEEP_TEST_SEED. The default is fixed, so that a run can be repeated.
std::uint64_t test_seed();

// How many of the usual random cases to run, in percent: BASESWEEP_TEST_PERCENT, by default 100.
std::uint64_t test_percent();

// Hand-made cases take every n-th shift, where n is BASESWEEP_TEST_STRIDE; by default 1, which takes all.
std::uint64_t test_stride();

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

// A device, with an instruction set for its work on the CPU.
struct TestedDevice {
  basesweep::Device device;
  basesweep::Isa isa;
  std::string name;  // "cpu avx2", "gpu"
};

// The CPU with each instruction set, and the GPU when it is usable. BASESWEEP_TEST_DEVICES limits them to cpu, gpu or
// cpu,gpu. Throws std::runtime_error when it has another value, or names the GPU and it is not usable.
std::vector<TestedDevice> tested_devices();

// All targets of exact search, of approximate search and of reads, on the devices that BASESWEEP_TEST_DEVICES leaves.
// BASESWEEP_TEST_ALGORITHM limits them to one algorithm. They throw what tested_devices() throws.
const std::vector<Target>& targets();
const std::vector<Target>& approximate_targets();
const std::vector<Target>& read_targets();

// True when targets() has one on the GPU.
bool on_gpu();

}  // namespace support
