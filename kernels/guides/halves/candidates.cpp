#include "kernels/guides/halves/candidates.hpp"

#include <algorithm>
#include <bit>

namespace basesweep::halves {
namespace {

std::uint32_t ones(std::uint32_t bits) { return static_cast<std::uint32_t>(std::popcount(bits)); }
std::uint32_t low_half(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

// Compares a guide with 32 bases of a site. A base of the guide that stands for several bases is not compared.
class Comparer {
 public:
  Comparer(const GuideBits& guide, const GuideLimits& limits) : limit_(limits.mismatches) {
    const auto& sets = guide.sets;
    const std::uint64_t several =
        (sets[0] & sets[1]) | (sets[2] & sets[3]) | ((sets[0] | sets[1]) & (sets[2] | sets[3]));
    lo_ = low_half(sets[1] | sets[3]);
    hi_ = low_half(sets[2] | sets[3]);
    compared_ = low_half(~several & low_bits(guide.length));
  }

  bool fits_straight(const SiteBases& site) const { return ones(straight(site)) <= limit_; }

  bool fits(const SiteBases& site, const std::vector<ShapeRange>& shapes) const {
    const std::uint32_t own = straight(site);
    return std::any_of(shapes.begin(), shapes.end(), [&](const ShapeRange& range) { return fits(site, own, range); });
  }

 private:
  std::uint32_t straight(const SiteBases& site) const { return ((site.lo ^ lo_) | (site.hi ^ hi_)) & compared_; }

  bool fits(const SiteBases& site, std::uint32_t straight, const ShapeRange& range) const {
    if (range.bulge == Bulge::none) return ones(straight) <= limit_;
    const bool dna = range.bulge == Bulge::dna;
    const std::uint32_t moved =
        dna ? ((site.lo >> range.size ^ lo_) | (site.hi >> range.size ^ hi_)) & compared_ & (~0U >> range.size)
            : ((site.lo << range.size ^ lo_) | (site.hi << range.size ^ hi_)) & compared_;
    const std::uint32_t left_out = dna ? 0 : range.size;
    // What no place of the bulge avoids.
    const std::uint32_t near = straight & low(range.first);
    const std::uint32_t far = moved & ~low(range.last + left_out);
    if (ones(near | far) > limit_) return false;
    for (std::uint32_t at = range.first; at <= range.last; ++at) {
      if (ones(straight & low(at)) + ones(moved & ~low(at + left_out)) <= limit_) return true;
    }
    return false;
  }

  static std::uint32_t low(std::uint32_t count) { return low_half(low_bits(count)); }

  const std::uint32_t limit_;
  std::uint32_t lo_;
  std::uint32_t hi_;
  std::uint32_t compared_;
};

// Calls use(key) for each sequence that a word of the guide stands for. Bases that are free have the code 0.
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

// Whether looking up words takes longer than comparing all sites.
bool is_dear(const GuideBits& guide, const Plan& plan, const Sites& sites) {
  const double sequences = std::max(sequences_of(guide, 0, plan.q), sequences_of(guide, plan.q, guide.length));
  return static_cast<double>(plan.lookups) * sequences > static_cast<double>(sites.sites.size());
}

}  // namespace

bool looks_up(const Plan& plan, const Sites& sites, GuideWay way) {
  if (plan.forms.empty() || way == GuideWay::sites) return false;
  return way == GuideWay::words || plan.lookups <= sites.sites.size();
}

void find_candidates(const GuideBits& guide, const GuideLimits& limits, const Plan& plan, const Sites& sites,
                     const SiteIndex* index, GuideWay way, std::vector<std::uint32_t>& found) {
  found.clear();
  const Comparer comparer(guide, limits);
  const bool bulges = limits.max_bulge() != 0;
  const auto fits = [&](const SiteBases& site, const std::vector<ShapeRange>& shapes) {
    return bulges ? comparer.fits(site, shapes) : comparer.fits_straight(site);
  };
  if (!looks_up(plan, sites, way) || (way == GuideWay::automatic && is_dear(guide, plan, sites))) {
    for (std::uint32_t i = 0; i < sites.bases.size(); ++i) {
      if (fits(sites.bases[i], plan.shapes)) found.push_back(i);
    }
    return;
  }
  for (const Form& form : plan.forms) {
    const WordIndex& words = form.second ? index->second : index->first;
    for_each_key(on_text(guide, form.word), form.second ? plan.q : 0, plan.q, form.free, 0, 0, [&](std::uint32_t key) {
      for (const std::uint32_t delta : form.deltas) {
        const std::uint32_t k = key ^ delta;
        for (std::uint32_t i = words.begins[k]; i < words.begins[k + 1]; ++i) {
          if (fits(words.bases[i], form.shapes)) found.push_back(words.site[i]);
        }
      }
    });
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

}  // namespace basesweep::halves
