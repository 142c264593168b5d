// Lists the sites of a batch for a join.
#include <algorithm>
#include <vector>

#include "kernels/guides/sites.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/guides/guide_join.hpp"
#include "lib/guides/shape.hpp"

namespace basesweep {
namespace {

struct FoundSite {
  SiteBases bases;
  std::uint32_t other;  // as in OtherLetters
  SitePlace place;
};

// Memory of one thread.
struct Listing {
  Sites sites;
  std::vector<FoundSite> found;
};

// The bits of SitePlace from 40 on.
std::uint64_t pam_bits(const PackedView& view, const Site& site, bool guide_left, std::uint32_t letters, PamSide side) {
  const PlainWindow beside = bases_at(view, site.border, !guide_left, site.strand);
  std::uint64_t bits = std::uint64_t{letters} << 56 | (site.strand == Strand::minus ? std::uint64_t{1} << 63 : 0);
  for (std::uint32_t i = 0; i < letters; ++i) {
    // Bases are counted from the border on, letters from the 5' end.
    const std::uint32_t letter = side == PamSide::three_prime ? i : letters - 1 - i;
    bits |= ((beside.lo >> i & 1) | (beside.hi >> i & 1) << 1) << (40 + 2 * letter);
  }
  return bits;
}

// The bits of the second and third letter of a PAM, as kPamBits has them.
SiteBases scored_pam(SitePlace place) {
  if (place.pam_length() < 3) return {0, 0};
  const unsigned second = place.pam_code(1);
  const unsigned third = place.pam_code(2);
  return {((second & 1) | (third & 1) << 1) << kPamBits, (second >> 1 | (third >> 1) << 1) << kPamBits};
}

}  // namespace

BatchSites find_text_sites(const PackedBatch& batch, const GuideSet& every, std::uint32_t mismatches,
                           bool skip_soft_masked) {
  const auto loop = [](std::size_t count, const std::function<void(std::size_t)>& work) {
    for (std::size_t i = 0; i < count; ++i) work(i);
  };
  auto& [listed, found] = per_thread<Listing>();
  find_sites(batch, every, loop, listed);
  const std::uint32_t length = every.max_length();
  const auto used = static_cast<std::uint32_t>(low_bits(length));
  const PackedView view = batch.view();
  found.clear();
  std::size_t segment = 0;
  for (const Site& site : listed.sites) {
    const bool left = guide_is_left(every.side(), site.strand);
    const auto letters = static_cast<std::uint32_t>(every.pams()[site.pam].size());
    const auto [begin, end] = positions_beside(site.border, left, length, letters);
    if (begin < view.own_begin || begin >= view.own_end) continue;
    if (skip_soft_masked && batch.touches_soft_masked(begin, end)) continue;
    const std::vector<Segment>& segments = batch.segments();
    if (segments[segment].position > begin || segments[segment].end <= begin) segment = batch.segment_at(begin);
    const GuideWindow window = window_at(batch, segments[segment], site.border, left, site.strand);
    FoundSite one{};
    one.other = static_cast<std::uint32_t>(window.other) & used;
    if (count_ones(one.other) > mismatches) continue;
    one.place.bits = pam_bits(view, site, left, letters, every.side()) | begin;
    const SiteBases pam = length <= kMostScoredBases ? scored_pam(one.place) : SiteBases{0, 0};
    one.bases.lo = (static_cast<std::uint32_t>(window.lo) & used) | pam.lo | (one.other == 0 ? kIsGuide : kHasOther);
    one.bases.hi = (static_cast<std::uint32_t>(window.hi) & used) | pam.hi;
    found.push_back(one);
  }
  // Those of one start are told apart by their ends and strands.
  const auto order = [](const FoundSite& site) {
    return site.place.start() << 5 | std::uint64_t{site.place.pam_length()} << 1 | site.place.bits >> 63;
  };
  std::sort(found.begin(), found.end(), [&](const FoundSite& a, const FoundSite& b) { return order(a) < order(b); });
  BatchSites sites;
  sites.bases.reserve(found.size());
  sites.places.reserve(found.size());
  for (const FoundSite& one : found) {
    if (one.other != 0) sites.other.push_back({static_cast<std::uint32_t>(sites.bases.size()), one.other});
    sites.bases.push_back(one.bases);
    sites.places.push_back(one.place);
  }
  return sites;
}

double text_sites_per_base(const GuideSet& every) { return sites_per_position(every); }

}  // namespace basesweep
