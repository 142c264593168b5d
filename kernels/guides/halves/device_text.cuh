// The text of a batch on the device, and the sites of PAMs in it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/binary_search.cuh"
#include "kernels/guides/halves/device_views.cuh"
#include "lib/guides/shape.hpp"
#include "lib/search/packed_view.hpp"

namespace basesweep::halves {

// The first of the intervals, which are sorted and disjoint, that ends behind `position`; `count` if none does.
__device__ inline std::uint32_t first_behind(const Interval* intervals, std::uint32_t count, std::uint64_t position) {
  return cuda::first_that(count, [=](std::uint32_t i) { return intervals[i].end > position; });
}

// Sets bit i of the plane for each position i in one of the intervals, which are sorted and disjoint; clears the
// others.
__global__ void mark_intervals(const Interval* intervals, std::uint32_t count, std::uint64_t* plane,
                               std::uint32_t words) {
  const std::uint32_t word = blockIdx.x * blockDim.x + threadIdx.x;
  if (word >= words) return;
  const std::uint64_t begin = std::uint64_t{word} * 64;
  std::uint64_t bits = 0;
  for (std::uint32_t i = first_behind(intervals, count, begin); i < count && intervals[i].begin < begin + 64; ++i) {
    const std::uint64_t from = intervals[i].begin > begin ? intervals[i].begin - begin : 0;
    const std::uint64_t to = intervals[i].end - begin;
    bits |= low_bits(to < 64 ? static_cast<std::uint32_t>(to) : 64) & ~low_bits(static_cast<std::uint32_t>(from));
  }
  plane[word] = bits;
}

// 64 positions of a plane from `position` on, which is greater than -64; 0 before position 0.
__device__ inline std::uint64_t positions_from(const std::uint64_t* plane, std::int64_t position) {
  if (position < 0) return plane[0] << -position;
  return positions_at(plane, static_cast<std::uint32_t>(position));
}

// Bit i: the PAM lies at the border first + i, to the right of it if the guide is on its left.
__device__ inline std::uint64_t pam_borders(const DeviceText& text, const DevicePam& pam, std::uint32_t first,
                                            bool guide_left) {
  const std::int64_t start = std::int64_t{first} - (guide_left ? 0 : pam.length);
  std::uint64_t all = ~0ULL;
  for (std::uint32_t i = 0; i < pam.length && all != 0; ++i) {
    const std::uint32_t set = pam.sets[i];
    all &= positions_from(text.inside, start + i) & ~positions_from(text.other, start + i);
    if (set == kAnyBase) continue;
    const std::uint64_t lo = positions_from(text.lo, start + i);
    const std::uint64_t hi = positions_from(text.hi, start + i);
    all &= ((set & 1U) != 0 ? ~lo & ~hi : 0) | ((set & 2U) != 0 ? lo & ~hi : 0) | ((set & 4U) != 0 ? ~lo & hi : 0) |
           ((set & 8U) != 0 ? lo & hi : 0);
  }
  return all;
}

// The borders among [first, first + 64) that have a PAM and enough text beside it, on a strand. use(pam, bits) gets
// those where the PAM is the first one that matches.
template <class Use>
__device__ std::uint64_t find_borders(const DeviceText& text, const DevicePams& pams, Strand strand,
                                      std::uint32_t first, std::uint64_t wanted, const Use& use) {
  const bool left = guide_is_left(pams.side, strand);
  std::uint64_t taken = 0;
  for (std::uint32_t pam = 0; pam < pams.count; ++pam) {
    std::uint64_t bits =
        pam_borders(text, pams.of_strand[strand == Strand::minus ? 1 : 0][pam], first, left) & wanted & ~taken;
    for (std::uint64_t rest = bits; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<std::uint32_t>(__ffsll(static_cast<long long>(rest))) - 1;
      const std::uint64_t beside = outward(text.inside, first + bit, left);
      if ((~beside & low_bits(pams.fewest)) != 0) bits &= ~(1ULL << bit);
    }
    taken |= bits;
    use(pam, bits);
  }
  return taken;
}

__device__ inline std::uint64_t wanted_borders(std::uint32_t first, std::uint32_t begin, std::uint32_t end) {
  std::uint64_t wanted = ~0ULL;
  if (first < begin) wanted &= ~low_bits(begin - first);
  if (end - first < 64) wanted &= low_bits(end - first);
  return wanted;
}

// Counts the sites at borders [begin, end) of each word, the first one being `begin` / 64.
__global__ void count_sites(DeviceText text, DevicePams pams, std::uint32_t begin, std::uint32_t end,
                            std::uint32_t words, std::uint32_t* counts) {
  const std::uint32_t word = blockIdx.x * blockDim.x + threadIdx.x;
  if (word >= words) return;
  const std::uint32_t first = (begin / 64 + word) * 64;
  const std::uint64_t wanted = wanted_borders(first, begin, end);
  const auto nothing = [](std::uint32_t, std::uint64_t) {};
  counts[word] = count_ones(find_borders(text, pams, Strand::plus, first, wanted, nothing)) +
                 count_ones(find_borders(text, pams, Strand::minus, first, wanted, nothing));
}

// Stores them, by border and strand. `places`: of each word, where its first site goes.
__global__ void store_sites(DeviceText text, DevicePams pams, std::uint32_t begin, std::uint32_t end,
                            std::uint32_t words, const std::uint32_t* places, Site* sites, SiteBases* bases) {
  const std::uint32_t word = blockIdx.x * blockDim.x + threadIdx.x;
  if (word >= words) return;
  const std::uint32_t first = (begin / 64 + word) * 64;
  const std::uint64_t wanted = wanted_borders(first, begin, end);
  const auto nothing = [](std::uint32_t, std::uint64_t) {};
  const std::uint64_t plus = find_borders(text, pams, Strand::plus, first, wanted, nothing);
  const std::uint64_t minus = find_borders(text, pams, Strand::minus, first, wanted, nothing);
  for (const Strand strand : {Strand::plus, Strand::minus}) {
    const bool left = guide_is_left(pams.side, strand);
    find_borders(text, pams, strand, first, wanted, [&](std::uint32_t pam, std::uint64_t bits) {
      for (; bits != 0; bits &= bits - 1) {
        const auto bit = static_cast<std::uint32_t>(__ffsll(static_cast<long long>(bits))) - 1;
        const std::uint32_t place = places[word] + count_ones(plus & low_bits(bit)) +
                                    count_ones(minus & low_bits(bit)) +
                                    (strand == Strand::minus ? static_cast<std::uint32_t>(plus >> bit & 1) : 0);
        const auto lo = static_cast<std::uint32_t>(outward(text.lo, first + bit, left));
        const auto hi = static_cast<std::uint32_t>(outward(text.hi, first + bit, left));
        sites[place] = {first + bit, strand, static_cast<std::uint8_t>(pam)};
        bases[place] = {lo, strand == Strand::minus ? ~hi : hi};
      }
    });
  }
}

// The text from a site's border on, away from the PAM.
__device__ inline GuideWindow window_of(const DeviceText& text, const Site& site, bool left) {
  const std::uint64_t hi = outward(text.hi, site.border, left);
  const std::uint64_t outside = ~outward(text.inside, site.border, left);
  const std::uint32_t available =
      outside == 0 ? 64 : static_cast<std::uint32_t>(__ffsll(static_cast<long long>(outside))) - 1;
  return {outward(text.lo, site.border, left), site.strand == Strand::minus ? ~hi : hi,
          outward(text.other, site.border, left) & low_bits(available), available};
}

}  // namespace basesweep::halves
