// The ends that kernels find in a batch.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/sort.hpp"
#include "kernels/cuda/windows.cuh"
#include "lib/search/finder.hpp"

namespace basesweep::cuda {

class EndList {
 public:
  EndList() : found_(1), pinned_found_(1) { reserve(kFirstCapacity); }

  // Queues forgetting all ends.
  void clear(const Stream& stream) {
    BASESWEEP_CUDA(cudaMemsetAsync(found_.get(), 0, sizeof *found_.get(), stream.get()));
  }

  // The sink for kernels on the same stream. `numbers`: each query's number in the batch, on the device.
  EndSink sink(const std::uint32_t* numbers) const { return {ends_.get(), capacity_, found_.get(), numbers}; }

  // How many ends were sent. Waits for the stream.
  std::uint64_t found(const Stream& stream) {
    queue_copy(pinned_found_.get(), found_.get(), 1, cudaMemcpyDeviceToHost, stream.get());
    stream.synchronize();
    return pinned_found_[0];
  }
  // Whether there was room for this many. If not, makes room for them; they have to be sent again.
  bool holds(std::uint64_t found) {
    if (found <= capacity_) return true;
    reserve(found + found / 4);
    return false;
  }

  // Appends the first `found` ends in order. `query_bits`: bits of a query's number. Waits for the stream.
  void fetch(std::uint64_t found, int query_bits, DeviceBuffer<std::byte>& scratch, const Stream& stream,
             std::vector<ReadEnd>& ends) {
    if (found == 0) return;
    const std::uint64_t* sorted = sort_keys(ends_.get(), ends_.get() + capacity_, found, kEndEditsBits,
                                            32 + static_cast<int>(kEndEditsBits) + query_bits, scratch, stream.get());
    pinned_ends_.reserve(found);
    queue_copy(pinned_ends_.get(), sorted, found, cudaMemcpyDeviceToHost, stream.get());
    stream.synchronize();
    ends.insert(ends.end(), pinned_ends_.get(), pinned_ends_.get() + found);
  }

 private:
  static constexpr std::uint64_t kFirstCapacity = 1U << 16;

  void reserve(std::uint64_t capacity) {
    ends_.reserve(2 * capacity);
    capacity_ = capacity;
  }

  DeviceBuffer<ReadEnd> ends_;  // room for capacity_, and as much again for sorting
  std::uint64_t capacity_ = 0;
  PinnedBuffer<ReadEnd> pinned_ends_;
  DeviceBuffer<unsigned long long> found_;
  PinnedBuffer<unsigned long long> pinned_found_;
};

}  // namespace basesweep::cuda
