#include "lib/writer/line_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace basesweep {
namespace {

constexpr LineForm kText{.format = OutputFormat::tsv};
constexpr std::array kForms{
    LineForm{.format = OutputFormat::bed, .names = NameRule::bed},
    LineForm{.format = OutputFormat::counts, .names = NameRule::bed},
    LineForm{.format = OutputFormat::gff3, .escape = Escape::attribute, .names = NameRule::named},
    LineForm{
        .format = OutputFormat::csv, .absent = "", .escape = Escape::csv, .names = NameRule::named, .separator = ','},
    LineForm{.format = OutputFormat::jsonl,
             .absent = "null",
             .escape = Escape::json,
             .names = NameRule::named,
             .separator = ',',
             .keyed = true}};

Escape usual_escape(const Column& column, OutputFormat format) {
  const bool is_seqid = format == OutputFormat::gff3 && column.field == RowField::record;
  return is_seqid ? Escape::seqid : form_of(format).escape;
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

const LineForm& form_of(OutputFormat format) {
  const auto* const found =
      std::find_if(kForms.begin(), kForms.end(), [format](const LineForm& form) { return form.format == format; });
  return found == kForms.end() ? kText : *found;
}

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
  const LineForm& form = form_of(format);
  std::vector<LinePart> parts;
  std::string before = form.keyed ? "{" : "";
  for (const Column* column : columns) {
    if (form.keyed) before += escaped(column->name, form.escape) + ":";
    add_text(before, 0, parts);
    parts.push_back({.column = column, .escape = usual_escape(*column, format)});
    before = form.separator;
  }
  add_text(form.keyed ? "}\n" : "\n", 0, parts);
  return parts;
}

std::string table_header(const std::vector<const Column*>& columns, OutputFormat format) {
  const LineForm& form = form_of(format);
  if (form.keyed) return "";
  std::string line;
  for (const Column* column : columns) {
    if (!line.empty()) line += form.separator;
    line += escaped(column->name, form.escape);
  }
  return line + "\n";
}

}  // namespace basesweep
