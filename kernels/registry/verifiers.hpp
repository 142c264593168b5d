// The rooms that verify the windows of reads (`map`): the one that the user names, or those that were measured to be
// the fastest.
#pragma once

#include "kernels/cuda/cuda.hpp"
#include "kernels/reads/cpu_finder.hpp"
#include "lib/base/isa.hpp"

namespace basesweep {

// Names of the algorithms that `auto` uses to verify read candidates on this device.
const char* automatic_verifiers(Device device);

// `algorithm`: `automatic`, or one of read_algorithms().
CpuVerifiers cpu_verifiers(Algorithm algorithm, Isa isa);
cuda::Verifiers cuda_verifiers(Algorithm algorithm);

}  // namespace basesweep
