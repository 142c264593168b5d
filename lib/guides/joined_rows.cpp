#include "lib/guides/joined_rows.hpp"

#include <algorithm>

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

}  // namespace

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
    std::string& letters = totals.nearest[i].letters;
    std::string pam;
    letters.clear();
    sites.append_letters(near_sites[i], letters);
    sites.append_pam(near_sites[i], pam);
    letters.insert(sites.pam_side() == PamSide::three_prime ? letters.size() : 0, pam);
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
  own.mismatches = 0;
  own.record = row.record;
  own.record_name = row.record_name;
  own.start = row.start;
  own.end = row.end;
  own.strand = row.strand;
  own.letters = side == PamSide::three_prime ? row.guide : row.pam;
  own.letters += side == PamSide::three_prime ? row.pam : row.guide;
  if (!row.has_near) return;
  NearPlace& near = totals.nearest.back();
  near.mismatches = row.near.mismatches;
  near.record = row.near.record;
  near.record_name = row.near.record_name;
  near.start = row.near.start;
  near.end = row.near.end;
  near.strand = row.near.strand;
  near.letters = row.near.letters;
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
