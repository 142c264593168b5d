#include "lib/rows/table_rows.hpp"

namespace basesweep {
namespace {

void set_value(const TableRow& row, std::uint32_t index, Cell& cell) {
  const TableValue& value = row.values[index];
  if (const auto* const number = std::get_if<std::int64_t>(&value)) cell.set(*number);
  if (const auto* const text = std::get_if<std::string>(&value)) cell.set(*text);
}

}  // namespace

TableRows::TableRows(const std::vector<Described>& columns) {
  for (const Described& one : columns) {
    columns_.push_back(
        {.name = one.name,
         .type = one.type,
         .meaning = one.meaning,
         .get = get_of<TableRows, TableRow>([](const TableRows&, const TableRow& row, std::uint32_t index, Cell& cell) {
           set_value(row, index, cell);
         }),
         .index = static_cast<std::uint32_t>(columns_.size())});
  }
}

}  // namespace basesweep
