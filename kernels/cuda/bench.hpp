// Measures kernels alone, with CUDA events, on text that is already on the device. All functions throw DeviceError.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/matrices/room.hpp"
#include "kernels/room.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::cuda {

struct KernelTiming {
  double seconds = 0;                      // median of the runs after warm-up
  std::uint64_t occurrences = 0;           // found in each run
  std::uint64_t stored = 0;                // how many of them were stored: fewer if memory was short; 0 for counts
  std::vector<std::uint64_t> counts = {};  // for each query, in each run; empty unless counts were requested
};

// The text that a kernel searches: a batch, or else random bases, which are made on the device.
struct KernelText {
  std::uint32_t positions = 0;         // random bases: 1 to 2^30
  bool two_letters = false;            // random bases are A and C alone, so that the high plane is 0
  const PackedBatch* batch = nullptr;  // padded for the longest pattern
};

// "NVIDIA H200"
std::string gpu_name(int gpu);

// How many processors a GPU has, and their highest clock.
struct ChipSpeed {
  int processors = 0;
  double gigahertz = 0;
};
ChipSpeed chip_speed(int gpu);

// Reads the two planes of `positions` random bases, and nothing else.
KernelTiming time_read(int gpu, std::uint32_t positions, int runs);

// Searches a text with a room's kernel, which must take all queries. Stores up to 2^29 occurrences, unsorted, or counts
// them, as options.output says.
KernelTiming time_kernel(const Room& room, const RoomOptions& options, const KernelText& text, int runs);
KernelTiming time_kernel(const MatrixRoom& room, const MatrixRoomOptions& options, const KernelText& text, int runs);

// Makes a room's kernel, tables and their copy on the device included, once to warm up and then `runs` times. Returns
// the median of the seconds.
double time_making(const Room& room, const RoomOptions& options, int runs);

// Reads of the same length, each with a window of 2 * edits + 1 positions around the place that it was cut from.
struct WindowBench {
  std::uint32_t windows, length, edits;
};

// Verifies the windows of reads in random text with a room that has verify_windows. `occurrences`: the ends found.
KernelTiming time_windows(const Room& room, const WindowBench& bench, int gpu, int runs);

}  // namespace basesweep::cuda
