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

// Takes entries that may be places.
struct EntryTaker {
  void (*take)(void* context, std::uint32_t entry);
  void* context;
};

// Keys that are looked up: `key` with each of the differences.
struct Keys {
  std::uint32_t key;
  const std::uint32_t* deltas;
  std::size_t count;
};

using LookUp = void(const WordView& words, const Keys& keys, const ComparedGuide& guide, const ShapeRanges& shapes,
                    const EntryTaker& taker);
// Compares entries [0, count).
using CompareAll = void(const SiteBases* bases, std::uint32_t count, const ComparedGuide& guide,
                        const ShapeRanges& shapes, const EntryTaker& taker);

}  // namespace basesweep::halves

namespace basesweep {
BASESWEEP_PER_ISA(halves::LookUp, guides_look_up)
BASESWEEP_PER_ISA(halves::CompareAll, guides_compare_all)
}  // namespace basesweep
