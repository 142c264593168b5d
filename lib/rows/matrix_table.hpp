// Rows of `pwm --table`: a cell for each matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lib/matrices/matrix_set.hpp"
#include "lib/rows/row_codec.hpp"
#include "lib/rows/rows.hpp"

namespace basesweep {

enum class TableCell {
  score,  // the best score of the hits; absent without hits
  count   // the number of hits
};

// The cells of a row, while hits are added.
class MatrixCells {
 public:
  MatrixCells(std::size_t matrices, TableCell cell);

  // Adds a hit. `score`: in steps, see kScoreSteps.
  void add(std::uint32_t matrix, std::int32_t score);
  // Adds the cells of the same row in another part of the text.
  void add(std::span<const std::int32_t> cells);
  void clear();
  bool has_hits() const;
  std::span<const std::int32_t> cells() const { return cells_; }

 private:
  void join(std::int32_t more, std::int32_t& own) const;

  TableCell cell_;
  std::vector<std::int32_t> cells_;  // a table of regions has very many
};

// A row: of a record, or of a region.
struct MatrixTableRow : PlacedRow {
  std::string_view region{};              // its name; "": it has none
  std::span<const std::int32_t> cells{};  // as MatrixCells has them
};

template <class Codec>
void code(Codec& codec, Coded<Codec, std::int32_t>& number) {
  codec.number(number);
}

template <class Codec>
void code(Codec& codec, Coded<Codec, MatrixTableRow>& row) {
  const auto [tells] = codec.flags(tells_record(codec, row));
  code_place(codec, row, tells);
  codec.difference(row.end, row.start);
  codec.text(row.region);
  codec.list(row.cells);
}

// The columns record, or record, start, end and name, then one for each matrix: its identifier and name.
class MatrixTableRows final : public Rows {
 public:
  MatrixTableRows(const MatrixSet& matrices, TableCell cell, bool regions);

  TableCell cell() const { return cell_; }

 private:
  const TableCell cell_;
};

}  // namespace basesweep
