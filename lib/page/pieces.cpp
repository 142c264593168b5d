#include "lib/page/pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "lib/page/chart.hpp"
#include "lib/page/text.hpp"

namespace basesweep {

std::string section(const RunView& run, const std::string& title, const std::string& body) {
  if (body.empty()) return "";
  std::string id = run.id + "-";
  for (const char c : title) id += c >= 'a' && c <= 'z' ? c : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : '-';
  if (run.headings != nullptr) run.headings->emplace_back(id, title);
  return fmt::format("<section id=\"{0}\"><h{1}>{2}</h{1}>\n{3}</section>\n", id, run.level, escaped(title), body);
}

std::string tiles(const std::vector<Tile>& tiles) {
  std::string html = "<dl class=tiles>";
  for (const auto& [name, value] : tiles) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", escaped(name), escaped(value));
  }
  return html + "</dl>\n";
}

std::string figure(const std::string& title, const std::string& picture, const std::string& note, Width width) {
  if (picture.empty()) return "";
  const bool wide = width == Width::wide;
  return fmt::format(
      "<figure{}><figcaption>{}</figcaption>{}{}{}{}</figure>\n", wide ? " class=wide" : "", escaped(title),
      wide ? fmt::format("<div class=scroll tabindex=0 role=group aria-label=\"{}\">", escaped(title)) : "", picture,
      wide ? "</div>" : "", note.empty() ? "" : "<p class=note>" + escaped(note) + "</p>");
}

std::string grid(const std::string& figures) {
  return figures.empty() ? "" : "<div class=grid>\n" + figures + "</div>\n";
}

std::string row_of_shares(const std::string& figures) {
  return figures.empty() ? "" : "<div class=\"grid fit\">\n" + figures + "</div>\n";
}

std::string note(const std::string& text) { return "<p class=note>" + escaped(text) + "</p>\n"; }

std::string shares(const std::string& title, const std::vector<NamedCount>& parts) {
  double sum = 0;
  for (const NamedCount& part : parts) sum += static_cast<double>(part.count);
  if (sum <= 0) return "";
  std::string bar, names, spoken;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto count = static_cast<double>(parts[i].count);
    const std::string text =
        fmt::format("{} {} ({})", escaped(parts[i].name), grouped(parts[i].count), percent(count, sum));
    spoken += (i == 0 ? "" : ", ") + text;
    names += fmt::format("<span><i class=s{}></i>{}</span> ", i % 6, text);
    if (parts[i].count == 0) continue;
    bar +=
        fmt::format("<i class=s{} style=\"width:{}%\" title=\"{}\"></i>", i % 6, coordinate(100 * count / sum), text);
  }
  const std::string picture =
      fmt::format("<div class=share role=img aria-label=\"{}: {}\">{}</div><p class=legend>{}</p>", escaped(title),
                  spoken, bar, names);
  return figure(title, picture);
}

std::string folded(const std::string& summary, const std::string& content) {
  return fmt::format("<details><summary>{}</summary>{}</details>\n", escaped(summary), content);
}

bool has_option(const RunView& run, const char* option) {
  const auto holds = [option](const Value& words) {
    const std::vector<Value> all = words.elements();
    return std::any_of(all.begin(), all.end(), [option](const Value& word) {
      return word.text() == option || word.text().starts_with(std::string(option) + "=");
    });
  };
  if (holds(run.report.get("command_line"))) return true;
  const std::vector<Value> parts = run.report.get("parts").elements();
  return std::any_of(parts.begin(), parts.end(), [&](const Value& part) { return holds(part.get("command_line")); });
}

std::string without(const RunView& run, const std::string& plot) {
  const Value parameters = run.report.get("parameters");
  const char* why = "The report does not hold the numbers for it.";
  if (run.report.get("part").exists()) {
    why = "The report of merge has them.";
  } else if (parameters.get("output").text() == "count") {
    why = "With --count, hits are counted and their places are not kept.";
  } else if (parameters.get("table").exists()) {
    why = "With --table, the run writes sums of its hits and not the hits.";
  } else if (has_option(run, "--regions-file") || has_option(run, "--region")) {
    why = "Without an index (.fai) of its input, a run that searches regions does not know whole records.";
  } else if (run.report.get("truncated_by_max_hits").shown() == "true") {
    why = "The run stopped at --max-hits, before all records were known.";
  }
  return note("Not shown: " + plot + ". " + why);
}

}  // namespace basesweep
