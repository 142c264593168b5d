// Why a GPU is not used, and what can be done about it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/cuda/describe.hpp"
#include "tools/machine.hpp"

namespace basesweep {

// How the program has code for a GPU of a compute capability.
enum class GpuCode {
  native,    // its own
  compiled,  // PTX, which the driver compiles as the program starts
  none,
  unknown,  // the list of architectures does not say
};
// `architectures` as CMake names them: "75-real,80-real,120" has PTX of the last.
GpuCode code_for(const std::string& architectures, int major, int minor);

// "13.0"
std::string cuda_version(int number);

// Sentences, each of something that keeps a GPU from being used. `visible`: CUDA_VISIBLE_DEVICES, where it is set.
std::vector<std::string> gpu_troubles(const cuda::CudaInfo& info, const Machine& machine,
                                      const std::optional<std::string>& visible);

}  // namespace basesweep
