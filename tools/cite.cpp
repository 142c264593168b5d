// basesweep cite: prints CITATION.cff as text, as BibTeX or as it is.
#include <fmt/format.h>

#include <sstream>

#include "tools/citation.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/options.hpp"
#include "tools/print.hpp"

namespace basesweep {
namespace {

enum class CiteFormat { text, bibtex, cff };

// The value in a line "KEY: VALUE", without quotes; "" if the line has another key.
std::string value_behind(const std::string& line, const std::string& key) {
  if (!line.starts_with(key + ": ")) return "";
  std::string value = line.substr(key.size() + 2);
  const bool quoted =
      value.size() > 1 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front();
  return quoted ? value.substr(1, value.size() - 2) : value;
}

// The value of a key of CITATION.cff. The file is read line by line; tests compare the result with that of a YAML
// parser.
std::string field(const std::string& key) {
  std::istringstream lines{std::string(kCitation)};
  for (std::string line; std::getline(lines, line);) {
    if (std::string value = value_behind(line, key); !value.empty()) return value;
  }
  return "";
}

// The authors: "Given Family" for persons, the name for others. `braces`: puts such names in braces, as BibTeX wants.
std::vector<std::string> authors(bool braces) {
  std::vector<std::string> all;
  std::istringstream lines{std::string(kCitation)};
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(' ')) inside = line == "authors:";
    if (!inside) continue;
    const std::string name = value_behind(line, "  - name");
    const std::string family = value_behind(line, "  - family-names");
    const std::string given = value_behind(line, "    given-names");
    if (!name.empty()) all.push_back(braces ? "{" + name + "}" : name);
    if (!family.empty()) all.push_back(family);
    if (!given.empty()) all.back() = given + " " + all.back();
  }
  return all;
}

std::string year() { return field("date-released").substr(0, 4); }

std::string where() {
  for (const char* key : {"doi", "url", "repository-code"}) {
    if (const std::string place = field(key); !place.empty())
      return key == std::string("doi") ? "https://doi.org/" + place : place;
  }
  return "";
}

std::string print_text() {
  std::string line =
      fmt::format("{}: {}, version {}", fmt::join(authors(false), ", "), field("title"), field("version"));
  for (const std::string& part : {year(), where()}) line += part.empty() ? "" : ", " + part;
  return fmt::format("{}\n\n  {}\n", field("message"), line);
}

std::string print_bibtex() {
  std::string entry = fmt::format("@misc{{{0},\n  author = {{{1}}},\n  title = {{{{{0}}}}},\n  note = {{Version {2}}}",
                                  field("title"), fmt::join(authors(true), " and "), field("version"));
  if (!year().empty()) entry += fmt::format(",\n  year = {{{}}}", year());
  if (!where().empty()) entry += fmt::format(",\n  url = {{{}}}", where());
  return entry + "\n}\n";
}

std::string print_citation(CiteFormat format) {
  switch (format) {
    case CiteFormat::text: return print_text();
    case CiteFormat::bibtex: return print_bibtex();
    case CiteFormat::cff: return kCitation;
  }
  return "";
}

}  // namespace

std::function<int()> add_cite_command(CLI::App& app) {
  auto format = std::make_shared<CiteFormat>(CiteFormat::text);
  CLI::App& command =
      add_command(app, "cite", "Print how to cite basesweep", kReferenceCommands,
                  {.synopsis = {"[OPTIONS]"},
                   .examples = {{"As text", {"basesweep cite"}},
                                {"Add it to a bibliography", {"basesweep cite --format bibtex >> references.bib"}}},
                   .exit_codes = {{"0", "done"}, {"2", "the command line is wrong"}, {"4", "stdout cannot be written"}},
                   .see_also = {"help"}});
  begin_group(command, group::kOutput);
  add_choice<CiteFormat>(command, "--format", *format,
                         {{"text", CiteFormat::text}, {"bibtex", CiteFormat::bibtex}, {"cff", CiteFormat::cff}},
                         "Text (default), BibTeX, or the Citation File Format");
  return [format] { return print(print_citation(*format)); };
}

}  // namespace basesweep
