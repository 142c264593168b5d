#include "lib/rows/matrix_table.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "lib/rows/column_kinds.hpp"
#include "lib/rows/matrix_rows.hpp"

namespace basesweep {
namespace {

constexpr std::int32_t kNoScore = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();  // counts stop there

std::int32_t empty_cell(TableCell cell) { return cell == TableCell::score ? kNoScore : 0; }

// Identifier and name of a matrix. An identifier may end in the name, where a file has several matrices of it.
std::string column_name(const ScoreMatrix& matrix) {
  const std::string name = matrix.name.empty() || matrix.name == matrix.id ? "" : "/" + matrix.name;
  return matrix.id.ends_with(name) ? matrix.id : matrix.id + name;
}

constexpr auto set_cell = [](const MatrixTableRows& rows, const MatrixTableRow& row, std::uint32_t index, Cell& cell) {
  const std::int32_t value = row.cells[index];
  if (rows.cell() == TableCell::count) return cell.set(std::int64_t{value});
  if (value == kNoScore) return;
  cell.memory() = print_bits(value);
  cell.set(value / kScoreSteps, cell.memory());
};

constexpr ColumnMaker<MatrixTableRows, MatrixTableRow> column;

Column region_column() {
  return maybe(column("name", ColumnType::text, "the name of the region",
                      [](const MatrixTableRows&, const MatrixTableRow& row, Cell& cell) {
                        if (!row.region.empty()) cell.set(row.region);
                      }));
}

}  // namespace

MatrixCells::MatrixCells(std::size_t matrices, TableCell cell) : cell_(cell), cells_(matrices, empty_cell(cell)) {}

void MatrixCells::join(std::int32_t more, std::int32_t& own) const {
  own = cell_ == TableCell::score ? std::max(own, more) : own > kMost - more ? kMost : own + more;
}

void MatrixCells::add(std::uint32_t matrix, std::int32_t score) {
  join(cell_ == TableCell::score ? score : 1, cells_[matrix]);
}

void MatrixCells::add(std::span<const std::int32_t> cells) {
  for (std::size_t i = 0; i < cells_.size(); ++i) join(cells[i], cells_[i]);
}

void MatrixCells::clear() { cells_.assign(cells_.size(), empty_cell(cell_)); }

bool MatrixCells::has_hits() const {
  return std::any_of(cells_.begin(), cells_.end(), [this](std::int32_t own) { return own != empty_cell(cell_); });
}

MatrixTableRows::MatrixTableRows(const MatrixSet& matrices, TableCell cell, bool regions) : cell_(cell) {
  add({record_column()});
  if (regions) add({start_column(), end_column(), region_column()});
  const bool scores = cell == TableCell::score;
  std::uint32_t index = 0;
  for (const SearchedMatrix& one : matrices.matrices()) {
    columns_.push_back(column(column_name(one.matrix), scores ? ColumnType::real : ColumnType::integer,
                              scores ? "the best score of the matrix in bits" : "the hits of the matrix", set_cell));
    columns_.back().index = index++;
    columns_.back().may_be_absent = scores;
  }
}

}  // namespace basesweep
