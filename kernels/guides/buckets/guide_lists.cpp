#include "kernels/guides/buckets/guide_lists.hpp"

#include <bit>

namespace basesweep::buckets {
namespace {

// The codes that a base of the guide stands for, as bits.
std::uint32_t codes_of(const GuideBits& guide, std::uint32_t base) {
  std::uint32_t codes = 0;
  for (std::uint32_t code = 0; code < 4; ++code)
    codes |= static_cast<std::uint32_t>(guide.sets[code] >> base & 1) << code;
  return codes;
}

// Calls use(key) for each sequence that the word stands for.
template <class Use>
void for_each_key(const GuideBits& guide, std::uint32_t first, std::uint32_t q, std::uint32_t base, std::uint32_t key,
                  const Use& use) {
  if (base == q) return use(key);
  for (std::uint32_t codes = codes_of(guide, first + base); codes != 0; codes &= codes - 1) {
    const auto code = static_cast<std::uint32_t>(std::countr_zero(codes));
    for_each_key(guide, first, q, base + 1, key | (code & 1U) << base | (code >> 1) << (base + q), use);
  }
}

}  // namespace

std::vector<std::uint32_t> columns_outside(std::uint32_t length, std::uint32_t first, std::uint32_t q) {
  std::vector<std::uint32_t> bases;
  for (std::uint32_t base = 0; base < length; ++base) {
    if (base < first || base >= first + q) bases.push_back(base);
  }
  while (bases.size() % kColumnStep != 0) bases.push_back(kMaxColumns);
  return bases;
}

void GuideLists::set(std::span<const GuideBits* const> of, std::uint32_t first, std::uint32_t q, Isa isa) {
  base_of = columns_outside(of.front()->length, first, q);
  // Counted two places ahead, so that after the loop below begins[k] is where the key k begins.
  begins.assign((std::size_t{1} << (2 * q)) + 2, 0);
  for (const GuideBits* guide : of) {
    for_each_key(*guide, first, q, 0, 0, [&](std::uint32_t key) { ++begins[key + 2]; });
  }
  for (std::size_t k = 2; k < begins.size(); ++k) begins[k] += begins[k - 1];
  guides.resize(begins.back());
  codes.resize(guides.size() * base_of.size());
  for (std::uint32_t i = 0; i < of.size(); ++i) {
    for_each_key(*of[i], first, q, 0, 0, [&](std::uint32_t key) {
      const std::uint32_t at = begins[key + 1]++;
      guides[at] = i;
      for (std::size_t column = 0; column < base_of.size(); ++column) {
        const std::uint32_t base = base_of[column];
        const std::uint32_t own = base == kMaxColumns ? 0 : codes_of(*of[i], base);
        codes[at * base_of.size() + column] =
            static_cast<std::uint8_t>(code_step(isa) * (std::has_single_bit(own) ? std::countr_zero(own) : kNoCode));
      }
    });
  }
}

double sequences_of(const GuideBits& guide, std::uint32_t first, std::uint32_t end) {
  double sequences = 1;
  for (std::uint32_t base = first; base < end; ++base) sequences *= std::popcount(codes_of(guide, base));
  return sequences;
}

}  // namespace basesweep::buckets
