#include "lib/guides/joined_rows.hpp"

#include <algorithm>
#include <bit>
#include <mutex>

#include "lib/base/per_thread.hpp"

namespace basesweep {
namespace {

struct GuideLetters {
  std::string guide;
  std::string pam;
};

void set_place(const TextSites& sites, std::uint64_t nearness, NearPlace& place) {
  const auto site = static_cast<std::uint32_t>(nearness);
  const SiteRecord& record = sites.records()[sites.record_of(site)];
  place.mismatches = static_cast<std::uint32_t>(nearness >> 32);
  place.record = record.number;
  place.record_name = record.name;
  place.letters.clear();
  place.start = sites.start_of(site, record);
  place.end = place.start + sites.bases_of_alignment(site);
  place.strand = sites.place(site).strand();
}

// Sets those of a guide with its PAM. Memory is kept from guide to guide.
void set_letters_of(const TextSites& sites, std::uint32_t site, std::string& letters) {
  const bool pam_first = sites.pam_side() == PamSide::five_prime;
  letters.clear();
  if (pam_first) sites.append_pam(site, letters);
  sites.append_letters(site, letters);
  if (!pam_first) sites.append_pam(site, letters);
}

void set_near(const JoinedRow::Near& near, NearPlace& place) {
  place.mismatches = near.mismatches;
  place.record = near.record;
  place.record_name = near.record_name;
  place.start = near.start;
  place.end = near.end;
  place.strand = near.strand;
  place.letters = near.letters;
}

// Adds the near sites from number `first` to `last`, in order.
void add_near(const TextSites& sites, std::uint32_t first, std::uint32_t last, SiteBases guide,
              std::uint32_t mismatches, std::size_t most, std::vector<std::uint64_t>& near) {
  const std::uint32_t mask = (1U << sites.length()) - 1;
  const std::vector<OtherLetters>& other = sites.other();
  for (std::uint32_t site = first; site < last; ++site) {
    const SiteBases bases = sites.bases()[site];
    std::uint32_t differ = ((guide.lo ^ bases.lo) | (guide.hi ^ bases.hi)) & mask;
    if (static_cast<std::uint32_t>(std::popcount(differ)) > mismatches) continue;
    if ((bases.lo & kHasOther) != 0)
      differ |= other_letters_of(other.data(), static_cast<std::uint32_t>(other.size()), site);
    const auto count = static_cast<std::uint32_t>(std::popcount(differ));
    const std::uint64_t key = std::uint64_t{count} << 32 | site;
    if (count > mismatches || (near.size() == most && key > near.back())) continue;
    near.insert(std::upper_bound(near.begin(), near.end(), key), key);
    if (near.size() > most) near.pop_back();
  }
}

}  // namespace

std::vector<std::vector<std::uint64_t>> nearest_sites(const TextSites& sites, std::span<const std::uint32_t> guides,
                                                      std::uint32_t mismatches, std::size_t most,
                                                      const GuideJoin::Loop& loop) {
  constexpr std::uint32_t kAtOnce = 1U << 14;  // sites whose bases stay in the cache for all guides
  std::vector<std::vector<std::uint64_t>> all(guides.size());
  std::mutex mutex;
  loop((std::size_t{sites.size()} + kAtOnce - 1) / kAtOnce, [&](std::size_t block) {
    const auto first = static_cast<std::uint32_t>(block * kAtOnce);
    const std::uint32_t last = first + std::min(kAtOnce, sites.size() - first);
    std::vector<std::uint64_t> near;
    for (std::size_t i = 0; i < guides.size(); ++i) {
      near.clear();
      add_near(sites, first, last, sites.bases()[guides[i]], mismatches, most, near);
      if (near.empty()) continue;
      const std::lock_guard lock(mutex);
      const auto middle = static_cast<std::ptrdiff_t>(all[i].size());
      all[i].insert(all[i].end(), near.begin(), near.end());
      std::inplace_merge(all[i].begin(), all[i].begin() + middle, all[i].end());
      all[i].resize(std::min(all[i].size(), most));
    }
  });
  return all;
}

void set_nearest(const TextSites& sites, std::uint32_t guide, std::span<const std::uint64_t> near,
                 std::vector<NearPlace>& nearest) {
  nearest.resize(near.size());
  for (std::size_t i = 0; i < near.size(); ++i) {
    set_place(sites, near[i], nearest[i]);
    set_letters_of(sites, static_cast<std::uint32_t>(near[i]), nearest[i].letters);
  }
  NearPlace own;
  set_place(sites, guide, own);
  set_letters_of(sites, guide, own.letters);
  put_first(own, nearest);
}

void JoinedGuide::set_totals(const TextSites& sites, std::uint32_t site, const SiteTotals& of_site,
                             const JoinLimits& limits) {
  totals.counts.assign(of_site.counts, of_site.counts + limits.mismatches + 1);
  totals.mit = of_site.mit;
  totals.cfd = of_site.cfd;
  totals.exact_cfd = of_site.exact_cfd;
  totals.nearest.resize(of_site.nearest[1] == SiteTotals::kNone ? 1 : 2);
  for (std::size_t i = 0; i < totals.nearest.size(); ++i) {
    set_place(sites, of_site.nearest[i], totals.nearest[i]);
    near_sites[i] = static_cast<std::uint32_t>(of_site.nearest[i]);
  }
  if (of_site.nearest[0] == site) return;  // a place without mismatches has its number
  NearPlace own;
  set_place(sites, site, own);
  put_first(own, totals.nearest);
  near_sites = {site, near_sites[0]};
}

void JoinedGuide::set_letters(const TextSites& sites) {
  for (std::size_t i = 0; i < totals.nearest.size(); ++i) {
    set_letters_of(sites, near_sites[i], totals.nearest[i].letters);
  }
}

void JoinedGuide::set(const JoinedRow& row, const JoinLimits& limits, PamSide side) {
  cells.set(row.record_name, row.start, row.end, strand_letter(row.strand), row.guide, row.pam);
  totals.counts.assign(row.counts.begin(), row.counts.begin() + limits.mismatches + 1);
  totals.mit = row.mit;
  totals.cfd = row.cfd;
  totals.exact_cfd = row.exact_cfd;
  totals.nearest.resize(row.has_near ? 2 : 1);
  NearPlace& own = totals.nearest.front();
  set_near({0, row.record, row.record_name, row.start, row.end, row.strand, {}}, own);
  own.letters = side == PamSide::three_prime ? row.guide : row.pam;
  own.letters += side == PamSide::three_prime ? row.pam : row.guide;
  if (row.has_near) set_near(row.near, totals.nearest.back());
}

JoinedRow JoinedGuide::row(const TextSites& sites, std::uint32_t site, const SiteRecord& record) const {
  JoinedRow row;
  row.record_name = record.name;
  row.record = record.number;
  row.start = sites.start_of(site, record);
  row.end = row.start + sites.bases_of_alignment(site);
  row.site = site;
  row.strand = sites.place(site).strand();
  row.guide = cells.views()[1];
  row.pam = cells.views()[2];
  std::copy(totals.counts.begin(), totals.counts.end(), row.counts.begin());
  row.mit = totals.mit;
  row.cfd = totals.cfd;
  row.exact_cfd = static_cast<std::uint32_t>(totals.exact_cfd);
  row.has_near = totals.nearest.size() == 2;
  if (!row.has_near) return row;
  const NearPlace& near = totals.nearest.back();
  row.near = {near.mismatches, near.record, near.record_name, near.start, near.end, near.strand, near.letters};
  return row;
}

void JoinedGuide::set_cells(const TextSites& sites, std::uint32_t site, const SiteRecord& record) {
  auto& [guide, pam] = per_thread<GuideLetters>();
  guide.clear();
  pam.clear();
  sites.append_letters(site, guide);
  sites.append_pam(site, pam);
  const std::int64_t start = sites.start_of(site, record);
  cells.set(record.name, start, start + sites.bases_of_alignment(site), strand_letter(sites.place(site).strand()),
            guide, pam);
}

}  // namespace basesweep
