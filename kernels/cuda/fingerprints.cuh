// What follows on the GPU where the text has a fingerprint that entries have.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/cuda/chunks.cuh"
#include "kernels/cuda/device.hpp"
#include "kernels/cuda/hit_sink.cuh"
#include "kernels/cuda/kernel.hpp"
#include "kernels/fingerprints.hpp"

namespace basesweep::cuda {

// Verifies and sends, for a whole warp: each thread may have found an item, else kNoItem, at its column. A thread
// compares short entries alone; long ones the warp does together.
__device__ __noinline__ inline void send_verified(const DeviceSink& sink, const FingerprintsView& view,
                                                  const FingerprintGroup& group, std::uint32_t item,
                                                  std::uint32_t column) {
  constexpr std::uint32_t kFewChunks = 2;
  const PlanesText text{sink.text.lo, sink.text.hi};
  if (column >= sink.text.own_end) item = kNoItem;
  if (group.chunk_count <= kFewChunks) {
    if (item == kNoItem) return;
    return for_each_verified(view, group, item, text, column, [&](std::uint32_t entry) { sink.hit(column, entry); });
  }
  const unsigned lane = threadIdx.x % 32;
  for (unsigned waiting = __ballot_sync(~0U, item != kNoItem); waiting != 0; waiting &= waiting - 1) {
    const int owner = __ffs(static_cast<int>(waiting)) - 1;
    const std::uint32_t at = __shfl_sync(~0U, column, owner);
    std::uint32_t i = __shfl_sync(~0U, item, owner);
    const std::uint64_t fingerprint = view.items[i].fingerprint;
    do {
      const FingerprintItem found = view.items[i];
      const bool same = warp_chunks_match(view.chunks + found.first_chunk, group.chunk_count, text, at);
      if (same && lane == static_cast<unsigned>(owner)) sink.hit(at, found.entry);
    } while (++i != group.end && view.items[i].fingerprint == fingerprint);
  }
}

// A kernel with the tables of such fingerprints on the device.
class FingerprintKernel : public Kernel {
 protected:
  FingerprintKernel(int gpu, const Fingerprints& index)
      : device_(gpu),
        groups_(index.groups),
        view_{nullptr, 0, tables_.put(index.items), tables_.put(index.slot_begin), tables_.put(index.chunks)} {}

  const Device device_;
  const std::vector<FingerprintGroup> groups_;  // on the host: a launch each

 private:
  DeviceTables tables_;

 protected:
  const FingerprintsView view_;  // on the device, but for the groups
};

}  // namespace basesweep::cuda
