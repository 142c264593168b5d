// Rows of the guides of a text.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lib/guides/design.hpp"
#include "lib/guides/guide_join.hpp"
#include "lib/guides/guide_table.hpp"
#include "lib/guides/text_sites.hpp"

namespace basesweep {

// A guide of the text, kept from guide to guide for its memory.
struct JoinedGuide {
  DesignCells cells;
  GuideTotals totals;
  std::array<std::uint32_t, 2> near_sites;  // of totals.nearest

  void set_totals(const TextSites& sites, std::uint32_t site, const SiteTotals& of_site, const JoinLimits& limits);
  // Sets the letters of the nearest places, which set_totals() leaves empty.
  void set_letters(const TextSites& sites);
  // `record`: the one that the site is in.
  void set_cells(const TextSites& sites, std::uint32_t site, const SiteRecord& record);
};

// The nearest sites of guides of the text, at most `most` of each, as SiteTotals::nearest. `mismatches`: of places.
std::vector<std::vector<std::uint64_t>> nearest_sites(const TextSites& sites, std::span<const std::uint32_t> guides,
                                                      std::uint32_t mismatches, std::size_t most,
                                                      const GuideJoin::Loop& loop);
// Sets `nearest` to these sites with their letters, the guide's own place first.
void set_nearest(const TextSites& sites, std::uint32_t guide, std::span<const std::uint64_t> near,
                 std::vector<NearPlace>& nearest);

}  // namespace basesweep
