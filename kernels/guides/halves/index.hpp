// The sites of a batch, sorted by a word of their text.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/guides/halves/plan.hpp"
#include "kernels/guides/sites.hpp"

namespace basesweep::halves {

// Sites whose word has the key k are entries [begins[k], begins[k + 1]).
struct WordIndex {
  std::vector<std::uint32_t> begins;
  std::vector<SiteBases> bases;     // of each entry, and kSitesAtOnce more
  std::vector<std::uint32_t> site;  // of each entry: its index in Sites
};

// Sorts the sites by the bases [first, first + q) of each.
void build_index(const Sites& sites, std::uint32_t first, std::uint32_t q, WordIndex& index);

}  // namespace basesweep::halves
