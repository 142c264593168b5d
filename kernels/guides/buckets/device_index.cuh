// Puts the sites of a text into buckets on the device.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/binary_search.cuh"
#include "lib/guides/guide_join.hpp"
#include "lib/guides/text_sites.hpp"

namespace basesweep::buckets {

inline constexpr std::uint32_t kNoSite = 0xffffffff;
inline constexpr std::uint32_t kTileGuides = 256;  // at most

inline constexpr unsigned kThreads = 256;  // of a block, for one thread a number
inline unsigned blocks_for(std::uint64_t threads) {
  return static_cast<unsigned>(std::max<std::uint64_t>(1, (threads + kThreads - 1) / kThreads));
}

// Guides of one bucket that a block searches for.
struct Tile {
  std::uint32_t key;
  std::uint32_t first;  // index into JoinView::guides
  std::uint32_t count;
};

// A part of the sites in buckets, by the word [first, first + q) of their bases. The entries of a bucket begin with a
// word of planes; those after its last one have kNoSite. A bucket's entries are in the order of their sites. Buckets of
// other parts are empty. The guides may be of all buckets.
struct JoinView {
  const SiteBases* bases;            // of each entry
  const std::uint32_t* sites;        // of each entry
  const std::uint32_t* word_begins;  // the words of bucket k: [word_begins[k], word_begins[k + 1])
  const std::uint32_t* begins;       // the sites of bucket k: begins[k + 1] - begins[k]
  // Of each word: the low bits of the bases outside of the word of 32 sites, their high bits, and which sites have
  // other letters.
  const std::uint32_t* planes;
  std::uint32_t q;
  std::uint32_t first;
  std::uint32_t columns;  // bases outside of the word
  std::uint32_t length;
  const SiteBases* site_bases;  // of each site
  const std::uint32_t* guides;  // sites
  const Tile* tiles;
};

// The words of planes for 32 sites.
__host__ __device__ inline std::uint32_t plane_step(const JoinView& view) { return 2 * view.columns + 1; }

__device__ inline std::uint32_t base_of_column(const JoinView& view, std::uint32_t column) {
  return column < view.first ? column : column + view.q;
}

__device__ inline std::uint32_t key_of(SiteBases site, std::uint32_t first, std::uint32_t q) {
  const std::uint32_t mask = (1U << q) - 1;
  return (site.lo >> first & mask) | (site.hi >> first & mask) << q;
}

// key << 32 | site, of a site.
struct KeyedSite {
  const SiteBases* bases;
  std::uint32_t first;
  std::uint32_t q;
  __device__ std::uint64_t operator()(std::uint32_t site) const {
    return std::uint64_t{key_of(bases[site], first, q)} << 32 | site;
  }
};

// Whether a keyed site has a key in [begin, end).
struct HasKeyIn {
  std::uint32_t begin;
  std::uint32_t end;
  __device__ bool operator()(std::uint64_t keyed) const { return keyed >> 32 >= begin && keyed >> 32 < end; }
};

// Whether a keyed site is a guide.
struct IsGuide {
  const SiteBases* bases;
  __device__ bool operator()(std::uint64_t keyed) const {
    return (bases[static_cast<std::uint32_t>(keyed)].lo & kIsGuide) != 0;
  }
};

// Adds to counts[k] the sites with key k.
__global__ void count_keys(KeyedSite keyed, std::uint32_t count, std::uint32_t* counts) {
  const std::uint64_t site = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (site < count) atomicAdd(&counts[keyed(static_cast<std::uint32_t>(site)) >> 32], 1U);
}

// begins[k]: how many of the sorted keys are lower than k, for k in [0, keys].
__global__ void find_bucket_begins(const std::uint64_t* sorted, std::uint32_t count, std::uint32_t keys,
                                   std::uint32_t* begins) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k > keys) return;
  begins[k] = cuda::first_that(count, [=](std::uint32_t i) { return sorted[i] >= k << 32; });
}

// words[k]: the words of bucket k; 0 for k = keys.
__global__ void count_words(const std::uint32_t* begins, std::uint32_t keys, std::uint32_t* words) {
  const std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k > keys) return;
  words[k] = k == keys ? 0 : (begins[k + 1] - begins[k] + 31) / 32;
}

__global__ void place_entries(const std::uint64_t* sorted, std::uint32_t count, const SiteBases* of_site,
                              const std::uint32_t* begins, const std::uint32_t* word_begins, SiteBases* bases,
                              std::uint32_t* sites) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const auto key = static_cast<std::uint32_t>(sorted[i] >> 32);
  const auto site = static_cast<std::uint32_t>(sorted[i]);
  const std::uint64_t entry = std::uint64_t{word_begins[key]} * 32 + (i - begins[key]);
  bases[entry] = of_site[site];
  sites[entry] = site;
}

// A warp for each word.
__global__ void make_device_planes(JoinView view, std::uint32_t words, std::uint32_t* planes) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t word = thread / 32;
  if (word >= words) return;
  const std::uint32_t lane = threadIdx.x % 32;
  const SiteBases own = view.bases[thread];
  std::uint32_t* const to = planes + word * plane_step(view);
  for (std::uint32_t column = 0; column < view.columns; ++column) {
    const std::uint32_t base = base_of_column(view, column);
    const std::uint32_t lo = __ballot_sync(~0U, (own.lo >> base & 1) != 0);
    const std::uint32_t hi = __ballot_sync(~0U, (own.hi >> base & 1) != 0);
    if (lane == 0) to[column] = lo;
    if (lane == 1) to[view.columns + column] = hi;
  }
  const std::uint32_t other = __ballot_sync(~0U, (own.lo & kHasOther) != 0);
  if (lane == 0) to[2 * view.columns] = other;
}

__global__ void take_sites(const std::uint64_t* keyed, std::uint32_t count, std::uint32_t* sites) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) sites[i] = static_cast<std::uint32_t>(keyed[i]);
}

__global__ void count_tiles(const std::uint32_t* begins, std::uint32_t keys, std::uint32_t* tiles) {
  const std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k > keys) return;
  tiles[k] = k == keys ? 0 : (begins[k + 1] - begins[k] + kTileGuides - 1) / kTileGuides;
}

// Shares the guides of each bucket out to its tiles evenly, in whole warps.
__global__ void make_tiles(const std::uint32_t* begins, const std::uint32_t* tile_begins, std::uint32_t keys,
                           Tile* tiles) {
  const std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= keys) return;
  const std::uint32_t guides = begins[k + 1] - begins[k];
  const std::uint32_t count = tile_begins[k + 1] - tile_begins[k];
  if (count == 0) return;
  const std::uint32_t each = ((guides + count - 1) / count + 31) / 32 * 32;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t first = i * each < guides ? i * each : guides;
    const std::uint32_t left = guides - first;
    tiles[tile_begins[k] + i] = {k, begins[k] + first, left < each ? left : each};
  }
}

}  // namespace basesweep::buckets
