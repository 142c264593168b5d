// Fingerprints on the GPU: the last step, where the text has the fingerprint of a query, and the tables for it.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/cuda/device.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/occurrence_sink.cuh"
#include "kernels/cuda/pattern_blocks.cuh"
#include "kernels/tables/fingerprints.hpp"

namespace basesweep::cuda {

// Verifies and sends what a whole warp found: `item` is what the calling thread found at its position, or kNoItem. Each
// thread compares short queries alone; the warp compares long ones together.
__device__ __noinline__ inline void send_verified(const DeviceSink& sink, const FingerprintsView& view,
                                                  const FingerprintGroup& group, std::uint32_t item,
                                                  std::uint32_t position) {
  constexpr std::uint32_t kFewBlocks = 2;
  const PlanesText text{sink.text.lo, sink.text.hi};
  if (position >= sink.text.own_end) item = kNoItem;
  if (group.block_count <= kFewBlocks) {
    if (item == kNoItem) return;
    return for_each_verified(view, group, item, text, position,
                             [&](std::uint32_t query) { sink.send(position, query); });
  }
  const unsigned lane = threadIdx.x % 32;
  for (unsigned waiting = __ballot_sync(~0U, item != kNoItem); waiting != 0; waiting &= waiting - 1) {
    const int owner = __ffs(static_cast<int>(waiting)) - 1;
    const std::uint32_t at = __shfl_sync(~0U, position, owner);
    std::uint32_t i = __shfl_sync(~0U, item, owner);
    const std::uint64_t fingerprint = view.items[i].fingerprint;
    do {
      const FingerprintItem found = view.items[i];
      const bool same = warp_blocks_match(view.pattern_blocks + found.first_block, group.block_count, text, at);
      if (same && lane == static_cast<unsigned>(owner)) sink.send(at, found.query);
    } while (++i != group.end && view.items[i].fingerprint == fingerprint);
  }
}

// A kernel with the tables of fingerprints on the device.
class FingerprintKernel : public Kernel {
 protected:
  FingerprintKernel(int gpu, const Fingerprints& index)
      : device_(gpu),
        groups_(index.groups),
        view_{nullptr, 0, tables_.put(index.items), tables_.put(index.slot_begin), tables_.put(index.pattern_blocks)} {}

  const Device device_;
  const std::vector<FingerprintGroup> groups_;  // on the host: one launch for each

 private:
  DeviceTables tables_;

 protected:
  const FingerprintsView view_;  // on the device, without the groups
};

}  // namespace basesweep::cuda
