// Batches of the library as text.
#pragma once

#include <fmt/format.h>

#include <basesweep/batch.hpp>
#include <string>

namespace support {

inline std::string print_value(const basesweep::Batch& batch, const basesweep::ColumnInfo& column, std::size_t row) {
  if (!batch.has(column.name, row)) return ".";
  switch (column.kind) {
    case basesweep::ColumnKind::integer: return fmt::format("{}", batch.integers(column.name)[row]);
    case basesweep::ColumnKind::real: return fmt::format("{:.9g}", batch.reals(column.name)[row]);
    case basesweep::ColumnKind::text:
    case basesweep::ColumnKind::dictionary: return std::string(batch.text(column.name, row));
  }
  return "";
}

// A line for each row, as TSV has them.
inline std::string print_rows(const basesweep::Batch& batch) {
  std::string lines;
  for (std::size_t row = 0; row < batch.rows(); ++row) {
    std::string line;
    for (const basesweep::ColumnInfo& column : batch.columns()) {
      line += (line.empty() ? "" : "\t") + print_value(batch, column, row);
    }
    lines += line + "\n";
  }
  return lines;
}

}  // namespace support
