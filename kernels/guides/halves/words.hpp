// The words of a guide that are looked up, and the guide as it is compared. Its letters may stand for several bases.
#pragma once

#include <cstdint>

#include "kernels/guides/halves/plan.hpp"
#include "kernels/guides/halves/step.hpp"

namespace basesweep::halves {

ComparedGuide compared_guide(const GuideBits& guide, const GuideLimits& limits);

// How many sequences the letters of a word of the guide stand for: the larger number of both words.
double sequences_of_word(const GuideBits& guide, std::uint32_t q);

// Calls use(key) for each sequence that bases [first, first + q) of `text` stand for, from its base `base` on; `key`
// has those before it. Bases that are free have the code 0.
template <class Use>
void for_each_key(const GuideBits& text, std::uint32_t first, std::uint32_t q, std::uint32_t free, std::uint32_t base,
                  std::uint32_t key, const Use& use) {
  while (base < q && (free >> base & 1U) != 0) ++base;
  if (base == q) return use(key);
  for (std::uint32_t code = 0; code < 4; ++code) {
    if ((text.sets[code] >> (first + base) & 1) == 0) continue;
    const std::uint32_t own = (code & 1U) << base | (code >> 1) << (base + q);
    for_each_key(text, first, q, free, base + 1, key | own, use);
  }
}

// Calls use(key) for each key that the form looks up for the guide, before its differences.
template <class Use>
void for_each_key(const GuideBits& guide, const Form& form, std::uint32_t q, const Use& use) {
  for_each_key(on_text(guide, form.word), form.second ? q : 0, q, form.free, 0, 0, use);
}

}  // namespace basesweep::halves
