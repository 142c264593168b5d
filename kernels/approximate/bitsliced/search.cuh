// The search kernel of `bitsliced`. Included by cuda.cu only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/approximate/bitsliced/step.hpp"
#include "kernels/approximate/bitsliced/strips.cuh"

namespace basesweep::bitsliced {
namespace {

constexpr std::uint32_t kThreads = 128;  // in a block; a thread has a strip
constexpr int kMaxExtraSets = 12;        // sets of two, three and four bases, and padding

// A seed in the form that the search uses. Sets are numbered: A, C, T, G, then the seed's extra ones.
struct SearchSeed {
  std::uint32_t mask[kMaxRows];  // where the masks of each row's set begin, in bytes. The compiler keeps them in
                                 // uniform registers, and adds them to addresses for nothing
  std::uint8_t extra[kMaxExtraSets];
  std::uint32_t extra_count;
  std::uint32_t edits;
  std::uint32_t one_bit;  // see survivors()
  std::uint32_t index;    // among all seeds
};

// The texts of a strip that survived at two positions. In text 0 these are `position` of the batch and the next one; in
// each other text they lie as far from that text's first position as they do in text 0.
struct alignas(16) Survivor {
  std::uint32_t texts[2];
  std::uint32_t position;
  std::uint32_t seed;  // index in the launch
};
constexpr int kStep = 2;

constexpr int kMaxSeeds = 64;  // in a launch

struct QueueHead {
  std::uint32_t size;                   // also counts survivors that found no room
  std::uint32_t overflowed[kMaxSeeds];  // whether survivors of the seed were lost
};

struct Queue {
  QueueHead* head;
  Survivor* survivors;
  std::uint32_t capacity;
};

// A kernel parameter, so it is in constant memory.
struct Launch {
  Strips strips;
  Queue queue;
  std::uint32_t warm_up;  // positions
  // 1 and -1. The compiler must not know their values: then the multiply pipe computes a * 1 + b, beside the logic
  // pipe.
  std::uint32_t one, minus_one;
  std::uint32_t seed_count;
  SearchSeed seeds[kMaxSeeds];
};

__device__ __forceinline__ void enqueue(const Queue& queue, const Survivor& survivor) {
  const unsigned active = __activemask();
  const unsigned lane = threadIdx.x % 32;
  const int leader = __ffs(static_cast<int>(active)) - 1;
  std::uint32_t place = 0;
  if (lane == static_cast<unsigned>(leader)) place = atomicAdd(&queue.head->size, __popc(active));
  place = __shfl_sync(active, place, leader) + __popc(active & ((1U << lane) - 1));
  if (place < queue.capacity) {
    queue.survivors[place] = survivor;
  } else {
    queue.head->overflowed[survivor.seed] = 1;
  }
}

// The search waits for the logic pipe while the multiply pipe is idle. Three of four rows therefore keep their vertical
// difference not as planes Pv, Mv but as the integer V = Pv - Mv beside Mv. A horizontal difference is H = Ph - Mh in
// the same way. Adding such a difference back is exact, because in the result no bit borrows from another, and
//     H below = E - V        V after = E - H        (a difference of the diagonal less one of a side is the other side)
// so that 4 multiply-adds replace 2 of 5 logic operations.
__host__ __device__ constexpr bool in_sums(int row) { return row % 4 != 0; }

struct Sums {
  std::uint32_t one, minus_one;
  __device__ __forceinline__ std::uint32_t add(std::uint32_t a, std::uint32_t b) const { return a * one + b; }
  __device__ __forceinline__ std::uint32_t subtract(std::uint32_t a, std::uint32_t b) const {
    return b * minus_one + a;
  }
};

// cell() for all rows of a column. v: V or Pv of each row. ne(row): the row's Ne.
template <int rows, class Ne>
__device__ __forceinline__ void column_of_cells(const Sums& sums, Ne ne, std::uint32_t (&v)[rows],
                                                std::uint32_t (&mv)[rows], std::uint32_t& ph, std::uint32_t& mh) {
  ph = mh = 0;
  std::uint32_t h = 0;
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    if (!in_sums(r)) {
      cell<PlainLogic>(ne(r), v[r], mv[r], ph, mh);
      if (r + 1 < rows && in_sums(r + 1)) h = sums.subtract(ph, mh);
      continue;
    }
    const std::uint32_t e = PlainLogic::a_not_b_not_c(ne(r), mv[r], mh);
    const std::uint32_t pv = sums.add(v[r], mv[r]);
    const std::uint32_t h_below = sums.subtract(e, v[r]);
    mv[r] = ph & ~e;
    v[r] = sums.subtract(e, h);
    h = h_below;
    mh = pv & ~e;
    ph = sums.add(h, mh);
  }
}

constexpr int search_blocks(int rows) { return rows <= 15 ? 8 : rows <= 18 ? 7 : rows <= 24 ? 6 : 5; }

// A thread takes one seed over one strip of texts.
template <int rows, int bits, bool extra>
__global__ void __launch_bounds__(kThreads, search_blocks(rows)) search(const __grid_constant__ Launch launch) {
  // For each set, the texts whose base is not in it. A thread reads only what it wrote itself, so no barrier is needed.
  __shared__ std::uint32_t masks[kStep][4 + (extra ? kMaxExtraSets : 0)][kThreads];
  const SearchSeed& seed = launch.seeds[blockIdx.x];
  const std::uint32_t strip = blockIdx.y * kThreads + threadIdx.x;
  if (strip >= launch.strips.count) return;
  const Sums sums{launch.one, launch.minus_one};
  const std::uint32_t stride = launch.strips.stride;
  const std::uint32_t* lo = launch.strips.lo + strip;
  const std::uint32_t* hi = launch.strips.hi + strip;

  std::uint32_t v[rows];
  std::uint32_t mv[rows];
  std::uint32_t x[bits];
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    v[r] = ~0U;
    mv[r] = 0;
  }
#pragma unroll
  for (int b = 0; b < bits; ++b) x[b] = first_count_bit(rows, static_cast<int>(seed.edits), b) ? ~0U : 0;
  std::uint32_t offset[rows];
#pragma unroll
  for (int r = 0; r < rows; ++r) offset[r] = seed.mask[r];

  const auto make_masks = [&](int place, std::uint32_t l, std::uint32_t h, std::uint32_t outside) {
    const std::uint32_t both = l & h;
    const std::uint32_t differs[4] = {l | h | outside, ~sums.subtract(l, both) | outside,
                                      ~sums.subtract(h, both) | outside, ~both | outside};
#pragma unroll
    for (int b = 0; b < 4; ++b) masks[place][b][threadIdx.x] = differs[b];
    if constexpr (extra) {
      for (std::uint32_t i = 0; i < seed.extra_count; ++i) {
        const unsigned set = seed.extra[i];
        std::uint32_t mask = set == kPadding ? 0 : ~0U;
        for (int b = 0; b < 4; ++b) mask &= (set >> b & 1) != 0 ? differs[b] : ~0U;
        masks[place][4 + i][threadIdx.x] = mask;
      }
    }
  };
  const auto advance = [&](int place) {
    std::uint32_t ph;
    std::uint32_t mh;
    const auto* own = reinterpret_cast<const std::byte*>(&masks[place][0][threadIdx.x]);
    const auto ne = [&](int r) { return *reinterpret_cast<const std::uint32_t*>(own + offset[r]); };
    column_of_cells<rows>(sums, ne, v, mv, ph, mh);
    count<PlainLogic>(x, ph, mh);
  };

  // Warm-up over the positions in front of each text's own, which the text before it holds. Before text 0 of strip 0
  // only padding matches, so that matches start in the text.
  const std::uint32_t outside = strip == 0 ? 1 : 0;
#pragma unroll 1
  for (std::uint32_t c = launch.strips.positions - launch.warm_up; c < launch.strips.positions; ++c) {
    const std::uint64_t at = std::uint64_t{c} * stride;
    const std::uint32_t lo_before = strip == 0 ? 0 : lo[at - 1];
    const std::uint32_t hi_before = strip == 0 ? 0 : hi[at - 1];
    make_masks(0, __funnelshift_l(lo_before, lo[at], 1), __funnelshift_l(hi_before, hi[at], 1), outside);
    advance(0);
  }

  const std::uint32_t origin = launch.strips.origin + strip * kTexts * launch.strips.positions;
  std::uint32_t next_lo[kStep];
  std::uint32_t next_hi[kStep];
  const auto load = [&] {
#pragma unroll
    for (int i = 0; i < kStep; ++i) {
      next_lo[i] = *lo;
      next_hi[i] = *hi;
      lo += stride;
      hi += stride;
    }
  };
  load();
#pragma unroll 1
  for (std::uint32_t c = 0; c < launch.strips.positions; c += kStep) {
#pragma unroll
    for (int i = 0; i < kStep; ++i) make_masks(i, next_lo[i], next_hi[i], 0);
    if (c + kStep < launch.strips.positions) load();
    std::uint32_t found[kStep];
    std::uint32_t any = 0;
#pragma unroll
    for (int i = 0; i < kStep; ++i) {
      advance(i);
      found[i] = survivors(x, seed.one_bit);
      any |= found[i];
    }
    if (any != 0) enqueue(launch.queue, {{found[0], found[1]}, origin + c, blockIdx.x});
  }
}

}  // namespace
}  // namespace basesweep::bitsliced
