// What the environment asks of the tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/tuning.hpp"
#include "lib/matcher.hpp"

namespace support {

// BASESWEEP_TEST_SEED; the default is fixed, so that a run can be repeated.
std::uint64_t test_seed();

// BASESWEEP_TEST_CASES, or `usual`; less of it in builds with sanitizers.
std::uint64_t test_cases(std::uint64_t usual);

// An algorithm on a device, with an instruction set for what runs on the CPU.
struct Target {
  basesweep::Algorithm algorithm;
  basesweep::Device device;
  basesweep::Isa isa;
  std::string name;  // "planes, cpu avx2"
  basesweep::Tuning tuning{};
};

// Those of exact search that BASESWEEP_TEST_DEVICES (cpu, gpu or cpu,gpu; by default all) names, of the algorithm
// that BASESWEEP_TEST_ALGORITHM names or of all. Throws std::runtime_error when that is
// neither, or names the GPU and none is usable.
const std::vector<Target>& targets();
// Likewise, those of approximate search.
const std::vector<Target>& approximate_targets();
// Likewise, those of reads.
const std::vector<Target>& read_targets();

bool on_gpu();  // whether some target is

}  // namespace support
