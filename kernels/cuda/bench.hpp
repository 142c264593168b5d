// Measures kernels alone, with CUDA events, on random text that lies on the device. Throws DeviceError.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/room.hpp"

namespace basesweep::cuda {

struct KernelTiming {
  double seconds = 0;      // median of the runs after warm-up
  std::uint64_t hits = 0;  // stored, in each run
};

// "NVIDIA H200"
std::string gpu_name(int gpu);

// Reads the two planes of `columns` random bases, and nothing else.
KernelTiming time_read(int gpu, std::uint32_t columns, int runs);

// Searches the same with a room's kernel and stores the positions of hits, unsorted; output `counts` counts them.
KernelTiming time_kernel(Algorithm algorithm, const RoomOptions& options, std::uint32_t columns, int runs);

}  // namespace basesweep::cuda
