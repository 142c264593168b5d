// Judges the candidates of a batch on the device, and adds up the places among them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

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
  std::uint64_t low = 0;
  for (std::uint64_t high = size; low < high;) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (keys[middle] >= i << shift) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  begins[i] = static_cast<std::uint32_t>(low);
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

// Adds a place to the sums of a thread, and to the block's counts.
__device__ inline void add_place(const JudgeView& view, const GuideBits& guide, bool scored, const Judged& judged,
                                 const Interval& positions, std::uint32_t classes, std::uint32_t* block_counts,
                                 ThreadSums& sums) {
  const GuideShape& shape = judged.shape;
  atomicAdd(block_counts + shape.size * classes + shape.mismatches, 1U);
  sums.add_near(NearKey::of(shape, positions.begin, positions.end, judged.site.strand).bits);
  if (!scored) return;
  const ScoreWeights& weights = *view.weights;
  const bool left = guide_is_left(view.side, judged.site.strand);
  const std::uint32_t pam =
      pam_weight(weights, view.text.lo, view.text.hi, judged.site.border, left, judged.site.strand == Strand::minus);
  const std::uint32_t cfd = greatest_cfd(weights, guide, judged.window, view.limits, pam);
  sums.cfd += cfd;
  if (shape.bulge == Bulge::none) sums.mit += mit_score(weights, mismatches_at(guide, judged.window, 0));
  if (shape.size == 0 && shape.mismatches == 0) sums.exact_cfd = max(sums.exact_cfd, cfd);
}

constexpr int kSumThreads = 128;

// A block adds up the places of one guide, whose keys are [begins[guide], begins[guide + 1]).
__global__ void __launch_bounds__(kSumThreads)
    add_up_places(const __grid_constant__ JudgeView view, const __grid_constant__ Counted counted,
                  const std::uint64_t* keys, const std::uint32_t* begins, const __grid_constant__ DeviceSums out) {
  extern __shared__ std::uint32_t block_counts[];
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
  for (std::uint32_t i = begin + threadIdx.x; i < end; i += kSumThreads) {
    const std::uint64_t key = keys[i];
    if (i != begin && keys[i - 1] == key) continue;
    Judged judged;
    if (!judge(view, guide, key, judged)) continue;
    const Interval positions =
        positions_beside(judged.site.border, guide_is_left(view.side, judged.site.strand),
                         judged.shape.text_length(guide.length), view.pam_lengths[judged.site.pam]);
    if (!is_counted(counted, positions)) continue;
    add_place(view, guide, scored, judged, positions, view.limits.mismatches + 1, block_counts, sums);
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
