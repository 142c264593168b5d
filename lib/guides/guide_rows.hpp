// The table of guides as rows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/guides/guide_set.hpp"
#include "lib/guides/guide_table.hpp"
#include "lib/rows/rows.hpp"

namespace basesweep {

// A column of the input.
struct GuideInputColumn {
  std::string name;
  ColumnType type = ColumnType::text;
  std::string meaning = "a column of the input";
};

// The columns that a table has.
struct GuideRowForm {
  std::uint32_t mismatches = 0;  // at most
  std::uint32_t max_bulge = 0;
  const Annotation* annotation = nullptr;
  std::vector<GuideInputColumn> input{};
  bool regions = false;   // rows have a region
  bool designed = false;  // the input is design_columns(), which say where each guide is: there is BED
};

// "12 of 90 guides have no exact copy in this input"; `where`: "this input".
std::string print_without_copy(std::uint64_t without, std::uint64_t guides, const std::string& where);

// The names of the columns of counts.
std::vector<std::string> count_columns(const GuideRowForm& form);

// A guide with all that is written about it.
struct GuideTableRow : Row {
  std::span<const std::string_view> input{};  // its cells in the columns of the input
  const GuideTotals* totals = nullptr;
  bool scored = false;  // has_scores()
  std::string_view region{};
};

// Rows are GuideTableRows. Columns of the input come first; one that has the name of another column is called
// input_NAME.
class GuideTableRows final : public Rows {
 public:
  // The annotation must outlive this.
  explicit GuideTableRows(const GuideRowForm& form);
  LineShape shape(OutputFormat format) const override;
  std::size_t bed_columns() const override { return 9; }

  const Annotation& annotation() const { return *annotation_; }

 private:
  const Annotation* const annotation_;
  const bool designed_;
};

}  // namespace basesweep
