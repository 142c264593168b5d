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

// The bases that differ where the guide is moved by the bulge. Those that the site does not reach match.
BASESWEEP_HD std::uint32_t moved_mismatches(const ComparedGuide& guide, const SiteBases& site,
                                            const ShapeRange& range) {
  const std::uint32_t right = range.moved_right();
  const std::uint32_t left = range.left_out();
  return ((site.lo >> right << left ^ guide.lo) | (site.hi >> right << left ^ guide.hi)) & guide.compared &
         (~0U >> right);
}

// The mismatches that stay wherever the bulge lies. Bases: those of one site, or lanes with those of several.
template <class Bases>
BASESWEEP_HD Bases staying_mismatches(Bases straight, Bases moved, std::uint32_t near, std::uint32_t beyond) {
  // A base that is neither near nor beyond differs on either side of the bulge, or may lie in it.
  return (straight & (near | (moved & ~beyond))) | (moved & beyond);
}

// False if the guide has too many mismatches wherever the bulge lies; exact without bulge. `straight`: as
// straight_mismatches().
BASESWEEP_HD bool may_fit_shape(const ComparedGuide& guide, const SiteBases& site, std::uint32_t straight,
                                const ShapeRange& range) {
  const std::uint32_t stay =
      staying_mismatches(straight, moved_mismatches(guide, site, range), range.near, range.beyond);
  return count_ones(stay) <= guide.mismatches + range.left_out();
}

// `straight`: as straight_mismatches().
BASESWEEP_HD bool fits_shape(const ComparedGuide& guide, const SiteBases& site, std::uint32_t straight,
                             const ShapeRange& range) {
  if (!may_fit_shape(guide, site, straight, range)) return false;
  if (range.bulge == Bulge::none) return true;
  const std::uint32_t moved = moved_mismatches(guide, site, range);
  // The farther from the PAM the bulge lies, the fewer mismatches follow it; so for each number of mismatches before it
  // the farthest place is tried.
  std::uint32_t before = count_ones(straight & range.near);
  for (std::uint32_t rest = straight & ~range.near; before <= guide.mismatches; rest &= rest - 1) {
    const std::uint32_t at = rest == 0 || lowest_bit(rest) > range.last ? range.last : lowest_bit(rest);
    if (before + count_ones(moved & ~low_positions(at + range.left_out())) <= guide.mismatches) return true;
    if (at == range.last) return false;
    ++before;
  }
  return false;
}

// Ways to compare: the guide lies straight, as nearly all do, or in any of `shapes`.
struct Straight {
  static constexpr bool kExact = true;  // whether may_fit() says the same as fits()
  BASESWEEP_HD static bool fits(const ComparedGuide& guide, const ShapeRanges& /*shapes*/, const SiteBases& site) {
    return count_ones(straight_mismatches(guide, site)) <= guide.mismatches;
  }
  BASESWEEP_HD static bool may_fit(const ComparedGuide& guide, const ShapeRanges& shapes, const SiteBases& site) {
    return fits(guide, shapes, site);
  }
};
struct AnyShape {
  static constexpr bool kExact = false;
  BASESWEEP_HD static bool fits(const ComparedGuide& guide, const ShapeRanges& shapes, const SiteBases& site) {
    const std::uint32_t straight = straight_mismatches(guide, site);
    for (std::size_t i = 0; i < shapes.count; ++i) {
      if (fits_shape(guide, site, straight, shapes.first[i])) return true;
    }
    return false;
  }
  // Quick; false only if fits() is false.
  BASESWEEP_HD static bool may_fit(const ComparedGuide& guide, const ShapeRanges& shapes, const SiteBases& site) {
    const std::uint32_t straight = straight_mismatches(guide, site);
    bool may_fit = false;
    for (std::size_t i = 0; i < shapes.count; ++i) {
      may_fit |= may_fit_shape(guide, site, straight, shapes.first[i]);
    }
    return may_fit;
  }
};

// Whether Straight does.
BASESWEEP_HD bool only_straight(const ShapeRanges& shapes) {
  return shapes.count == 1 && shapes.first[0].bulge == Bulge::none;
}

}  // namespace basesweep::halves
