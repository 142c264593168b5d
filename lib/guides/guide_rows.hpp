// The table of guides as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lib/guides/guide_set.hpp"
#include "lib/guides/guide_table.hpp"

namespace basesweep {

// What the rows of a table say, apart from the numbers.
struct GuideRowForm {
  std::uint32_t mismatches = 0;  // at most
  std::uint32_t max_bulge = 0;
  const Annotation* annotation = nullptr;
};

// "12 of 90 guides have no exact copy in this input"; `where`: "this input".
std::string print_without_copy(std::uint64_t without, std::uint64_t guides, const std::string& where);

// The names of the columns of counts, each after a tab.
std::string count_columns(const GuideRowForm& form);
// The names of the columns that follow those of the input, each after a tab.
std::string guide_columns(const GuideRowForm& form);
// The cells of one guide, each after a tab. `scored`: has_scores().
std::string guide_cells(const GuideRowForm& form, const GuideTotals& totals, bool scored);

}  // namespace basesweep
