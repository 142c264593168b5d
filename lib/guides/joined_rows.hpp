// Rows of the guides of a text.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lib/guides/design.hpp"
#include "lib/guides/guide_join.hpp"
#include "lib/guides/guide_table.hpp"
#include "lib/guides/text_sites.hpp"
#include "lib/rows/row.hpp"

namespace basesweep {

// A guide of the text as the part of a chunk holds it (joined_codec.hpp).
struct JoinedRow : PlacedRow {
  // The nearest of its places but its own.
  struct Near {
    std::uint32_t mismatches = 0;
    std::int64_t record = 0;
    std::string_view record_name{};
    std::int64_t start = 0;
    std::int64_t end = 0;
    Strand strand = Strand::plus;
    std::string_view letters{};  // as NearPlace::letters
  };

  std::uint32_t site = 0;  // its number, which is the same in all chunks
  Strand strand = Strand::plus;
  std::string_view guide{};  // 5' to 3'
  std::string_view pam{};
  std::array<std::uint32_t, kMostJoinMismatches + 1> counts{};  // as SiteTotals
  std::uint64_t mit = 0;
  std::uint64_t cfd = 0;
  std::uint32_t exact_cfd = 0;
  bool has_near = false;
  Near near{};
};

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
  // Sets all of these but near_sites.
  void set(const JoinedRow& row, const JoinLimits& limits, PamSide side);
  // The row of a guide whose totals, letters and cells are set. It points into this object and the sites.
  JoinedRow row(const TextSites& sites, std::uint32_t site, const SiteRecord& record) const;
};

// The nearest sites of guides of the text, at most `most` of each, as SiteTotals::nearest. `mismatches`: of places.
std::vector<std::vector<std::uint64_t>> nearest_sites(const TextSites& sites, std::span<const std::uint32_t> guides,
                                                      std::uint32_t mismatches, std::size_t most,
                                                      const GuideJoin::Loop& loop);
// Sets `nearest` to these sites with their letters, the guide's own place first.
void set_nearest(const TextSites& sites, std::uint32_t guide, std::span<const std::uint64_t> near,
                 std::vector<NearPlace>& nearest);

}  // namespace basesweep
