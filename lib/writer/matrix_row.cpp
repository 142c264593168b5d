#include "lib/writer/matrix_row.hpp"

#include <algorithm>
#include <limits>

#include "lib/base/fields.hpp"
#include "lib/rows/matrix_rows.hpp"

namespace basesweep {
namespace {

constexpr std::int32_t kNoScore = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();  // counts stop there

std::int32_t empty_cell(TableCell cell) { return cell == TableCell::score ? kNoScore : 0; }

}  // namespace

MatrixRow::MatrixRow(std::size_t matrices, TableCell cell) : cell_(cell), cells_(matrices, empty_cell(cell)) {}

void MatrixRow::join(std::int32_t more, std::int32_t& own) const {
  own = cell_ == TableCell::score ? std::max(own, more) : own > kMost - more ? kMost : own + more;
}

void MatrixRow::add(std::uint32_t matrix, std::int32_t score) {
  join(cell_ == TableCell::score ? score : 1, cells_[matrix]);
}

bool MatrixRow::add_part(std::string_view cells) {
  for (std::int32_t& own : cells_) {
    const std::string_view text = take_to(cells, '\t');
    if (cell_ == TableCell::score && text == ".") continue;
    std::int32_t more = 0;
    if (!parse_number(text, more) || (cell_ == TableCell::count && more < 0)) return false;
    join(more, own);
  }
  return cells.empty();
}

void MatrixRow::clear() { cells_.assign(cells_.size(), empty_cell(cell_)); }

bool MatrixRow::has_hits() const {
  return std::any_of(cells_.begin(), cells_.end(), [this](std::int32_t own) { return own != empty_cell(cell_); });
}

std::string MatrixRow::print() const {
  std::string text;
  for (const std::int32_t own : cells_) {
    text += '\t';
    text += cell_ == TableCell::count ? std::to_string(own) : own == kNoScore ? "." : print_bits(own);
  }
  return text;
}

std::string MatrixRow::print_part() const {
  std::string text;
  for (const std::int32_t own : cells_) {
    text += '\t';
    text += own == kNoScore ? "." : std::to_string(own);
  }
  return text;
}

}  // namespace basesweep
