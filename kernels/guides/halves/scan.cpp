// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/guides/halves/scan.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using halves::ComparedGuide;
using halves::EntryTaker;
using halves::Keys;
using halves::ShapeRange;
using halves::SiteBases;
using halves::WordView;

std::uint32_t ones(std::uint32_t bits) { return static_cast<std::uint32_t>(__builtin_popcount(bits)); }
std::uint32_t low(std::uint32_t count) { return count >= 32 ? ~0U : (1U << count) - 1; }

// The bases that differ when the guide lies straight on the site.
std::uint32_t straight(const ComparedGuide& guide, const SiteBases& site) {
  return ((site.lo ^ guide.lo) | (site.hi ^ guide.hi)) & guide.compared;
}

bool fits_shape(const ComparedGuide& guide, const SiteBases& site, std::uint32_t own, const ShapeRange& range) {
  if (range.bulge == Bulge::none) return ones(own) <= guide.mismatches;
  const bool dna = range.bulge == Bulge::dna;
  const std::uint32_t moved =
      dna ? ((site.lo >> range.size ^ guide.lo) | (site.hi >> range.size ^ guide.hi)) & guide.compared &
                (~0U >> range.size)
          : ((site.lo << range.size ^ guide.lo) | (site.hi << range.size ^ guide.hi)) & guide.compared;
  const std::uint32_t left_out = dna ? 0 : range.size;
  // What no place of the bulge avoids.
  const std::uint32_t near = own & low(range.first);
  const std::uint32_t far = moved & ~low(range.last + left_out);
  if (ones(near | far) > guide.mismatches) return false;
  for (std::uint32_t at = range.first; at <= range.last; ++at) {
    if (ones(own & low(at)) + ones(moved & ~low(at + left_out)) <= guide.mismatches) return true;
  }
  return false;
}

// Guides without bulges, nearly all of them.
struct Straight {
  static bool fits(const ComparedGuide& guide, const SiteBases& site) {
    return ones(straight(guide, site)) <= guide.mismatches;
  }
};

struct AnyShape {
  static bool fits(const ComparedGuide& guide, const SiteBases& site) {
    const std::uint32_t own = straight(guide, site);
    for (std::size_t i = 0; i < guide.shape_count; ++i) {
      if (fits_shape(guide, site, own, guide.shapes[i])) return true;
    }
    return false;
  }
};

// The index is larger than the caches, so that each look-up would wait for memory twice: for the borders of the list,
// then for its first entry. Both are fetched ahead for a group of keys.
template <class Compare>
void look_up(const WordView& words, const Keys& keys, const ComparedGuide& guide, const EntryTaker& taker) {
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
        if (Compare::fits(guide, words.bases[entry])) taker.take(taker.context, entry);
      }
    }
  }
}

template <class Compare>
void compare_all(const SiteBases* bases, std::uint32_t count, const ComparedGuide& guide, const EntryTaker& taker) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (Compare::fits(guide, bases[i])) taker.take(taker.context, i);
  }
}

bool only_straight(const ComparedGuide& guide) {
  return guide.shape_count == 1 && guide.shapes[0].bulge == Bulge::none;
}

}  // namespace

void guides_look_up(const WordView& words, const Keys& keys, const ComparedGuide& guide, const EntryTaker& taker) {
  if (only_straight(guide)) return look_up<Straight>(words, keys, guide, taker);
  look_up<AnyShape>(words, keys, guide, taker);
}

void guides_compare_all(const SiteBases* bases, std::uint32_t count, const ComparedGuide& guide,
                        const EntryTaker& taker) {
  if (only_straight(guide)) return compare_all<Straight>(bases, count, guide, taker);
  compare_all<AnyShape>(bases, count, guide, taker);
}

}  // namespace basesweep::BASESWEEP_ISA
