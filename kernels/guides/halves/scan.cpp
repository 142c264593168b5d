// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/guides/halves/scan.hpp"

#include "kernels/cpu/word.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using halves::AnyShape;
using halves::ComparedGuide;
using halves::EntryTaker;
using halves::GuideKey;
using halves::PartKeys;
using halves::ShapeRanges;
using halves::Straight;
using halves::WordView;

static_assert(kLanes <= kSitesAtOnce);

// kLanes sites side by side, each a lane of 64 bits: lo, then hi.
struct LanesOfSites {
  using Planes [[gnu::vector_size(kWordBytes)]] = std::uint32_t;

  Planes planes;

  static LanesOfSites at(const SiteBases* bases) {
    LanesOfSites sites;
    __builtin_memcpy(&sites.planes, bases, sizeof sites.planes);
    return sites;
  }
  // In the lower half of each lane, the bases that differ from the guide, as they lie in the text from `right` on, or
  // behind `left` bases of the guide.
  Word mismatches(const ComparedGuide& guide, std::uint32_t right, std::uint32_t left) const {
    const Word moved = reinterpret_cast<Word>(planes >> right << left) ^ (guide.lo | std::uint64_t{guide.hi} << 32);
    return (moved | moved >> 32) & std::uint64_t{guide.compared & (~0U >> right)};
  }
};

// All ones in the lanes with at most `count` bits.
Word at_most(Word bits, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) bits &= bits - 1;
  return reinterpret_cast<Word>(bits == 0);
}

// Both call take(entry) for the entries of [begin, end) that fit.
struct CompareAnyShape {
  template <class Take>
  static void compare(const SiteBases* bases, std::uint32_t begin, std::uint32_t end, const ComparedGuide& guide,
                      const ShapeRanges& shapes, const Take& take) {
    for (std::uint32_t entry = begin; entry < end; entry += kLanes) {
      const Word may_fit = may_fit_lanes(LanesOfSites::at(bases + entry), guide, shapes);
      if (!any(may_fit)) continue;
      for (std::uint32_t i = 0; i < kLanes && entry + i < end; ++i) {
        if (may_fit[i] != 0 && AnyShape::fits(guide, shapes, bases[entry + i])) take(entry + i);
      }
    }
  }

 private:
  // AnyShape::may_fit() of each lane, as all ones.
  static Word may_fit_lanes(const LanesOfSites& sites, const ComparedGuide& guide, const ShapeRanges& shapes) {
    const Word straight = sites.mismatches(guide, 0, 0);
    Word may_fit{};
    for (std::size_t i = 0; i < shapes.count; ++i) {
      const halves::ShapeRange& range = shapes.first[i];
      const Word moved = sites.mismatches(guide, range.moved_right(), range.left_out());
      const Word stay = halves::staying_mismatches(straight, moved, range.near, range.beyond);
      may_fit |= at_most(stay, guide.mismatches + range.left_out());
    }
    return may_fit;
  }
};

struct CompareStraight {
  template <class Take>
  static void compare(const SiteBases* bases, std::uint32_t begin, std::uint32_t end, const ComparedGuide& guide,
                      const ShapeRanges& shapes, const Take& take) {
    for (std::uint32_t entry = begin; entry < end; entry += kLanes) {
      const Word mismatches = LanesOfSites::at(bases + entry).mismatches(guide, 0, 0);
      if (!any(at_most(mismatches, guide.mismatches))) continue;
      for (std::uint32_t i = entry; i < end && i < entry + kLanes; ++i) {
        if (Straight::fits(guide, shapes, bases[i])) take(i);
      }
    }
  }
};

// A part of the index may lie in no cache yet, so that each look-up would wait for memory twice: for the borders of the
// list, then for its first entry. Both are fetched ahead for a group of look-ups.
template <class Compare>
class Group {
 public:
  Group(const WordView& words, const ComparedGuide* guides, const ShapeRanges& shapes, const EntryTaker& taker)
      : words_(words), guides_(guides), shapes_(shapes), taker_(taker) {}

  void add(std::uint32_t key, std::uint32_t guide) {
    __builtin_prefetch(words_.begins + key);
    all_[size_] = {key, guide};
    if (++size_ == kSize) finish();
  }
  void finish() {
    std::uint32_t begins[kSize];
    std::uint32_t ends[kSize];
    for (std::uint32_t i = 0; i < size_; ++i) {
      const std::uint32_t* const borders = words_.begins + all_[i].key;
      begins[i] = borders[0];
      ends[i] = borders[1];
      __builtin_prefetch(words_.bases + begins[i]);
    }
    for (std::uint32_t i = 0; i < size_; ++i) {
      const ComparedGuide guide = guides_[all_[i].guide];
      Compare::compare(words_.bases, begins[i], ends[i], guide, shapes_,
                       [&](std::uint32_t entry) { taker_.take(taker_.context, all_[i].guide, entry); });
    }
    size_ = 0;
  }

 private:
  static constexpr std::uint32_t kSize = 64;

  const WordView words_;
  const ComparedGuide* const guides_;
  const ShapeRanges shapes_;
  const EntryTaker taker_;
  GuideKey all_[kSize];
  std::uint32_t size_ = 0;
};

template <class Compare>
void look_up(const WordView& words, const PartKeys& keys, const ComparedGuide* guides, const ShapeRanges& shapes,
             const EntryTaker& taker) {
  Group<Compare> group(words, guides, shapes, taker);
  for (std::size_t i = 0; i < keys.count; ++i) {
    const auto [key, guide] = keys.keys[i];
    const std::uint32_t way = key >> keys.shift ^ keys.part;
    for (std::uint32_t d = keys.parts[way]; d < keys.parts[way + 1]; ++d) group.add(key ^ keys.deltas[d], guide);
  }
  group.finish();
}

}  // namespace

void guides_look_up(const WordView& words, const PartKeys& keys, const ComparedGuide* guides, const ShapeRanges& shapes,
                    const EntryTaker& taker) {
  if (only_straight(shapes)) return look_up<CompareStraight>(words, keys, guides, shapes, taker);
  look_up<CompareAnyShape>(words, keys, guides, shapes, taker);
}

void guides_compare_all(const SiteBases* bases, std::uint32_t count, const ComparedGuide* guides, std::uint32_t guide,
                        const ShapeRanges& shapes, const EntryTaker& taker) {
  CompareAnyShape::compare(bases, 0, count, guides[guide], shapes,
                           [&](std::uint32_t entry) { taker.take(taker.context, guide, entry); });
}

}  // namespace basesweep::BASESWEEP_ISA
