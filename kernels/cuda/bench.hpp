// Measures kernels alone, with CUDA events, on text that lies on the device. Throws DeviceError.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/room.hpp"
#include "lib/packed_batch.hpp"

namespace basesweep::cuda {

struct KernelTiming {
  double seconds = 0;                      // median of the runs after warm-up
  std::uint64_t hits = 0;                  // found in each run
  std::uint64_t stored = 0;                // of those, unless they were counted: as many as there was memory for
  std::vector<std::uint64_t> counts = {};  // of each entry, in each run, if counts were asked for
};

// What a kernel is to search: random bases, made on the device, or a batch.
struct KernelText {
  std::uint32_t columns = 0;           // of random bases: 1 to 2^30
  bool two_letters = false;            // A and C alone, so that the high plane is 0
  const PackedBatch* batch = nullptr;  // instead; padded for the longest pattern
};

// "NVIDIA H200"
std::string gpu_name(int gpu);

// Reads the two planes of `columns` random bases, and nothing else.
KernelTiming time_read(int gpu, std::uint32_t columns, int runs);

// Searches a text with a room's kernel, which must not decline an entry, and stores the positions of hits, unsorted, up
// to 2^29 of them; output `counts` counts them.
KernelTiming time_kernel(Algorithm algorithm, const RoomOptions& options, const KernelText& text, int runs);

}  // namespace basesweep::cuda
