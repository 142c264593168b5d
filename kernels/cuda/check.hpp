// Turns CUDA error codes into exceptions.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "lib/base/error.hpp"

namespace basesweep::cuda {

// The memory of the device, or what the host can pin, does not suffice. A smaller batch may fit.
class OutOfMemory : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

[[noreturn]] inline void fail(cudaError_t code, const char* call, const char* file, int line) {
  const std::string message = std::string("CUDA: ") + cudaGetErrorName(code) + " (" + cudaGetErrorString(code) +
                              ") in " + call + " at " + file + ":" + std::to_string(line);
  throw DeviceError(message);
}

}  // namespace basesweep::cuda

// Throws DeviceError with the call and its place in the source if it fails.
#define BASESWEEP_CUDA(call)                                                                               \
  do {                                                                                                     \
    const cudaError_t basesweep_code = (call);                                                             \
    if (basesweep_code != cudaSuccess) ::basesweep::cuda::fail(basesweep_code, #call, __FILE__, __LINE__); \
  } while (false)
