// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/guides/halves/scan.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using halves::AnyShape;
using halves::ComparedGuide;
using halves::EntryTaker;
using halves::Keys;
using halves::ShapeRanges;
using halves::SiteBases;
using halves::Straight;
using halves::WordView;

// The index is larger than the caches, so that each look-up would wait for memory twice: for the borders of the list,
// then for its first entry. Both are fetched ahead for a group of keys.
template <class Compare>
void look_up(const WordView& words, const Keys& keys, const ComparedGuide& guide, const ShapeRanges& shapes,
             const EntryTaker& taker) {
  constexpr std::size_t kGroup = 64;
  std::uint32_t begins[kGroup];
  std::uint32_t ends[kGroup];
  for (std::size_t first = 0; first < keys.count; first += kGroup) {
    const std::size_t count = keys.count - first < kGroup ? keys.count - first : kGroup;
    const std::uint32_t* const deltas = keys.deltas + first;
    for (std::size_t i = 0; i < count; ++i) __builtin_prefetch(words.begins + (keys.key ^ deltas[i]));
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t* const borders = words.begins + (keys.key ^ deltas[i]);
      begins[i] = borders[0];
      ends[i] = borders[1];
      __builtin_prefetch(words.bases + begins[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::uint32_t entry = begins[i]; entry < ends[i]; ++entry) {
        if (Compare::fits(guide, shapes, words.bases[entry])) taker.take(taker.context, entry);
      }
    }
  }
}

template <class Compare>
void compare_all(const SiteBases* bases, std::uint32_t count, const ComparedGuide& guide, const ShapeRanges& shapes,
                 const EntryTaker& taker) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (Compare::fits(guide, shapes, bases[i])) taker.take(taker.context, i);
  }
}

}  // namespace

void guides_look_up(const WordView& words, const Keys& keys, const ComparedGuide& guide, const ShapeRanges& shapes,
                    const EntryTaker& taker) {
  if (only_straight(shapes)) return look_up<Straight>(words, keys, guide, shapes, taker);
  look_up<AnyShape>(words, keys, guide, shapes, taker);
}

void guides_compare_all(const SiteBases* bases, std::uint32_t count, const ComparedGuide& guide,
                        const ShapeRanges& shapes, const EntryTaker& taker) {
  if (only_straight(shapes)) return compare_all<Straight>(bases, count, guide, shapes, taker);
  compare_all<AnyShape>(bases, count, guide, shapes, taker);
}

}  // namespace basesweep::BASESWEEP_ISA
