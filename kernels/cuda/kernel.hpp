// Kernel: a room's search on a GPU.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/room.hpp"

namespace basesweep::cuda {

struct DeviceSink;  // kernels/cuda/occurrence_sink.cuh

// A room's search, with its tables on the device. Several threads use it at once, each with its own stream.
class Kernel {
 public:
  virtual ~Kernel() = default;
  // Bytes of device memory that launch() needs as its workspace for a batch of `positions` positions.
  virtual std::size_t workspace_bytes(std::uint32_t /*positions*/) const { return 0; }
  // Queues the search of sink.text on the stream. `workspace` is aligned to 256 bytes. Finds::starts: must send every
  // start in [own_begin, own_end) exactly once. Finds::ends: must send every end there at least once; text to the left
  // of own_begin may be read for context. May also send positions outside of that range; the sink drops them.
  virtual void launch(const DeviceSink& sink, std::byte* workspace, cudaStream_t stream) const = 0;
};

}  // namespace basesweep::cuda
