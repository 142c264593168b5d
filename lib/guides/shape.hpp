// Aligns a guide with the text next to a PAM, 64 bases at a time.
//
// Both are seen from the border between guide and PAM: base i of a guide is the one with i others between it and the
// PAM, and base i of a window the one with i others between it and the border, on the guide's strand.
//
//     guide  5' GACGTTACCATGGCATTGCA 3'        base 0 is the last A
//     text      GACGTTACCATGGCATTGCA|TGG       base 0 is the A at the border
#pragma once

#include <cstdint>
#include <vector>

#include "lib/base/count_ones.hpp"
#include "lib/base/host_device.hpp"
#include "lib/guides/guide_set.hpp"
#include "lib/search/packed_view.hpp"

namespace basesweep {

// Bases that one side of an alignment has and the other has not.
enum class Bulge : std::uint8_t {
  none,
  dna,  // text bases without a guide base
  rna,  // guide bases without a text base
};

// Bit i of each word speaks of base i.
struct GuideWindow {
  std::uint64_t lo;  // planes of the codes on the guide's strand (lib/base/dna.hpp)
  std::uint64_t hi;
  std::uint64_t other;      // the letter is not A, C, G or T
  std::uint32_t available;  // bases between the border and the end of the segment; at most 64
};

// A guide as words: bit i of sets[c] says whether base i matches the base with code c.
struct GuideBits {
  std::uint64_t sets[4] = {0, 0, 0, 0};
  std::uint32_t length = 0;
};
GuideBits guide_bits(const Guide& guide, PamSide side);
// The bits of all guides of a set.
std::vector<GuideBits> guide_bits(const GuideSet& guides);

// How a guide is aligned with the text: the bulge starts between bases `at` - 1 and `at` of the guide, seen from the
// PAM, so with Bulge::rna base `at` is its first. 0 < at, and at least one base of the guide follows on the other side.
struct GuideShape {
  Bulge bulge = Bulge::none;
  std::uint8_t size = 0;
  std::uint8_t at = 0;
  std::uint8_t mismatches = 0;

  bool operator==(const GuideShape&) const = default;
  // The text bases that it covers.
  BASESWEEP_HD std::uint32_t text_length(std::uint32_t guide_length) const {
    return bulge == Bulge::dna ? guide_length + size : guide_length - size;
  }
};

BASESWEEP_HD constexpr std::uint64_t low_bits(std::uint32_t count) { return count >= 64 ? ~0ULL : (1ULL << count) - 1; }

BASESWEEP_HD std::uint64_t reversed_bits(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
  return __brevll(bits);
#else
  bits = (bits >> 1 & 0x5555555555555555) | (bits & 0x5555555555555555) << 1;
  bits = (bits >> 2 & 0x3333333333333333) | (bits & 0x3333333333333333) << 2;
  bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0f) | (bits & 0x0f0f0f0f0f0f0f0f) << 4;
  return __builtin_bswap64(bits);
#endif
}

// 64 positions of a plane from the border on, or those before it, the one at the border lowest; 0 before position 0.
BASESWEEP_HD std::uint64_t outward(const std::uint64_t* plane, std::uint32_t border, bool left) {
  if (!left) return positions_at(plane, border);
  if (border >= 64) return reversed_bits(positions_at(plane, border - 64));
  return border == 0 ? 0 : reversed_bits(plane[0] << (64 - border));
}

// The bases of the guide that do not match when base i is aligned with base i + shift of the window.
BASESWEEP_HD std::uint64_t mismatches_at(const GuideBits& guide, const GuideWindow& window, int shift) {
  const auto moved = [shift](std::uint64_t word) { return shift >= 0 ? word >> shift : word << -shift; };
  const std::uint64_t lo = moved(window.lo);
  const std::uint64_t hi = moved(window.hi);
  const std::uint64_t matching =
      (~lo & ~hi & guide.sets[0]) | (lo & ~hi & guide.sets[1]) | (~lo & hi & guide.sets[2]) | (lo & hi & guide.sets[3]);
  return (~matching | moved(window.other)) & low_bits(guide.length);
}

// The bases of the guide that do not match in this alignment, without those in a bulge.
BASESWEEP_HD std::uint64_t mismatches_of(const GuideBits& guide, const GuideWindow& window, const GuideShape& shape) {
  const std::uint64_t near = low_bits(shape.at);
  if (shape.bulge == Bulge::none) return mismatches_at(guide, window, 0);
  const bool dna = shape.bulge == Bulge::dna;
  const std::uint64_t far = ~low_bits(shape.at + (dna ? 0U : shape.size));
  return (mismatches_at(guide, window, 0) & near) |
         (mismatches_at(guide, window, dna ? shape.size : -shape.size) & far);
}

// The places of a bulge with which the guide fits, as bits of GuideShape::at; without bulge, bit 0. `straight`: the
// bases that differ without bulge, see mismatches_at().
BASESWEEP_HD std::uint64_t fitting_starts(const GuideBits& guide, const GuideWindow& window, const GuideLimits& limits,
                                          std::uint64_t straight, Bulge bulge, std::uint32_t size) {
  if (limits.seed != 0 && count_ones(straight & low_bits(limits.seed)) > limits.seed_mismatches) return 0;
  if (bulge == Bulge::none) {
    return window.available >= guide.length && count_ones(straight) <= limits.mismatches ? 1 : 0;
  }
  const bool dna = bulge == Bulge::dna;
  if (size > (dna ? limits.dna_bulges : limits.rna_bulges)) return 0;
  if (guide.length < (dna ? 2 : size + 2)) return 0;
  if (window.available < (dna ? guide.length + size : guide.length - size)) return 0;
  const std::uint64_t moved = mismatches_at(guide, window, dna ? static_cast<int>(size) : -static_cast<int>(size));
  const std::uint32_t left_out = dna ? 0 : size;
  const std::uint32_t first = limits.seed > 1 ? limits.seed : 1;
  std::uint32_t mismatches = count_ones(straight & low_bits(first)) + count_ones(moved & ~low_bits(first + left_out));
  std::uint64_t starts = 0;
  for (std::uint32_t at = first; at + left_out < guide.length; ++at) {
    starts |= std::uint64_t{mismatches <= limits.mismatches ? 1U : 0U} << at;
    mismatches += static_cast<std::uint32_t>(straight >> at & 1);
    mismatches -= static_cast<std::uint32_t>(moved >> (at + left_out) & 1);
  }
  return starts;
}

// Calls use(shape) for all alignments of the guide within the limits, by rising bulge size: first DNA, then RNA, each
// from the PAM on.
template <class Use>
BASESWEEP_HD void for_each_shape(const GuideBits& guide, const GuideWindow& window, const GuideLimits& limits,
                                 const Use& use) {
  const std::uint64_t straight = mismatches_at(guide, window, 0);
  const auto use_all = [&](Bulge bulge, std::uint32_t size) {
    for (std::uint64_t starts = fitting_starts(guide, window, limits, straight, bulge, size); starts != 0;
         starts &= starts - 1) {
      GuideShape shape{bulge, static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(lowest_bit(starts)), 0};
      shape.mismatches = static_cast<std::uint8_t>(count_ones(mismatches_of(guide, window, shape)));
      use(shape);
    }
  };
  use_all(Bulge::none, 0);
  for (std::uint32_t size = 1; size <= limits.max_bulge(); ++size) {
    use_all(Bulge::dna, size);
    use_all(Bulge::rna, size);
  }
}

// A place is written with its alignment of the lowest rank. The order is: bulge size, mismatches, DNA before RNA, and
// the bulge nearest to the 5' end, which is away from the PAM when that is on the 3' side.
BASESWEEP_HD std::uint32_t rank_of(const GuideShape& shape, PamSide side) {
  const std::uint32_t from_5prime = side == PamSide::three_prime ? 255U - shape.at : shape.at;
  return std::uint32_t{shape.size} << 24 | std::uint32_t{shape.mismatches} << 16 |
         (shape.bulge == Bulge::rna ? 1U : 0U) << 8 | from_5prime;
}

// Sets `best` to the best alignment of the place; returns false if none is within the limits.
BASESWEEP_HD bool best_shape(const GuideBits& guide, const GuideWindow& window, const GuideLimits& limits, PamSide side,
                             GuideShape& best) {
  std::uint32_t lowest = ~0U;
  for_each_shape(guide, window, limits, [&](const GuideShape& shape) {
    const std::uint32_t rank = rank_of(shape, side);
    if (rank >= lowest) return;
    lowest = rank;
    best = shape;
  });
  return lowest != ~0U;
}

}  // namespace basesweep
