#include "lib/rows/column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/nearest.hpp"
#include "lib/rows/rows.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kAutosql = "autosql";
constexpr std::string_view kAligned = "aligned";
constexpr std::string_view kAlignedLines = "aligned_";

const char* autosql_type(ColumnType type) {
  switch (type) {
    case ColumnType::integer: return "int";
    case ColumnType::real: return "double";
    case ColumnType::strand: return "char[1]";
    default: return "lstring";
  }
}

const Column& find_column(const Rows& rows, const std::string& name) {
  const Column* const column = rows.find(name);
  if (column == nullptr || column->hidden) {
    std::vector<std::string> known;
    for (const Column& one : rows.columns()) {
      if (!one.hidden && one.lacking.empty()) known.push_back(one.name);
    }
    throw UsageError(fmt::format("--columns {}: there is no such column{}; there are {}", name,
                                 did_you_mean(name, known), fmt::join(known, ", ")));
  }
  if (!column->lacking.empty()) throw UsageError(fmt::format("--columns {}: {}", name, column->lacking));
  return *column;
}

// The columns of these names; `aligned` is both lines of an alignment.
std::vector<const Column*> find_columns(const Rows& rows, const std::vector<std::string>& names) {
  std::vector<const Column*> found;
  const auto add = [&found](const Column& column) {
    if (std::find(found.begin(), found.end(), &column) == found.end()) found.push_back(&column);
  };
  for (const std::string& name : names) {
    std::size_t lines = 0;
    for (const Column& column : rows.columns()) {
      if (name != kAligned || !column.name.starts_with(kAlignedLines)) continue;
      add(column);
      ++lines;
    }
    if (lines == 0) add(find_column(rows, name));
  }
  return found;
}

}  // namespace

const char* word_of(ColumnType type) {
  switch (type) {
    case ColumnType::integer: return "integer";
    case ColumnType::real: return "real";
    case ColumnType::text: return "text";
    case ColumnType::strand: return "strand";
    case ColumnType::cigar: return "CIGAR";
  }
  return "";
}

ShownColumns parse_columns(std::string_view text) {
  ShownColumns choice;
  choice.help = text == "help";
  if (choice.help) return choice;
  const std::string whole(text);
  if (text == kAutosql || text.ends_with(",autosql")) {
    choice.autosql = true;
    text.remove_suffix(std::min(text.size(), kAutosql.size() + 1));
    if (text.empty()) return choice;
  }
  do {
    std::string name(take_to(text, ','));
    const bool adds = name.starts_with('+');
    if (adds) name.erase(0, 1);
    if (name.empty()) throw UsageError(fmt::format("--columns {}: expected names with commas between", whole));
    std::vector<std::string>& to = adds ? choice.added : choice.only;
    if (std::find(to.begin(), to.end(), name) != to.end()) {
      throw UsageError(fmt::format("--columns {}: {} is named twice", whole, name));
    }
    to.push_back(std::move(name));
  } while (!text.empty());
  if (choice.autosql && !choice.only.empty()) {
    throw UsageError(
        fmt::format("--columns {}: BED has columns of its own: write + before those that are added", whole));
  }
  if (!choice.only.empty() && !choice.added.empty()) {
    throw UsageError(
        fmt::format("--columns {}: write + before all names, to add them to the usual columns, or before none", whole));
  }
  return choice;
}

std::vector<const Column*> choose_columns(const Rows& rows, const ShownColumns& choice) {
  std::vector<const Column*> columns = find_columns(rows, choice.only);
  const std::vector<const Column*> added = find_columns(rows, choice.added);
  if (!columns.empty()) {
    for (const Column* column : added) {
      if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
    }
    return columns;
  }
  for (const Column& column : rows.columns()) {
    const bool usual = column.usual && !column.hidden && column.lacking.empty();
    if (usual || std::find(added.begin(), added.end(), &column) != added.end()) columns.push_back(&column);
  }
  return columns;
}

std::string print_columns(const Rows& rows) {
  std::string text = "column\ttype\tusual\tmeaning\n";
  std::map<std::string, std::vector<std::string>> lacking;  // names by reason
  for (const Column& column : rows.columns()) {
    if (column.hidden) continue;
    if (!column.lacking.empty()) {
      lacking[column.lacking].push_back(column.name);
    } else {
      text += fmt::format("{}\t{}\t{}\t{}\n", column.name, word_of(column.type), column.usual ? "yes" : "no",
                          column.meaning);
    }
  }
  for (const auto& [reason, names] : lacking)
    text += fmt::format("# not here: {}: {}\n", fmt::join(names, ", "), reason);
  return text;
}

std::string print_autosql(const Rows& rows, const ShownColumns& choice) {
  constexpr std::array kBed{"string chrom;       \"the record\"",
                            "uint chromStart;    \"the first base, counted from 0\"",
                            "uint chromEnd;      \"the base after the last\"",
                            "string name;        \"what was found\"",
                            "uint score;         \"0 to 1000\"",
                            "char[1] strand;     \"+ or -\"",
                            "uint thickStart;    \"as chromStart\"",
                            "uint thickEnd;      \"as chromEnd\"",
                            "uint reserved;      \"0\"",
                            "int blockCount;     \"the number of blocks\"",
                            "int[blockCount] blockSizes;  \"their sizes\"",
                            "int[blockCount] chromStarts; \"their starts, counted from chromStart\""};
  std::string text = "table basesweep\n\"What basesweep found\"\n    (\n";
  for (std::size_t i = 0; i < rows.bed_columns(); ++i) text += fmt::format("    {}\n", kBed[i]);
  if (!choice.added.empty()) {
    for (const Column* column : choose_columns(rows, {.only = choice.added})) {
      text += fmt::format("    {} {};  \"{}\"\n", autosql_type(column->type), column->name, column->meaning);
    }
  }
  return text + "    )\n";
}

}  // namespace basesweep
