#include "lib/rows/column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
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

// The ways in which a column is in the shape of a line: its value, also in another form, or an attribute of its name.
constexpr std::array kWays{"{{{}}}", "{{{}+1}}", "{{{}:", ";{}=", " {}="};

// bedToBigBed refuses "." as a number.
const char* autosql_type(const Column& column) {
  switch (column.type) {
    case ColumnType::integer: return column.may_be_absent ? "string" : "int";
    case ColumnType::real: return column.may_be_absent ? "string" : "double";
    case ColumnType::strand: return "char[1]";
    default: return "lstring";
  }
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
    if (lines == 0) add(choose_column(rows, name, fmt::format("--columns {}", name)));
  }
  return found;
}

// Whether lines of this shape have the column, or another one under its name.
bool has_column(std::string_view line, const std::string& name) {
  return std::any_of(std::begin(kWays), std::end(kWays), [&](const char* way) {
    return line.find(fmt::format(fmt::runtime(way), name)) != std::string_view::npos;
  });
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

const Column& choose_column(const Rows& rows, const std::string& name, const std::string& choice,
                            const std::vector<std::string>& others) {
  const Column* const column = rows.find(name);
  if (column != nullptr && column->can_be_chosen()) return *column;
  if (column != nullptr && !column->hidden) throw UsageError(fmt::format("{}: {}", choice, column->lacking));
  std::vector<std::string> known;
  for (const Column& one : rows.columns()) {
    if (one.can_be_chosen()) known.push_back(one.name);
  }
  known.insert(known.end(), others.begin(), others.end());
  throw UsageError(fmt::format("{}: there is no such column{}; there are {}", choice, did_you_mean(name, known),
                               fmt::join(known, ", ")));
}

std::vector<const Column*> choose_columns(const Rows& rows, const ShownColumns& choice) {
  std::vector<const Column*> columns = find_columns(rows, choice.only);
  const std::vector<const Column*> added = find_columns(rows, choice.added);
  const auto has = [](const std::vector<const Column*>& some, const Column* column) {
    return std::find(some.begin(), some.end(), column) != some.end();
  };
  if (!columns.empty()) {
    std::copy_if(added.begin(), added.end(), std::back_inserter(columns),
                 [&](const Column* column) { return !has(columns, column); });
    return columns;
  }
  for (const Column& column : rows.columns()) {
    if (column.is_usual() || has(added, &column)) columns.push_back(&column);
  }
  return columns;
}

std::vector<const Column*> added_columns(const Rows& rows, OutputFormat format, const ShownColumns& choice) {
  const std::string line = rows.shape(format).line;
  const auto erase_own = [&line](std::vector<const Column*>& columns) {
    std::erase_if(columns, [&line](const Column* column) { return has_column(line, column->name); });
  };
  std::vector<const Column*> added = find_columns(rows, choice.added);
  erase_own(added);
  if (choice.only.empty()) return added;
  std::vector<const Column*> lacking = find_columns(rows, choice.only);
  erase_own(lacking);
  std::string cure;
  for (const Column* column : lacking) cure += (cure.empty() ? ", or add what it lacks: +" : ",+") + column->name;
  throw UsageError(fmt::format("--columns {}: {} has columns of its own: choose a table, such as csv{}",
                               fmt::join(choice.only, ","), noun_of(format), cure));
}

std::string print_columns(const Rows& rows) {
  std::string text = "column\ttype\tusual\tmeaning\n";
  std::map<std::string, std::vector<std::string>> lacking;  // names by reason
  for (const Column& column : rows.columns()) {
    if (column.can_be_chosen()) {
      text += fmt::format("{}\t{}\t{}\t{}\n", column.name, word_of(column.type), column.usual ? "yes" : "no",
                          column.meaning);
    } else if (!column.hidden) {
      lacking[column.lacking].push_back(column.name);
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
                            "uint reserved;      \"the colour, or 0\"",
                            "int blockCount;     \"the number of blocks\"",
                            "int[blockCount] blockSizes;  \"their sizes\"",
                            "int[blockCount] chromStarts; \"their starts, counted from chromStart\""};
  if (rows.shape(OutputFormat::bed).line.empty()) {
    throw UsageError("--columns autosql: it describes BED, and there is no BED of these rows");
  }
  std::string text = "table basesweep\n\"What basesweep found\"\n    (\n";
  for (std::size_t i = 0; i < rows.bed_columns(); ++i) text += fmt::format("    {}\n", kBed[i]);
  for (const Column* column : added_columns(rows, OutputFormat::bed, choice)) {
    // BED itself has a name and a score, and names of fields are unique.
    const bool is_taken = text.find(fmt::format(" {};", column->name)) != std::string::npos;
    text += fmt::format("    {} {}{};  \"{}\"\n", autosql_type(*column), column->name, is_taken ? "_2" : "",
                        column->meaning);
  }
  return text + "    )\n";
}

}  // namespace basesweep
