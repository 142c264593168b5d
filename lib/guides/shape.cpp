#include "lib/guides/shape.hpp"

#include <tuple>

namespace basesweep {

GuideBits guide_bits(const Guide& guide, PamSide side) {
  GuideBits bits;
  bits.length = static_cast<std::uint32_t>(guide.letters.size());
  for (std::uint32_t i = 0; i < bits.length; ++i) {
    const char letter = guide.letters[side == PamSide::three_prime ? bits.length - 1 - i : i];
    for (unsigned code = 0; code < 4; ++code) {
      bits.sets[code] |= static_cast<std::uint64_t>(iupac_set(letter) >> code & 1U) << i;
    }
  }
  return bits;
}

bool is_better(const Shape& a, const Shape& b, PamSide side) {
  // The 5' end is the far one when the PAM is on the 3' side.
  const auto rank = [side](const Shape& shape) {
    const int from_end = side == PamSide::three_prime ? -int{shape.at} : int{shape.at};
    return std::tuple(shape.size, shape.mismatches, shape.bulge == Bulge::rna, from_end);
  };
  return rank(a) < rank(b);
}

std::optional<Shape> best_shape(const GuideBits& guide, const GuideWindow& window, const GuideLimits& limits,
                                PamSide side) {
  std::optional<Shape> best;
  for_each_shape(guide, window, limits, [&](const Shape& shape) {
    if (!best || is_better(shape, *best, side)) best = shape;
  });
  return best;
}

}  // namespace basesweep
