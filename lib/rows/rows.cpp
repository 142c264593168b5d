#include "lib/rows/rows.hpp"

#include <algorithm>
#include <iterator>

#include "lib/rows/column_kinds.hpp"

namespace basesweep {
namespace {

constexpr ColumnMaker<Rows, PlacedRow> column;

}  // namespace

const Column* Rows::find(std::string_view name) const {
  const auto found =
      std::find_if(columns_.begin(), columns_.end(), [name](const Column& column) { return column.name == name; });
  return found == columns_.end() ? nullptr : &*found;
}

void Rows::add(std::vector<Column> columns) {
  columns_.insert(columns_.end(), std::move_iterator(columns.begin()), std::move_iterator(columns.end()));
}

void Rows::prepare(const Row& /*row*/, unsigned /*needs*/) const {}

std::size_t Rows::variant(const Row& /*row*/) const { return 0; }

void Rows::show_variant(std::size_t /*variant*/, const std::function<void(const Row& row)>& use) const { use(Row()); }

LineShape Rows::shape(OutputFormat /*format*/) const { return {}; }

Column record_column() {
  Column one = column("record", ColumnType::text, "the first word of the record's title",
                      [](const Rows&, const PlacedRow& row, Cell& cell) { cell.set(row.record_name); });
  one.field = RowField::record;
  return one;
}

Column start_column() {
  Column one = column("start", ColumnType::integer, "the first base, on the forward strand, counted from 0",
                      [](const Rows&, const PlacedRow& row, Cell& cell) { cell.set(row.start); });
  one.field = RowField::start;
  return one;
}

Column end_column() {
  Column one = column("end", ColumnType::integer, "the base after the last, counted from 0",
                      [](const Rows&, const PlacedRow& row, Cell& cell) { cell.set(row.end); });
  one.field = RowField::end;
  return one;
}

Column file_column() {
  Column one = column("file", ColumnType::text, "the input file as it was given; <stdin> for standard input",
                      [](const Rows& rows, const PlacedRow& row, Cell& cell) { cell.set(rows.files()[row.source]); });
  one.usual = false;
  column.set_table(
      one, [](const Rows&, const PlacedRow& row, std::uint32_t) { return row.source; },
      [](const Rows& rows, std::uint32_t) { return rows.files(); });
  return one;
}

}  // namespace basesweep
