// What a room gives to the GPU side of `map`.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "kernels/cuda/buffer.hpp"

namespace basesweep::cuda {

struct WindowTask;  // kernels/cuda/windows.cuh

// Queues the search: each column of a window in which the window's entry ends with at most its edits is sent once, with
// the least edits. `workspace` grows as needed. Throws OutOfMemory.
using WindowKernel = void (*)(const WindowTask& task, DeviceBuffer<std::byte>& workspace, cudaStream_t stream);

}  // namespace basesweep::cuda

// Each room that finds ends of reads defines it in windows.cu.
#define BASESWEEP_DECLARE_WINDOW_KERNEL(room)                                                                       \
  namespace basesweep::room {                                                                                       \
  void verify_windows(const cuda::WindowTask& task, cuda::DeviceBuffer<std::byte>& workspace, cudaStream_t stream); \
  }

BASESWEEP_DECLARE_WINDOW_KERNEL(hmm)
BASESWEEP_DECLARE_WINDOW_KERNEL(myers)
BASESWEEP_DECLARE_WINDOW_KERNEL(bitsliced)

#undef BASESWEEP_DECLARE_WINDOW_KERNEL
