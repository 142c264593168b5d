// Finds out the contents of the columns of a table of primer pairs.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "lib/products/primer_pairs.hpp"
#include "lib/reader/table_rows.hpp"

namespace basesweep {

// The content of a column.
enum class PairColumn { name, forward, reverse, probe, min_size, max_size, edits, pool, sequence, count };

// The columns of a table, by their content.
class PairColumns {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  PairColumns() { places_.fill(kNone); }

  std::size_t& operator[](PairColumn column) { return places_[static_cast<std::size_t>(column)]; }
  std::size_t operator[](PairColumn column) const { return places_[static_cast<std::size_t>(column)]; }
  bool has(PairColumn column) const { return (*this)[column] != kNone; }
  // A row is a pair; otherwise it is one primer, with a sequence.
  bool pairs() const { return has(PairColumn::forward) && has(PairColumn::reverse); }

  // The cell of a row; "" where there is no such column, or the row is shorter.
  std::string cell(const Cells& row, PairColumn column) const {
    return (*this)[column] < row.size() ? row[(*this)[column]] : std::string();
  }

 private:
  std::array<std::size_t, static_cast<std::size_t>(PairColumn::count)> places_;
};

// The columns that a header names, or that the choice names or counts. `below`: the first row under the header; it
// decides between columns of like names. Nothing if the cells are no header. Throws DataError ("it lacks ...") without
// path and line where they are one that lacks a column of primers, and UsageError for a choice that is not among them.
std::optional<PairColumns> find_pair_columns(const Cells& header, const Cells& below, const PairColumnChoice& choice);

// The columns of a table without a header, as far as the choice counts them; nothing if it counts none. `width`: of the
// table.
std::optional<PairColumns> counted_pair_columns(const PairColumnChoice& choice, std::size_t width);

}  // namespace basesweep
