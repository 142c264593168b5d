// The task of a room's kernel that verifies windows of the reference, and the sink for the ends that it finds.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/append.cuh"
#include "kernels/windows.hpp"
#include "lib/search/finder.hpp"
#include "lib/search/packed_view.hpp"
#include "lib/search/read_queries.hpp"

namespace basesweep::cuda {

// Takes the ends that kernels find. Passed by value. All pointers are the device's.
struct EndSink {
  ReadEnd* ends;  // [capacity]
  std::uint64_t capacity;
  unsigned long long* found;     // ends so far, also those that did not fit
  const std::uint32_t* numbers;  // [query]: its number in the batch

  __device__ void send(std::uint32_t query, std::uint32_t position, std::uint32_t edits) const {
    const std::uint64_t place = reserve_place(found);
    if (place < capacity) ends[place] = make_read_end(numbers[query], position, edits);
  }
};

// Windows to verify, of queries that all have the same number of words. All pointers are the device's.
struct WindowTask {
  PackedView text;  // the planes of the reference; nothing is blocked
  ReadQueryView reads;
  const QueryWindow* windows;
  std::uint32_t count;            // number of windows, at least 1
  std::uint32_t words;            // in each query
  std::uint32_t longest;          // positions of the longest query
  std::uint32_t max_edits;        // of a query
  std::uint32_t max_positions;    // the most that are read for a window, including those before it
  std::uint32_t usual_positions;  // that most windows have at most
  EndSink sink;
};

}  // namespace basesweep::cuda
