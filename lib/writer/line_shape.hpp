// The parts of a line of text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/line_names.hpp"
#include "lib/rows/rows.hpp"
#include "lib/writer/escape.hpp"

namespace basesweep {

// How values appear in the lines of a format.
struct LineForm {
  OutputFormat format;
  std::string_view absent = ".";  // for a value that there is not
  Escape escape = Escape::none;   // of values, unless the shape of the line says something else
  NameRule names = NameRule::line;
  // For tables only:
  char separator = '\t';
  bool keyed = false;  // a line is an object: each value comes after its name, and there is no header
};
const LineForm& form_of(OutputFormat format);

// Text, or the value of a column.
struct LinePart {
  std::string text{};              // where `column` is null
  const Column* column = nullptr;  // of the rows
  Escape escape = Escape::none;
  bool from_one = false;  // a start that is counted from 1
  // Parts with the same number, other than 0, are left out together if one of their columns is absent.
  std::uint32_t group = 0;
};

// The parts of a shape, see make_line_formatter(). `added`: the columns for {+}. `format`: says how it shows values,
// and how added columns do.
std::vector<LinePart> parse_shape(const Rows& rows, std::string_view shape, OutputFormat format,
                                  const std::vector<const Column*>& added);

// The parts of a line of a table, with its end.
std::vector<LinePart> table_line(const std::vector<const Column*>& columns, OutputFormat format);
// The line of names before them; "" where lines are keyed.
std::string table_header(const std::vector<const Column*>& columns, OutputFormat format);

}  // namespace basesweep
