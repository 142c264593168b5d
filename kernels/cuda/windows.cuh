// Windows of the reference as the rooms' kernels get them, and the sink of the ends in them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/append.cuh"
#include "kernels/windows.hpp"
#include "lib/finder.hpp"
#include "lib/packed_batch.hpp"
#include "lib/reads/read_batch.hpp"

namespace basesweep::cuda {

// Takes the ends that kernels find. Passed by value.
struct EndSink {
  ReadEnd* ends;  // room for `capacity`
  std::uint64_t capacity;
  unsigned long long* found;     // ends so far, those past capacity too
  const std::uint32_t* numbers;  // of the entries in their batch

  __device__ void send(std::uint32_t entry, std::uint32_t column, std::uint32_t edits) const {
    const std::uint64_t place = reserve_place(found);
    if (place < capacity) ends[place] = make_read_end(numbers[entry], column, edits);
  }
};

// Windows of entries that all have as many words. All pointers are the device's.
struct WindowTask {
  PackedView text;  // planes alone
  SoughtView reads;
  const SoughtWindow* windows;
  std::uint32_t count;         // of windows, at least 1
  std::uint32_t words;         // of each entry
  std::uint32_t longest;       // columns of an entry, at most
  std::uint32_t most_columns;  // of the reference that a window is verified on, those before it included, at most
  EndSink sink;
};

}  // namespace basesweep::cuda
