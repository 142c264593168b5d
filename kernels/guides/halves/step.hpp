// Compares a guide with 32 bases of a site; the same on CPU and GPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/guides/halves/plan.hpp"
#include "kernels/guides/sites.hpp"
#include "lib/base/count_ones.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep::halves {

// A guide as 32 bases of a site are compared with it. Its bases that stand for several ones match anything here.
struct ComparedGuide {
  std::uint32_t lo;  // planes of its codes, base 0 lowest
  std::uint32_t hi;
  std::uint32_t compared;    // the bases that are compared
  std::uint32_t mismatches;  // at most
};

// The alignments to try.
struct ShapeRanges {
  const ShapeRange* first;
  std::size_t count;
};

BASESWEEP_HD std::uint32_t low_positions(std::uint32_t count) { return count >= 32 ? ~0U : (1U << count) - 1; }

// The bases that differ when the guide lies straight on the site.
BASESWEEP_HD std::uint32_t straight_mismatches(const ComparedGuide& guide, const SiteBases& site) {
  return ((site.lo ^ guide.lo) | (site.hi ^ guide.hi)) & guide.compared;
}

// `straight`: as straight_mismatches().
BASESWEEP_HD bool fits_shape(const ComparedGuide& guide, const SiteBases& site, std::uint32_t straight,
                             const ShapeRange& range) {
  if (range.bulge == Bulge::none) return count_ones(straight) <= guide.mismatches;
  const bool dna = range.bulge == Bulge::dna;
  const std::uint32_t moved =
      dna ? ((site.lo >> range.size ^ guide.lo) | (site.hi >> range.size ^ guide.hi)) & guide.compared &
                (~0U >> range.size)
          : ((site.lo << range.size ^ guide.lo) | (site.hi << range.size ^ guide.hi)) & guide.compared;
  const std::uint32_t left_out = dna ? 0 : range.size;
  // These mismatches stay wherever the bulge lies.
  const std::uint32_t near = straight & low_positions(range.first);
  const std::uint32_t far = moved & ~low_positions(range.last + left_out);
  if (count_ones(near | far) > guide.mismatches) return false;
  for (std::uint32_t at = range.first; at <= range.last; ++at) {
    if (count_ones(straight & low_positions(at)) + count_ones(moved & ~low_positions(at + left_out)) <=
        guide.mismatches)
      return true;
  }
  return false;
}

// Ways to compare: the guide lies straight, as nearly all do, or in any of `shapes`.
struct Straight {
  BASESWEEP_HD static bool fits(const ComparedGuide& guide, const ShapeRanges& /*shapes*/, const SiteBases& site) {
    return count_ones(straight_mismatches(guide, site)) <= guide.mismatches;
  }
};
struct AnyShape {
  BASESWEEP_HD static bool fits(const ComparedGuide& guide, const ShapeRanges& shapes, const SiteBases& site) {
    const std::uint32_t straight = straight_mismatches(guide, site);
    for (std::size_t i = 0; i < shapes.count; ++i) {
      if (fits_shape(guide, site, straight, shapes.first[i])) return true;
    }
    return false;
  }
};

// Whether Straight does.
BASESWEEP_HD bool only_straight(const ShapeRanges& shapes) {
  return shapes.count == 1 && shapes.first[0].bulge == Bulge::none;
}

}  // namespace basesweep::halves
