// What a room gives to the GPU side.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
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
  // Queues the search of sink.text on the stream. Every match that starts in the columns the batch owns must be sent.
  virtual void launch(const DeviceSink& sink, cudaStream_t stream) const = 0;
};

// Makes the room's kernel; the current device is options.gpu. Throws DeviceError.
using KernelMaker = std::unique_ptr<Kernel> (*)(const RoomOptions& options);

}  // namespace basesweep::cuda
