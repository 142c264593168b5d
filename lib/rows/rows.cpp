#include "lib/rows/rows.hpp"

#include <algorithm>
#include <iterator>

namespace basesweep {
namespace {

const PlacedRow& placed(const Row& row) { return static_cast<const PlacedRow&>(row); }

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
  return {.name = "record",
          .type = ColumnType::text,
          .meaning = "the first word of the record's title",
          .get = [](const Rows&, const Row& row, std::uint32_t, Cell& cell) { cell.set(placed(row).record_name); },
          .field = RowField::record};
}

Column start_column() {
  return {.name = "start",
          .type = ColumnType::integer,
          .meaning = "the first base, on the forward strand, counted from 0",
          .get = [](const Rows&, const Row& row, std::uint32_t, Cell& cell) { cell.set(placed(row).start); },
          .field = RowField::start};
}

Column end_column() {
  return {.name = "end",
          .type = ColumnType::integer,
          .meaning = "the base after the last, counted from 0",
          .get = [](const Rows&, const Row& row, std::uint32_t, Cell& cell) { cell.set(placed(row).end); },
          .field = RowField::end};
}

Column file_column() {
  return {
      .name = "file",
      .type = ColumnType::text,
      .meaning = "the input file as it was given; <stdin> for standard input",
      .get = [](const Rows& rows, const Row& row, std::uint32_t,
                Cell& cell) { cell.set(rows.files()[placed(row).source]); },
      .usual = false,
      .code = [](const Rows&, const Row& row, std::uint32_t) { return static_cast<std::int32_t>(placed(row).source); },
      .table = [](const Rows& rows, std::uint32_t) { return rows.files(); }};
}

}  // namespace basesweep
