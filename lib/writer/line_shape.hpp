// The parts of a line of text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/rows/rows.hpp"
#include "lib/writer/escape.hpp"

namespace basesweep {

// Text, or the value of a column.
struct LinePart {
  std::string text{};              // where `column` is null
  const Column* column = nullptr;  // of the rows
  Escape escape = Escape::none;
  bool from_one = false;  // a start that is counted from 1
  // Parts with the same number, other than 0, are left out together if one of their columns is absent.
  std::uint32_t group = 0;
};

// The parts of a shape, see make_line_formatter(). `added`: the columns for {+}. `format`: says how values stand in it,
// and how added columns do.
std::vector<LinePart> parse_shape(const Rows& rows, std::string_view shape, OutputFormat format,
                                  const std::vector<const Column*>& added);

// The parts of a line of TSV, CSV or JSON, with its end.
std::vector<LinePart> table_line(const std::vector<const Column*>& columns, OutputFormat format);
// The line of names in front of them; "" for JSON.
std::string table_header(const std::vector<const Column*>& columns, OutputFormat format);

}  // namespace basesweep
