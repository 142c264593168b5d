// Tables of guides in the outputs of chunks, and how `merge` adds them up.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "lib/guides/guide_rows.hpp"
#include "lib/guides/guide_table.hpp"
#include "lib/parts/part_file.hpp"

namespace basesweep {

// The value of the parameter `output` in the label of such a part.
inline constexpr std::string_view kGuideTablePart = "guides";

// The names of the columns of a part that follow those of the input, each after a tab, and the cells of a guide:
// whether it has scores, its counts, sums and nearest places.
std::string part_columns(const GuideRowForm& form);
std::string part_cells(const GuideTotals& totals, bool scored);

struct MergedGuides {
  std::uint64_t places = 0;
  std::uint64_t guides = 0;
  std::uint64_t without_exact_copy = 0;  // of the guides
};

// Calls `write` with the table that one run would have written. `parts`: after check_parts(). Throws IoError, and
// DataError for a part that is not complete or damaged.
MergedGuides merge_guide_tables(std::span<const PartHead> parts, const std::function<void(std::string_view)>& write);

}  // namespace basesweep
