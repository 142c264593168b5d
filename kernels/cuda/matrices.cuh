// The second half of the cooperative search on the GPU (crk, hrk): from the products of the scans to the fingerprints
// of all windows of the text.
#pragma once

#include <cstdint>

#include "kernels/cuda/fingerprints.cuh"
#include "kernels/tables/matrices.hpp"

namespace basesweep::cuda {

// Operators of the scans. Products of K grow on the right, products of A on the left.
struct AppendMatrix {
  __device__ Matrix operator()(const Matrix& left, const Matrix& right) const { return product(left, right); }
};
struct PrependMatrix {
  __device__ Matrix operator()(const Matrix& right, const Matrix& left) const { return product(left, right); }
};

// K of the 32 positions from `position` on, which is a multiple of 32.
__device__ inline Matrix matrix_at(const PackedView& text, std::uint32_t position) {
  return matrix_of_word(reinterpret_cast<const std::uint32_t*>(text.lo)[position / 32],
                        reinterpret_cast<const std::uint32_t*>(text.hi)[position / 32]);
}

__device__ __forceinline__ std::uint32_t find_any(const FingerprintsView& view, const FingerprintGroup& group,
                                                  std::uint64_t fingerprint) {
  return group.end - group.begin == 1 ? find_fingerprint<1>(view, group, fingerprint)
                                      : find_fingerprint<0>(view, group, fingerprint);
}

// Compares the 32 windows that begin in the word at `position` with the group's queries. For a whole warp; a thread
// that is not `wanted` finds nothing. `words`: K of the whole words in the group's length, from `position` on.
__device__ inline void search_windows(const DeviceSink& sink, const FingerprintsView& view,
                                      const FingerprintGroup& group, const Matrix& words, std::uint32_t position,
                                      bool wanted) {
  const PlanesText text{sink.text.lo, sink.text.hi};
  const std::uint32_t rest = group.length % kMatrixPositions;
  const std::uint32_t end = position + group.length;
  std::uint32_t next_lo = text.lo_at(end - rest);
  std::uint32_t next_hi = text.hi_at(end - rest);
  Matrix window = times_d(words);
  for (std::uint32_t i = 0; i < rest; ++i) append_base(window, next_lo >> i, next_hi >> i);
  next_lo = text.lo_at(end);
  next_hi = text.hi_at(end);
  const std::uint32_t lo = text.lo_at(position);
  const std::uint32_t hi = text.hi_at(position);
  const Matrix first = window;
  bool found = false;
#pragma unroll 4
  for (std::uint32_t i = 0; i < kMatrixPositions; ++i) {
    found |= find_any(view, group, fingerprint_of(window)) != kNoItem;
    drop_base(window, lo >> i, hi >> i);
    append_base(window, next_lo >> i, next_hi >> i);
  }
  if (!__any_sync(~0U, wanted && found)) return;
  window = first;
#pragma unroll 1
  for (std::uint32_t i = 0; i < kMatrixPositions; ++i) {
    const std::uint32_t item = wanted ? find_any(view, group, fingerprint_of(window)) : kNoItem;
    if (__any_sync(~0U, item != kNoItem)) send_verified(sink, view, group, item, position + i);
    drop_base(window, lo >> i, hi >> i);
    append_base(window, next_lo >> i, next_hi >> i);
  }
}

}  // namespace basesweep::cuda
