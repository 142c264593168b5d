// Rows of the guides of a text.
#pragma once

#include <array>
#include <cstdint>

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

}  // namespace basesweep
