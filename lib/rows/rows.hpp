// A kind of rows: its columns, and which of them each format shows.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lib/base/line_names.hpp"
#include "lib/rows/column.hpp"
#include "lib/rows/output_format.hpp"

namespace basesweep {

// The lines of a format: text with {columns} in it. See make_line_formatter() (lib/writer/line_formatter.hpp).
struct LineShape {
  std::string header;  // with its line end; "": none
  std::string line;    // with its line end; "": the format is not for these rows
};

// Thread-safe once made.
class Rows {
 public:
  virtual ~Rows() = default;
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  // All columns, also those that this run cannot give, in the order that a table has them.
  const std::vector<Column>& columns() const { return columns_; }
  // The column of this name; null: there is none.
  const Column* find(std::string_view name) const;

  // Works out what `needs` asks for, in memory of the calling thread. To be called before the columns with these needs
  // are got from a row.
  virtual void prepare(const Row& row, unsigned needs) const;
  // Rows that have the same variant have the same value in each column that is Column::by_variant.
  virtual std::size_t variants() const { return 1; }
  virtual std::size_t variant(const Row& row) const;
  // Calls use(row) with some row of the variant, in which only columns by variant can be got.
  virtual void show_variant(std::size_t variant, const std::function<void(const Row& row)>& use) const;
  // How formats other than tables show a row, and tables of other programs.
  virtual LineShape shape(OutputFormat format) const;
  // How many columns BED has, without those that are added: 6, or 12 with blocks.
  virtual std::size_t bed_columns() const { return 6; }
  // The bases on both sides of a row that columns with need::flanks show.
  virtual std::uint32_t flank() const { return 0; }
  // The names of the inputs, by PlacedRow::source.
  const std::vector<std::string>& files() const { return files_; }

 protected:
  Rows() = default;

  std::vector<Column> columns_;
  std::vector<std::string> files_;
};

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

// Gives the column a table of values. `code` and `table`: lambdas without captures that take (rows, row, index) and
// (rows, index).
template <class Kind, class OneRow, class Code, class Table>
void set_table(Column& column, Code /*code*/, Table /*table*/) {
  column.code = [](const Rows& rows, const Row& row, std::uint32_t index) -> std::int32_t {
    return static_cast<std::int32_t>(Code{}(static_cast<const Kind&>(rows), static_cast<const OneRow&>(row), index));
  };
  column.table = [](const Rows& rows, std::uint32_t index) -> std::vector<std::string> {
    return Table{}(static_cast<const Kind&>(rows), index);
  };
}
// The same for a column of strands: + is 0, - is 1. `code` may return kNoCode.
template <class Kind, class OneRow, class Code>
void set_strand_table(Column& column, Code code) {
  set_table<Kind, OneRow>(column, code, [](const Kind&, std::uint32_t) { return std::vector<std::string>{"+", "-"}; });
}

// Columns that all placed rows have: record, start, end.
Column record_column();
Column start_column();
Column end_column();
// The name of the input file, from Rows::files().
Column file_column();

}  // namespace basesweep
