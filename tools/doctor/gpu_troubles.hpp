// The reasons why GPUs cannot be used, and what to do about them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/cuda/describe.hpp"
#include "tools/doctor/machine.hpp"

namespace basesweep {

// The kind of code that the program has for a compute capability.
enum class GpuCode {
  native,    // code for it
  compiled,  // PTX, which the driver compiles as the program starts
  none,
  unknown,  // cannot be told from the list of architectures
};
// `architectures`: CMake's list; "75-real,80-real,120" has PTX for the last only.
GpuCode code_for(const std::string& architectures, int major, int minor);

// 13000 is "13.0".
std::string cuda_version(int number);

// One sentence per reason that keeps a GPU from being used. `visible`: CUDA_VISIBLE_DEVICES, if it is set.
std::vector<std::string> gpu_troubles(const cuda::CudaInfo& info, const Machine& machine,
                                      const std::optional<std::string>& visible);

}  // namespace basesweep
