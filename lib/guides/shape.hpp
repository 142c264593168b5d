// Aligns a guide with the text beside a PAM, 64 bases at a time.
//
// Both are seen from the border between guide and PAM: base i of a guide is the one with i others between it and the
// PAM, and base i of a window the one with i others between it and the border, on the guide's strand.
//
//     guide  5' GACGTTACCATGGCATTGCA 3'        base 0 is the last A
//     text      GACGTTACCATGGCATTGCA|TGG       base 0 is the A at the border
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "lib/guides/alignment.hpp"
#include "lib/guides/guide_set.hpp"

namespace basesweep {

// Bit i of each word speaks of base i.
struct GuideWindow {
  std::uint64_t lo;  // planes of the codes on the guide's strand (lib/base/dna.hpp)
  std::uint64_t hi;
  std::uint64_t other;      // the letter is not A, C, G or T
  std::uint32_t available;  // bases that lie between the border and the end of the segment; at most 64
};

// A guide as words: bit i of sets[c] says whether base i matches the base with code c.
struct GuideBits {
  std::uint64_t sets[4] = {0, 0, 0, 0};
  std::uint32_t length = 0;
};
GuideBits guide_bits(const Guide& guide, PamSide side);

// How a guide lies on the text: the bulge begins between bases `at` - 1 and `at` of the guide, seen from the PAM, so
// with Bulge::rna base `at` is its first. 0 < at, and one base of the guide or more follows on the other side.
struct Shape {
  Bulge bulge = Bulge::none;
  std::uint8_t size = 0;
  std::uint8_t at = 0;
  std::uint8_t mismatches = 0;

  bool operator==(const Shape&) const = default;
  // The text bases that it covers.
  std::uint32_t text_length(std::uint32_t guide_length) const {
    return bulge == Bulge::dna ? guide_length + size : guide_length - size;
  }
};

constexpr std::uint64_t low_bits(std::uint32_t count) { return count >= 64 ? ~0ULL : (1ULL << count) - 1; }

// The bases of the guide that do not match when base i stands on base i + shift of the window.
inline std::uint64_t mismatches_at(const GuideBits& guide, const GuideWindow& window, int shift) {
  const auto moved = [shift](std::uint64_t word) { return shift >= 0 ? word >> shift : word << -shift; };
  const std::uint64_t lo = moved(window.lo);
  const std::uint64_t hi = moved(window.hi);
  const std::uint64_t matching =
      (~lo & ~hi & guide.sets[0]) | (lo & ~hi & guide.sets[1]) | (~lo & hi & guide.sets[2]) | (lo & hi & guide.sets[3]);
  return (~matching | moved(window.other)) & low_bits(guide.length);
}

// Calls use(shape) for all alignments of the guide within the limits, by rising bulge size: first DNA, then RNA, each
// from the PAM on.
template <class Use>
void for_each_shape(const GuideBits& guide, const GuideWindow& window, const GuideLimits& limits, const Use& use) {
  const std::uint64_t straight = mismatches_at(guide, window, 0);
  const auto ones = [](std::uint64_t bits) { return static_cast<std::uint32_t>(std::popcount(bits)); };
  if (limits.seed != 0 && ones(straight & low_bits(limits.seed)) > limits.seed_mismatches) return;
  if (window.available >= guide.length && ones(straight) <= limits.mismatches) {
    use(Shape{Bulge::none, 0, 0, static_cast<std::uint8_t>(ones(straight))});
  }
  const std::uint32_t first = limits.seed > 1 ? limits.seed : 1;
  for (std::uint32_t size = 1; size <= limits.max_bulge(); ++size) {
    for (const Bulge bulge : {Bulge::dna, Bulge::rna}) {
      const bool dna = bulge == Bulge::dna;
      if (size > (dna ? limits.dna_bulges : limits.rna_bulges)) continue;
      if (guide.length < (dna ? 2 : size + 2)) continue;
      if (window.available < (dna ? guide.length + size : guide.length - size)) continue;
      const std::uint32_t left_out = dna ? 0 : size;
      const std::uint64_t moved = mismatches_at(guide, window, dna ? static_cast<int>(size) : -static_cast<int>(size));
      for (std::uint32_t at = first; at + left_out < guide.length; ++at) {
        const std::uint32_t mismatches = ones(straight & low_bits(at)) + ones(moved & ~low_bits(at + left_out));
        if (mismatches <= limits.mismatches) {
          use(Shape{bulge, static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(at),
                    static_cast<std::uint8_t>(mismatches)});
        }
      }
    }
  }
}

// Whether `a` stands for its place rather than `b`, by (size, mismatches, DNA before RNA, bulge nearest the 5' end).
bool is_better(const Shape& a, const Shape& b, PamSide side);

// The alignment that stands for the place; nothing if none is within the limits.
std::optional<Shape> best_shape(const GuideBits& guide, const GuideWindow& window, const GuideLimits& limits,
                                PamSide side);

}  // namespace basesweep
