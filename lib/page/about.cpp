#include <fmt/format.h>

#include "lib/page/sections.hpp"
#include "lib/page/table.hpp"
#include "lib/page/text.hpp"

namespace basesweep {
namespace {

std::string fact(const std::string& name, const std::string& html) {
  return html.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>", escaped(name), html);
}

// The words of a command line as a shell takes them.
std::string command_line_of(const Value& words) {
  std::string line;
  for (const Value& element : words.elements()) {
    std::string word = element.shown();
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                            "0123456789-_=+.,:/@%") == std::string::npos;
    if (!plain) {
      for (std::size_t i = word.find('\''); i != std::string::npos; i = word.find('\'', i + 4))
        word.replace(i, 1, "'\\''");
      word = "'" + word + "'";
    }
    line += (line.empty() ? "" : " ") + word;
    if (line.size() > 4000) return shortened(line, 4000);
  }
  return escaped(line);
}

std::string parameter_table(const Value& parameters) {
  HtmlTable table("Parameters", {{"parameter"}, {"value"}});
  for (const auto& [name, value] : parameters.members()) {
    const std::string shown = value.shown();
    table.add({text_cell(name), text_cell(shown.empty() ? "none" : shown)});
  }
  return table.rows() == 0 ? "" : table.html();
}

std::string output_table(const Value& outputs) {
  HtmlTable table("Outputs", {{"option"}, {"file"}});
  const std::size_t all = outputs.size();
  for (std::size_t i = 0; i < all && i < kMostRows; ++i) {
    const Value one = outputs.at(i);
    table.add({text_cell(one.get("option").text()), text_cell(one.get("path").text())});
  }
  if (all > kMostRows) table.set_foot({text_cell(grouped(all - kMostRows) + " more"), text_cell("")});
  return table.rows() == 0 ? "" : table.html();
}

std::string choices_of(const Value& machine) {
  std::string html;
  for (const Value& choice : machine.get("choices").elements())
    html += (html.empty() ? "" : "<br>") + escaped(choice.text());
  return html;
}

}  // namespace

std::string about_run(const RunView& run) {
  const Value report = run.report;
  const Value machine = report.get("machine");
  std::string facts = fact("Command line", "<code>" + command_line_of(report.get("command_line")) + "</code>");
  facts += fact("Version", escaped(report.get("version").text()));
  facts += fact("Started", escaped(report.get("timings").get("started").text()));
  if (const auto seconds = report.get("timings").get("seconds").number()) facts += fact("Took", duration(*seconds));
  facts += fact("Searched with", escaped(machine.get("matcher").text()));
  if (machine.get("threads").exists()) facts += fact("Threads", escaped(machine.get("threads").shown()));
  facts += fact("Why these", choices_of(machine));
  if (const std::size_t parts = report.get("parts").size(); parts > 0) {
    facts += fact("Chunks", grouped(parts) + "; the time is the sum of theirs");
  }
  return section(run, "How it was run",
                 "<dl class=facts>" + facts + "</dl>\n" +
                     folded("Parameters and outputs",
                            parameter_table(report.get("parameters")) + output_table(report.get("outputs"))));
}

}  // namespace basesweep
