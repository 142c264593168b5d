// What a room gives to the GPU side.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/room.hpp"

namespace basesweep::cuda {

struct DeviceSink;  // kernels/cuda/hit_sink.cuh

// Planes on the device begin at multiples of so many words (128 bytes), and kernels may read whole such pieces.
inline constexpr std::size_t kPlaneAlignWords = 16;

// A room's search with its tables on the device. Made on the matcher's GPU, used by several threads, each with a
// stream.
class Kernel {
 public:
  virtual ~Kernel() = default;
  // Bytes of device memory that the search of a batch of so many columns works in; `workspace` is aligned to 256.
  virtual std::size_t workspace_bytes(std::uint32_t /*columns*/) const { return 0; }
  // Queues the search of sink.text on the stream. Exact: every match that starts in [own_begin, own_end) must be sent,
  // once. Approximate: every end (its last column) in [own_begin, own_end), be it twice; the text to the left of that
  // may be read for context. What lies outside may be sent too: the sink drops it.
  virtual void launch(const DeviceSink& sink, std::byte* workspace, cudaStream_t stream) const = 0;
};

// Makes the room's kernel; the current device is options.gpu. Throws DeviceError.
using KernelMaker = std::unique_ptr<Kernel> (*)(const RoomOptions& options);

}  // namespace basesweep::cuda
