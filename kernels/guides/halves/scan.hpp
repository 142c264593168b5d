// The loops of `halves` on the CPU, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/guides/halves/step.hpp"
#include "lib/base/isa.hpp"

namespace basesweep::halves {

// An index of words (index.hpp) as plain pointers.
struct WordView {
  const std::uint32_t* begins;
  const SiteBases* bases;
};

// Takes entries that may be places of a guide.
struct EntryTaker {
  void (*take)(void* context, std::uint32_t guide, std::uint32_t entry);
  void* context;
};

// The key of a word of a guide.
struct GuideKey {
  std::uint32_t key;
  std::uint32_t guide;
};

// The look-ups in one part of an index: each key with the differences that lead to the part.
struct PartKeys {
  const GuideKey* keys;
  std::size_t count;
  const std::uint32_t* deltas;  // of a Form
  const std::uint32_t* parts;
  std::uint32_t shift;  // part_shift()
  std::uint32_t part;
};

// `guides`: by GuideKey::guide.
using LookUp = void(const WordView& words, const PartKeys& keys, const ComparedGuide* guides, const ShapeRanges& shapes,
                    const EntryTaker& taker);
// Compares entries [0, count) with guide number `guide`.
using CompareAll = void(const SiteBases* bases, std::uint32_t count, const ComparedGuide* guides, std::uint32_t guide,
                        const ShapeRanges& shapes, const EntryTaker& taker);

}  // namespace basesweep::halves

namespace basesweep {
BASESWEEP_PER_ISA(halves::LookUp, guides_look_up)
BASESWEEP_PER_ISA(halves::CompareAll, guides_compare_all)
}  // namespace basesweep
