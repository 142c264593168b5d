#include "lib/guides/joined_rows.hpp"

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
