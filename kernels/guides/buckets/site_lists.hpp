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
  std::vector<std::uint32_t> base_of;
  UnsetVector<std::uint8_t> listed;

  // `index`: of all sites.
  void set(const TextSites& sites, const Index& index, Isa isa, const GuideFinder::Loop& loop);
};

}  // namespace basesweep::buckets
