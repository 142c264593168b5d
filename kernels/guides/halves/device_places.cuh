// Judges the candidates of a batch on the device, and adds up the places among them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/binary_search.cuh"
#include "kernels/cuda/warp_sum.cuh"
#include "kernels/guides/halves/device_text.cuh"
#include "lib/guides/guide_finder.hpp"
#include "lib/guides/guide_sums.hpp"
#include "lib/search/packed_view.hpp"

namespace basesweep::halves {

__device__ inline bool touches(const Interval* intervals, std::uint32_t count, std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t i = first_behind(intervals, count, begin);
  return i < count && intervals[i].begin < end;
}

__device__ inline bool is_counted(const Counted& counted, const Interval& positions) {
  if (positions.begin < counted.own_begin || positions.begin >= counted.own_end) return false;
  if (counted.restricted && !touches(counted.requested, counted.requested_count, positions.begin, positions.begin + 1))
    return false;
  return !touches(counted.left_out, counted.left_out_count, positions.begin, positions.end);
}

struct Judged {
  Site site;
  GuideWindow window;
  GuideShape shape;
};

// Whether the candidate is a place.
__device__ inline bool judge(const JudgeView& view, const GuideBits& guide, std::uint64_t key, Judged& place) {
  place.site = view.sites[key & low_bits(view.site_bits)];
  place.window = window_of(view.text, place.site, guide_is_left(view.side, place.site.strand));
  return best_shape(guide, place.window, view.limits, view.side, place.shape);
}

// begins[i] is the first of the sorted keys that is at least i << shift, for i in [0, count].
__global__ void find_begins(const std::uint64_t* keys, std::uint64_t size, std::uint32_t shift, std::uint32_t count,
                            std::uint32_t* begins) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i > count) return;
  begins[i] =
      static_cast<std::uint32_t>(cuda::first_that(size, [=](std::uint64_t at) { return keys[at] >= i << shift; }));
}

// Makes a place of each key; those that are none, or come twice, get the guide kNoGuide.
inline constexpr std::uint32_t kNoGuide = ~0U;
__global__ void make_places(const __grid_constant__ JudgeView view, const std::uint64_t* keys, std::uint64_t size,
                            GuidePlace* places) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const std::uint64_t key = keys[i];
  const auto guide = static_cast<std::uint32_t>(key >> view.site_bits);
  Judged judged;
  const bool place = (i == 0 || keys[i - 1] != key) && judge(view, view.guides[guide], key, judged);
  places[i] = {judged.site.border, place ? guide : kNoGuide, judged.shape, judged.site.strand, judged.site.pam};
}

// Sums of one thread, then of a warp and of a block.
struct ThreadSums {
  unsigned long long mit;
  unsigned long long cfd;
  std::uint32_t exact_cfd;
  unsigned long long nearest;
  unsigned long long second;

  __device__ static ThreadSums none() { return {0, 0, 0, NearKey::kNone, NearKey::kNone}; }

  __device__ void add_near(unsigned long long key) {
    second = min(second, max(nearest, key));
    nearest = min(nearest, key);
  }
  __device__ void add(const ThreadSums& other) {
    mit += other.mit;
    cfd += other.cfd;
    exact_cfd = max(exact_cfd, other.exact_cfd);
    add_near(other.nearest);
    add_near(other.second);
  }
  __device__ ThreadSums of_lane_above(unsigned distance) const {
    ThreadSums above;
    above.mit = __shfl_down_sync(~0U, mit, distance);
    above.cfd = __shfl_down_sync(~0U, cfd, distance);
    above.exact_cfd = __shfl_down_sync(~0U, exact_cfd, distance);
    above.nearest = __shfl_down_sync(~0U, nearest, distance);
    above.second = __shfl_down_sync(~0U, second, distance);
    return above;
  }
};

// Adds a place to the sums of a thread, but for its CFD score, and to the block's counts.
__device__ inline void add_place(const JudgeView& view, const GuideBits& guide, bool scored, const Judged& judged,
                                 const Interval& positions, std::uint32_t* block_counts, ThreadSums& sums) {
  const GuideShape& shape = judged.shape;
  atomicAdd(block_counts + shape.size * (view.limits.mismatches + 1) + shape.mismatches, 1U);
  sums.add_near(NearKey::of(shape, positions.begin, positions.end, judged.site.strand).bits);
  if (scored && shape.bulge == Bulge::none) {
    sums.mit += mit_score(*view.weights, mismatches_at(guide, judged.window, 0));
  }
}

__device__ inline GuideWindow window_of_lane(const GuideWindow& own, int lane) {
  const auto of_lane = [lane](std::uint64_t word) {
    return __shfl_sync(~0U, static_cast<unsigned long long>(word), lane);
  };
  return {of_lane(own.lo), of_lane(own.hi), of_lane(own.other), __shfl_sync(~0U, own.available, lane)};
}

// greatest_cfd() of the place of each thread of a warp, all of one guide; 0 for threads that have none. Some places
// have many alignments, so the threads share them out. `greatest`: a number for each thread.
__device__ inline std::uint32_t greatest_cfd_of_warp(const JudgeView& view, const GuideBits& guide, bool has,
                                                     const GuideWindow& window, std::uint32_t pam,
                                                     std::uint32_t* greatest) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t straight = mismatches_at(guide, window, 0);
  greatest[lane] = 0;
  __syncwarp();
  const auto share_out = [&](Bulge bulge, std::uint32_t size) {
    const std::uint64_t starts = has ? fitting_starts(guide, window, view.limits, straight, bulge, size) : 0;
    const std::uint32_t through = cuda::inclusive_sum(count_ones(starts), lane);
    const std::uint32_t total = __shfl_sync(~0U, through, 31);
    for (std::uint32_t first = 0; first < total; first += 32) {
      const std::uint32_t item = first + lane;
      const auto owner = static_cast<int>(cuda::owner_of(item, through));
      const GuideWindow theirs = window_of_lane(window, owner);
      const std::uint32_t their_pam = __shfl_sync(~0U, pam, owner);
      std::uint64_t left = __shfl_sync(~0U, static_cast<unsigned long long>(starts), owner);
      const std::uint32_t before = __shfl_sync(~0U, through, owner) - count_ones(left);
      if (item >= total) continue;
      for (std::uint32_t i = before; i < item; ++i) left &= left - 1;
      const GuideShape shape{bulge, static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(lowest_bit(left)), 0};
      atomicMax(greatest + owner, cfd_score(*view.weights, guide, theirs, shape, their_pam));
    }
  };
  share_out(Bulge::none, 0);
  for (std::uint32_t size = 1; size <= view.limits.max_bulge(); ++size) {
    share_out(Bulge::dna, size);
    share_out(Bulge::rna, size);
  }
  __syncwarp();
  return greatest[lane];
}

constexpr int kSumThreads = 128;

// A block adds up the places of one guide, whose keys are [begins[guide], begins[guide + 1]).
__global__ void __launch_bounds__(kSumThreads)
    add_up_places(const __grid_constant__ JudgeView view, const __grid_constant__ Counted counted,
                  const std::uint64_t* keys, const std::uint32_t* begins, const __grid_constant__ DeviceSums out) {
  extern __shared__ std::uint32_t block_counts[];
  __shared__ std::uint32_t greatest[kSumThreads / 32][32];
  __shared__ ThreadSums of_warps[kSumThreads / 32];
  const std::uint32_t number = blockIdx.x;
  const std::uint32_t begin = begins[number];
  const std::uint32_t end = begins[number + 1];
  if (begin == end) return;
  for (std::uint32_t i = threadIdx.x; i < out.classes; i += kSumThreads) block_counts[i] = 0;
  __syncthreads();
  const GuideBits guide = view.guides[number];
  const bool scored = view.scored[number] != 0;
  ThreadSums sums = ThreadSums::none();
  const std::uint32_t lane = threadIdx.x % 32;
  // All threads of a warp go round equally often.
  for (std::uint32_t from = begin + threadIdx.x - lane; from < end; from += kSumThreads) {
    const std::uint32_t i = from + lane;
    Judged judged{};
    bool has = i < end && (i == begin || keys[i - 1] != keys[i]) && judge(view, guide, keys[i], judged);
    const bool left = guide_is_left(view.side, judged.site.strand);
    if (has) {
      const Interval positions = positions_beside(judged.site.border, left, judged.shape.text_length(guide.length),
                                                  view.pam_lengths[judged.site.pam]);
      has = is_counted(counted, positions);
      if (has) add_place(view, guide, scored, judged, positions, block_counts, sums);
    }
    if (!scored) continue;
    const std::uint32_t pam = has ? pam_weight(*view.weights, view.text.lo, view.text.hi, judged.site.border, left,
                                               judged.site.strand == Strand::minus)
                                  : 0;
    const std::uint32_t cfd = greatest_cfd_of_warp(view, guide, has, judged.window, pam, greatest[threadIdx.x / 32]);
    sums.cfd += cfd;
    if (has && judged.shape.size == 0 && judged.shape.mismatches == 0) sums.exact_cfd = max(sums.exact_cfd, cfd);
  }
  __syncwarp();
  for (unsigned distance = 16; distance != 0; distance /= 2) sums.add(sums.of_lane_above(distance));
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sums;
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < out.classes; i += kSumThreads) {
    if (block_counts[i] != 0) out.counts[std::uint64_t{number} * out.classes + i] += block_counts[i];
  }
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < kSumThreads / 32; ++warp) sums.add(of_warps[warp]);
  // There may be sums of other borders already.
  sums.add({out.mit[number], out.cfd[number], out.exact_cfd[number], out.nearest[2 * std::uint64_t{number}],
            out.nearest[2 * std::uint64_t{number} + 1]});
  out.mit[number] = sums.mit;
  out.cfd[number] = sums.cfd;
  out.exact_cfd[number] = sums.exact_cfd;
  out.nearest[2 * std::uint64_t{number}] = sums.nearest;
  out.nearest[2 * std::uint64_t{number} + 1] = sums.second;
}

}  // namespace basesweep::halves
