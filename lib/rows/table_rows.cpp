#include "lib/rows/table_rows.hpp"

#include <utility>

#include "lib/rows/column_kinds.hpp"

namespace basesweep {
namespace {

constexpr auto set_value = [](const TableRows&, const TableRow& row, std::uint32_t index, Cell& cell) {
  const TableValue& value = row.values[index];
  if (const auto* const number = std::get_if<std::int64_t>(&value)) cell.set(*number);
  if (const auto* const text = std::get_if<std::string>(&value)) cell.set(*text);
};

}  // namespace

TableRows::TableRows(const std::vector<Described>& columns, std::vector<std::string> files) {
  files_ = std::move(files);
  constexpr ColumnMaker<TableRows, TableRow> column;
  for (const Described& one : columns) {
    columns_.push_back(column(one.name, one.type, one.meaning, set_value));
    columns_.back().index = static_cast<std::uint32_t>(columns_.size() - 1);
    columns_.back().may_be_absent = one.may_be_absent;
  }
}

}  // namespace basesweep
