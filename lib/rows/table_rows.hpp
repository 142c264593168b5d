// Rows of tables that are made at the end of a run, such as counts.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "lib/rows/rows.hpp"

namespace basesweep {

using TableValue = std::variant<std::monostate, std::int64_t, std::string>;  // the first: absent

// A row with a value for each column.
struct TableRow : Row {
  std::vector<TableValue> values{};
};

class TableRows final : public Rows {
 public:
  struct Described {
    std::string name;
    ColumnType type;
    std::string meaning;
    bool may_be_absent = false;
  };
  // `files`: the names of files in its rows.
  explicit TableRows(const std::vector<Described>& columns, std::vector<std::string> files = {});
};

}  // namespace basesweep
