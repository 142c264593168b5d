#include "lib/guides/shape.hpp"

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

std::vector<GuideBits> guide_bits(const GuideSet& guides) {
  std::vector<GuideBits> all;
  all.reserve(guides.guides().size());
  for (const Guide& guide : guides.guides()) all.push_back(guide_bits(guide, guides.side()));
  return all;
}

}  // namespace basesweep
