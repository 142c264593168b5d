// All sites of a text, listed by their word.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/guides/buckets/index.hpp"
#include "kernels/guides/buckets/scan.hpp"
#include "lib/guides/guide_finder.hpp"
#include "lib/guides/text_sites.hpp"

namespace basesweep::buckets {

// As in JoinComparison.
struct SiteLists {
  std::vector<std::uint32_t> begins;
  UnsetVector<std::uint8_t> codes;
  std::vector<std::uint32_t> base_of;
  UnsetVector<SiteBases> bases;     // of each site that is listed
  UnsetVector<std::uint32_t> site;  // its number in the text

  // `index`: of all sites.
  void set(const TextSites& sites, const Index& index, Isa isa, const GuideFinder::Loop& loop);
};

}  // namespace basesweep::buckets
