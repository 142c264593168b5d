// Makes the columns of a kind of rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lib/align/trace.hpp"
#include "lib/rows/cell_array.hpp"
#include "lib/rows/letters.hpp"
#include "lib/rows/rows.hpp"

namespace basesweep {

// Column::get for rows of a kind. `get`: a lambda without captures that takes (rows, row, cell), or (rows, row, index,
// cell) if several columns share it.
template <class Kind, class OneRow, class Get>
Column::Get get_of(Get /*get*/) {
  static_assert(std::is_empty_v<Get>);  // no pointer to a function, which Get{} would make null
  return [](const Rows& rows, const Row& row, std::uint32_t index, Cell& cell) {
    const auto& kind = static_cast<const Kind&>(rows);
    const auto& one = static_cast<const OneRow&>(row);
    if constexpr (std::is_invocable_v<Get, const Kind&, const OneRow&, std::uint32_t, Cell&>) {
      Get{}(kind, one, index, cell);
    } else {
      Get{}(kind, one, cell);
    }
  };
}

// Column::get_all for the same `get`. One call for all rows saves two calls of functions for each of them.
template <class Kind, class OneRow, class Get>
Column::GetAll get_all_of(Get /*get*/) {
  return [](const Rows& rows, RowSpan all, std::uint32_t index, CellArray& to) {
    CellArray own = to;  // a local one stays in registers
    Cell cell;
    cell.print_reals(false);
    for (std::size_t i = 0; i < all.size(); ++i) {
      cell.clear();
      get_of<Kind, OneRow>(Get{})(rows, all[i], index, cell);
      own.add(cell);
    }
    to = own;
  };
}

// Makes columns for rows of type OneRow, which a Kind of Rows describes. All functions that it takes are lambdas
// without captures.
template <class Kind, class OneRow>
struct ColumnMaker {
  // `get`: see get_of().
  template <class Get>
  Column operator()(std::string name, ColumnType type, std::string meaning, Get get, unsigned needs = 0) const {
    return {.name = std::move(name),
            .type = type,
            .meaning = std::move(meaning),
            .get = get_of<Kind, OneRow>(get),
            .get_all = get_all_of<Kind, OneRow>(get),
            .needs = needs};
  }

  // Gives the column a table of values. `code` and `table`: take (rows, row, index) and (rows, index).
  template <class Code, class Table>
  static void set_table(Column& column, Code /*code*/, Table /*table*/) {
    column.code = [](const Rows& rows, const Row& row, std::uint32_t index) -> std::int32_t {
      return static_cast<std::int32_t>(Code{}(static_cast<const Kind&>(rows), static_cast<const OneRow&>(row), index));
    };
    column.codes = [](const Rows& rows, RowSpan all, std::uint32_t index, CellArray& to) {
      const auto& kind = static_cast<const Kind&>(rows);
      CellArray own = to;
      for (std::size_t i = 0; i < all.size(); ++i) {
        own.put(static_cast<std::int32_t>(Code{}(kind, static_cast<const OneRow&>(all[i]), index)));
      }
      to = own;
    };
    column.table = [](const Rows& rows, std::uint32_t index) -> std::vector<std::string> {
      return Table{}(static_cast<const Kind&>(rows), index);
    };
  }

  // A column of strands with its table. `code`: takes (rows, row) and returns 0 for +, 1 for - or kNoCode.
  template <class Code>
  Column strand(std::string name, std::string meaning, Code /*code*/) const {
    const auto get = [](const Kind& rows, const OneRow& row, Cell& cell) {
      const auto code = static_cast<std::int32_t>(Code{}(rows, row));
      if (code != kNoCode) cell.set(code == 0 ? std::string_view("+") : std::string_view("-"));
    };
    Column column = (*this)(std::move(name), ColumnType::strand, std::move(meaning), get);
    set_table(
        column, [](const Kind& rows, const OneRow& row, std::uint32_t) { return Code{}(rows, row); },
        [](const Kind&, std::uint32_t) {
          return std::vector<std::string>{"+", "-"};
        });
    return column;
  }
};

// Marks the column as one whose value a row may lack.
inline Column maybe(Column column) {
  column.may_be_absent = true;
  return column;
}

// The column of this name, which must be there.
inline Column& named(std::vector<Column>& columns, std::string_view name) {
  return *std::find_if(columns.begin(), columns.end(), [name](const Column& one) { return one.name == name; });
}

// Hides columns that formats need and nobody chooses.
inline std::vector<Column> hidden(std::vector<Column> columns) {
  for (Column& one : columns) one.hidden = true;
  return columns;
}

// A table of values. `text`: a function or a member that gives the text of one.
template <class Values, class OneText>
std::vector<std::string> texts_of(const Values& values, OneText text) {
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const auto& value : values) texts.push_back(std::invoke(text, value));
  return texts;
}

inline void set_made(std::string text, Cell& cell) {
  cell.memory() = std::move(text);
  cell.set(cell.memory());
}

// `letters`: of the forward strand; the cell has them as `strand` reads them.
inline void set_stranded(std::string_view letters, Strand strand, Cell& cell) {
  if (strand == Strand::plus) return cell.set(letters);
  std::string& turned = cell.memory();
  turned.resize(letters.size());
  put_matched(turned.data(), letters, strand);
  cell.set(turned);
}

inline void set_cigar(std::span<const CigarRun> cigar, Cell& cell) {
  std::string& text = cell.memory();
  text.resize(cigar.size() * (kNumberDigits + 1));
  char* to = text.data();
  for (const CigarRun& run : cigar) {
    to = put(to, std::int64_t{run.length});
    *to++ = run.op;
  }
  cell.set(std::string_view(text.data(), to));
}

// A score of BED: 1000 (1 - edits / bases), rounded half up, without floating point.
constexpr std::int64_t score_of_edits(std::int64_t edits, std::int64_t bases) {
  constexpr std::int64_t kFull = 1000;
  return (2 * kFull * (bases - edits) + bases) / (2 * bases);
}

}  // namespace basesweep
