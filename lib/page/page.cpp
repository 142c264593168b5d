#include "lib/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lib/base/error.hpp"
#include "lib/page/assets.hpp"
#include "lib/page/logo.hpp"
#include "lib/page/sections.hpp"
#include "lib/page/text.hpp"

namespace basesweep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "basesweep-report/1";

// Throws DataError unless it is the report of a run.
void check_report(const Json& report, const std::string& name) {
  const std::string schema = Value(report).get("schema").text();
  if (schema == kSchema) return;
  if (schema.empty()) {
    throw DataError(fmt::format("{}: not a report of basesweep: expected the schema {}", name, kSchema));
  }
  if (schema.starts_with("basesweep-report/")) {
    throw DataError(fmt::format("{}: its schema is {}, and this version reads {}", name, schema, kSchema));
  }
  throw DataError(fmt::format("{}: its schema is {}, expected {}: the report of a search or of reads (--json)", name,
                              schema, kSchema));
}

// What its command found.
std::string findings_of_run(const RunView& run) {
  const std::string command = run.report.get("command").text();
  if (command == "motif" || command == "match") return show_patterns(run);
  if (command == "pcr") return show_pairs(run);
  if (command == "pwm") return show_matrices(run);
  if (command == "guides") return show_guides(run);
  if (command == "map") return show_mapping(run);
  if (command == "demux") return show_demux(run);
  if (command == "trim") return show_trim(run);
  if (command == "count") return show_counts(run);
  return note("This version of basesweep has no pictures for the command " + (command.empty() ? "(none)" : command) +
              ".");
}

// Sentences that must be read before the numbers.
std::string warnings_of(const Value& report) {
  std::string html;
  const auto warn = [&html](const std::string& text) { html += "<p class=warn>" + escaped(text) + "</p>\n"; };
  for (const char* key : {"truncated_by_max_hits", "truncated_by_max_products"}) {
    if (report.get(key).shown() == "true")
      warn("The output was cut off at the limit that the command line gives, so these numbers are too small.");
  }
  if (report.get("part").exists()) warn("This is the report of one chunk, not of the whole run.");
  return html;
}

std::string body_of(const RunView& run) {
  std::vector<Tile> large;
  for (const KeyNumber& number : key_numbers(run)) large.emplace_back(number.name, number.shown);
  std::string body = warnings_of(run.report) + tiles(large);
  body += findings_of_run(run);
  body += searched_text(run);
  return body + about_run(run);
}

// "match, basesweep 1.0.0-rc1, 2026-11-29T07:31:33Z"
std::string lead_of(const Value& report) {
  std::string lead = "basesweep " + report.get("command").text();
  if (const std::string version = report.get("version").text(); !version.empty()) lead += ", version " + version;
  if (const std::string started = report.get("timings").get("started").text(); !started.empty())
    lead += ", run on " + started;
  return "<p class=lead>" + shortened(lead, 200) + "</p>\n";
}

std::string links(const std::vector<std::pair<std::string, std::string>>& headings) {
  std::string html = "<nav aria-label=Contents>";
  for (const auto& [id, title] : headings) html += fmt::format("<a href=\"#{}\">{}</a> ", id, shortened(title));
  return html + "</nav>\n";
}

// Shapes that pictures refer to.
std::string shapes_for(const std::string& content) {
  return content.find("href=\"#lA\"") == std::string::npos ? "" : logo_letters();
}

std::string document(const std::string& title, const std::string& header, const std::string& content) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
      "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; script-src "
      "'unsafe-inline'\">\n<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=generator content=\"basesweep "
      "{}\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<header>\n"
      "<h1>{}</h1>\n{}</header>\n<main>\n{}{}</main>\n<footer>Made by basesweep. The page holds all that it shows and "
      "asks no "
      "server for anything.</footer>\n<script>\n{}</script>\n</body>\n</html>\n",
      BASESWEEP_VERSION, title, kPageStyle, title, header, shapes_for(content), content, kPageScript);
}

}  // namespace

void check_page_options(const PageOptions& options) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  };
  if (!std::all_of(options.genome.begin(), options.genome.end(), plain)) {
    throw UsageError(fmt::format("--genome {}: expected the name of an assembly, such as hg38", options.genome));
  }
}

Json parse_report(const std::string& text, const std::string& path) {
  Json report;
  try {
    report = Json::parse(text);
  } catch (const Json::parse_error& error) {
    if (std::string_view(error.what()).find("unexpected end of input") != std::string_view::npos) {
      throw DataError(fmt::format("{}: ends too early, after {}: expected a whole report of basesweep (--json)", path,
                                  counted_noun(text.size(), "byte")));
    }
    throw DataError(fmt::format("{}: byte {}: not JSON, expected a report of basesweep (--json)", path, error.byte));
  } catch (const Json::exception&) {
    throw DataError(fmt::format("{}: not JSON that can be read, expected a report of basesweep (--json)", path));
  }
  check_report(report, path);
  return report;
}

std::string render_page(const std::vector<PageRun>& runs, const PageOptions& options) {
  check_page_options(options);
  std::vector<std::pair<std::string, std::string>> headings;
  std::vector<RunView> views;
  std::vector<std::string> names;
  for (const PageRun& run : runs) {
    check_report(run.report, run.name);
    names.push_back(run.name);
    views.push_back({Value(run.report), fmt::format("r{}", views.size() + 1), options.genome, 2, &headings});
  }
  const std::string title = !options.title.empty() ? escaped(options.title)
                            : runs.size() == 1 ? escaped("basesweep " + views[0].report.get("command").text() + ": ") +
                                                     shortened(names[0], 80)
                                               : fmt::format("basesweep: {}", counted_noun(runs.size(), "run"));
  if (runs.size() == 1) {
    const std::string body = body_of(views.front());
    return document(title, lead_of(views.front().report) + links(headings), body);
  }
  std::string body = compare_runs(views, names);
  std::vector<std::pair<std::string, std::string>> targets;
  for (std::size_t i = 0; i < views.size(); ++i) {
    views[i].level = 3;
    targets.emplace_back(views[i].id, names[i]);
    body += fmt::format("<article class=run id={}>\n<h2>{}</h2>\n{}{}</article>\n", views[i].id,
                        shortened(names[i], 80), lead_of(views[i].report), body_of(views[i]));
  }
  return document(title, links(targets), body);
}

}  // namespace basesweep
