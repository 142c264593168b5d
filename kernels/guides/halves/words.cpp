#include "kernels/guides/halves/words.hpp"

#include <algorithm>

namespace basesweep::halves {
namespace {

// How many sequences the guide's bases [first, end) stand for.
double sequences_of(const GuideBits& guide, std::uint32_t first, std::uint32_t end) {
  double sequences = 1;
  for (std::uint32_t base = first; base < std::min(end, guide.length); ++base) {
    std::uint64_t codes = 0;
    for (const std::uint64_t set : guide.sets) codes += set >> base & 1;
    sequences *= static_cast<double>(codes);
  }
  return sequences;
}

}  // namespace

ComparedGuide compared_guide(const GuideBits& guide, const GuideLimits& limits) {
  const auto& sets = guide.sets;
  const std::uint64_t several = (sets[0] & sets[1]) | (sets[2] & sets[3]) | ((sets[0] | sets[1]) & (sets[2] | sets[3]));
  const auto low_half = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  return {low_half(sets[1] | sets[3]), low_half(sets[2] | sets[3]), low_half(~several & low_bits(guide.length)),
          limits.mismatches};
}

double sequences_of_word(const GuideBits& guide, std::uint32_t q) {
  return std::max(sequences_of(guide, 0, q), sequences_of(guide, q, guide.length));
}

}  // namespace basesweep::halves
