// A batch of reads on the device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/cuda/uploaded_array.hpp"
#include "kernels/reads/read_order.hpp"
#include "lib/search/read_queries.hpp"

namespace basesweep::cuda {

class DeviceReads {
 public:
  // Queues the copy of the batch's planes. The stream must be done with the batch before.
  void upload_planes(const ReadQueryView& reads, cudaStream_t stream) {
    const std::size_t stride = reads.word_count;
    planes_.reserve(3 * stride);
    pinned_planes_.reserve(3 * stride);
    std::uint64_t* to = pinned_planes_.get();
    for (const std::uint64_t* plane : {reads.lo, reads.hi, reads.known}) to = std::copy_n(plane, stride, to);
    queue_copy(planes_.get(), pinned_planes_.get(), 3 * stride, cudaMemcpyHostToDevice, stream);
    view_ = {planes_.get(), planes_.get() + stride, planes_.get() + 2 * stride, nullptr, 0, reads.word_count};
  }

  // Queues the copy of the queries to work on, in their order. The stream must be done with those before.
  void upload_queries(const ReadOrder& order, cudaStream_t stream) {
    queries_.upload(order.queries, stream);
    numbers_.upload(order.numbers, stream);
    view_.queries = queries_.get();
    view_.query_count = static_cast<std::uint32_t>(order.queries.size());
  }

  // On the device.
  const ReadQueryView& view() const { return view_; }
  const std::uint32_t* numbers() const { return numbers_.get(); }  // [query]: its number in the batch

 private:
  ReadQueryView view_{};
  DeviceBuffer<std::uint64_t> planes_;
  PinnedBuffer<std::uint64_t> pinned_planes_;
  UploadedArray<ReadQuery> queries_;
  UploadedArray<std::uint32_t> numbers_;
};

}  // namespace basesweep::cuda
