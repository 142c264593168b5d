#include "lib/writer/line_shape.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace basesweep {
namespace {

// How the values of a column stand in a line unless its shape says something else.
Escape usual_escape(const Column& column, OutputFormat format) {
  switch (format) {
    case OutputFormat::gff3: return column.field == RowField::record ? Escape::seqid : Escape::attribute;
    case OutputFormat::csv: return Escape::csv;
    case OutputFormat::jsonl: return Escape::json;
    default: return Escape::none;
  }
}

// The shape of an added column.
std::string added_shape(const std::string& name, OutputFormat format) {
  switch (format) {
    case OutputFormat::gff3: return fmt::format(";{0}={{{0}}}", name);
    case OutputFormat::fasta: return fmt::format(" {0}={{{0}:field}}", name);
    default: return fmt::format("\t{{{}}}", name);
  }
}

LinePart parse_column(const Rows& rows, std::string_view word, OutputFormat format) {
  LinePart part;
  std::string_view name = word.substr(0, word.find(':'));
  const std::string_view way = name.size() == word.size() ? std::string_view() : word.substr(name.size() + 1);
  if (name.ends_with("+1")) {
    part.from_one = true;
    name.remove_suffix(2);
  }
  part.column = rows.find(name);
  if (part.column == nullptr) throw std::logic_error(fmt::format("a shape has no column {}", name));
  part.escape = way == "lower" ? Escape::lower : way == "field" ? Escape::field : usual_escape(*part.column, format);
  return part;
}

void add_text(std::string_view text, std::uint32_t group, std::vector<LinePart>& parts) {
  if (text.empty()) return;
  parts.push_back({.text = std::string(text), .group = group});
}

}  // namespace

std::vector<LinePart> parse_shape(const Rows& rows, std::string_view shape, OutputFormat format,
                                  const std::vector<const Column*>& added) {
  std::vector<LinePart> parts;
  std::uint32_t groups = 0;
  std::uint32_t group = 0;
  while (!shape.empty()) {
    const std::size_t end = std::min(shape.find_first_of("{[]"), shape.size());
    add_text(shape.substr(0, end), group, parts);
    shape.remove_prefix(end);
    if (shape.empty()) break;
    const char sign = shape.front();
    shape.remove_prefix(1);
    if (sign != '{') {
      group = sign == '[' ? ++groups : 0;
      continue;
    }
    const std::string_view word = shape.substr(0, shape.find('}'));
    shape.remove_prefix(word.size() + 1);
    if (word != "+") {
      parts.push_back(parse_column(rows, word, format));
      parts.back().group = group;
      continue;
    }
    for (const Column* column : added) {
      for (LinePart& part : parse_shape(rows, added_shape(column->name, format), format, {})) {
        parts.push_back(std::move(part));
      }
    }
  }
  return parts;
}

std::vector<LinePart> table_line(const std::vector<const Column*>& columns, OutputFormat format) {
  std::vector<LinePart> parts;
  const bool json = format == OutputFormat::jsonl;
  const char* const separator = format == OutputFormat::tsv ? "\t" : ",";
  add_text(json ? "{" : "", 0, parts);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    add_text(i == 0 ? "" : separator, 0, parts);
    if (json) add_text(escaped(columns[i]->name, Escape::json) + ":", 0, parts);
    parts.push_back({.column = columns[i], .escape = usual_escape(*columns[i], format)});
  }
  add_text(json ? "}\n" : "\n", 0, parts);
  return parts;
}

std::string table_header(const std::vector<const Column*>& columns, OutputFormat format) {
  if (format == OutputFormat::jsonl) return "";
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i != 0) line += format == OutputFormat::tsv ? '\t' : ',';
    line += format == OutputFormat::csv ? escaped(columns[i]->name, Escape::csv) : columns[i]->name;
  }
  return line + "\n";
}

}  // namespace basesweep
