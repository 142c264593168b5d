// The reference as it stays on the device while reads are searched for.
#pragma once

#include <cstddef>
#include <optional>

#include "kernels/cuda/device_planes.hpp"
#include "kernels/reads/seeds/cuda.cuh"
#include "lib/search/finder.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::cuda {

class ResidentReference {
 public:
  // Copies the planes and, unless all queries are swept, builds the index. Throws OutOfMemory.
  ResidentReference(const PackedBatch& reference, Candidates candidates) : text_(reference.view()) {
    const Stream stream;
    planes_.upload(text_, reference.plane_words(), stream.get());
    stream.synchronize();
    text_.lo = planes_.lo();
    text_.hi = planes_.hi();
    text_.blocked = nullptr;
    text_.blocked_count = 0;
    if (candidates != Candidates::sweep) index_.emplace(text_, stream);
  }

  // Bytes of device memory that this takes.
  static std::size_t bytes(const PackedBatch& reference, Candidates candidates) {
    return DevicePlanes::bytes(reference.plane_words()) +
           (candidates == Candidates::sweep ? 0 : seeds::DeviceIndex::bytes(reference.positions()));
  }

  // The planes alone, on the device.
  const PackedView& text() const { return text_; }
  // Null if all queries are swept.
  const seeds::DeviceIndex* index() const { return index_ ? &*index_ : nullptr; }

 private:
  PackedView text_;
  DevicePlanes planes_;
  std::optional<seeds::DeviceIndex> index_;
};

}  // namespace basesweep::cuda
