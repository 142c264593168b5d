// The planes of a text on the device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/buffer.hpp"
#include "lib/search/packed_view.hpp"

namespace basesweep::cuda {

// Planes on the device begin at multiples of this many words (128 bytes), and kernels may read whole lines of
// that size.
inline constexpr std::size_t kPlaneAlignWords = 16;

// Both planes, one after the other, each filled up to whole lines.
class DevicePlanes {
 public:
  // Bytes of device memory for planes of `words` 64-bit words each.
  static std::size_t bytes(std::size_t words) { return 2 * whole_lines(words) * sizeof(std::uint64_t); }

  // Makes room for planes of `words` words each; what they held is lost. Throws OutOfMemory.
  void reserve(std::size_t words) {
    stride_ = whole_lines(words);
    planes_.reserve(2 * stride_);
  }
  // Makes room and queues the copy of the host's planes, of `words` words each. The words after them are not set.
  void upload(const PackedView& host, std::size_t words, cudaStream_t stream) {
    reserve(words);
    queue_copy(lo(), host.lo, words, cudaMemcpyHostToDevice, stream);
    queue_copy(hi(), host.hi, words, cudaMemcpyHostToDevice, stream);
  }

  std::uint64_t* lo() const { return planes_.get(); }
  std::uint64_t* hi() const { return planes_.get() + stride_; }
  // From the first word of lo to the first of hi.
  std::size_t stride() const { return stride_; }

 private:
  static std::size_t whole_lines(std::size_t words) {
    return (words + kPlaneAlignWords - 1) / kPlaneAlignWords * kPlaneAlignWords;
  }

  std::size_t stride_ = 0;
  DeviceBuffer<std::uint64_t> planes_;
};

}  // namespace basesweep::cuda
