#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "lib/page/bands.hpp"
#include "lib/page/sections.hpp"
#include "lib/page/table.hpp"
#include "lib/page/text.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMostComparedRows = 50;
constexpr std::size_t kMostComparedRuns = 50;

using Numbers = std::vector<std::size_t>;  // of runs of one command

// The key under which a command lists what it searched for.
const char* listed_by(const std::string& command) {
  if (command == "motif" || command == "match") return "patterns";
  if (command == "pcr") return "pairs";
  return command == "pwm" ? "matrices" : nullptr;
}

std::string name_of_row(const Value& row) {
  const std::string id = row.get("id").text();
  const std::string name = row.get("name").text();
  return id.empty() || name.empty() || id == name ? id + name : id + " " + name;
}

std::string table_of_runs(const std::string& command, const Numbers& numbers, const std::vector<RunView>& runs,
                          const std::vector<std::string>& names) {
  std::vector<TableColumn> columns{{"run"}};
  for (const KeyNumber& number : key_numbers(runs[numbers.front()])) columns.push_back({number.name, true});
  HtmlTable table(fmt::format("{} of {}", counted_noun(numbers.size(), "run"), command), columns);
  for (const std::size_t i : numbers) {
    std::vector<std::string> cells{html_cell(fmt::format("<a href=\"#{}\">{}</a>", runs[i].id, shortened(names[i])))};
    const std::vector<KeyNumber> found = key_numbers(runs[i]);
    for (std::size_t c = 1; c < columns.size(); ++c) {
      const auto same =
          std::find_if(found.begin(), found.end(), [&](const KeyNumber& n) { return n.name == columns[c].title; });
      cells.push_back(same == found.end() ? number_cell("-") : value_cell(same->value, same->shown));
    }
    table.add(cells);
  }
  return table.html();
}

// Hits of what several runs searched for, by name.
std::string map_of_hits(const std::string& command, const Numbers& numbers, const std::vector<RunView>& runs,
                        const std::vector<std::string>& names) {
  const char* key = listed_by(command);
  if (key == nullptr || numbers.size() < 2) return "";
  std::unordered_map<std::string, std::size_t> places;
  std::vector<HeatRow> rows;
  std::vector<std::uint64_t> sums;
  std::vector<std::string> sequences;
  std::vector<bool> differ;  // its sequence is another one in other runs
  const std::size_t width = std::min(numbers.size(), kMostComparedRuns);
  for (std::size_t c = 0; c < width; ++c) {
    for (const Value& row : runs[numbers[c]].report.get(key).elements()) {
      const std::string name = name_of_row(row);
      const auto [place, added] = places.try_emplace(name, rows.size());
      if (added) {
        rows.push_back({.name = name, .hover = "", .values = std::vector<double>(width, -1)});
        sums.push_back(0);
        sequences.push_back(row.get("sequence").text());
        differ.push_back(false);
      }
      const std::uint64_t hits = hits_of(row);
      if (row.get("sequence").text() != sequences[place->second]) differ[place->second] = true;
      double& value = rows[place->second].values[c];
      value = std::max(value, 0.0) + static_cast<double>(hits);
      sums[place->second] = add_up(sums[place->second], hits);
    }
  }
  // Of a pool, pairs without products are not listed.
  for (HeatRow& row : rows) {
    for (std::size_t c = 0; c < width; ++c) {
      const bool pool = runs[numbers[c]].report.get("parameters").get("pool").text() == "yes";
      if (pool) row.values[c] = std::max(row.values[c], 0.0);
    }
  }
  const std::string hit = command == "pcr" ? "product" : "hit";
  HeatMap map{.summary = "", .x_title = "", .columns = {}, .rows = {}, .unit = hit + "s"};
  for (std::size_t c = 0; c < width; ++c) map.columns.push_back(names[numbers[c]]);
  bool lacking = false;
  std::string others;  // names of patterns with several sequences
  for (const std::size_t i : rows_by_hits(sums, kMostComparedRows)) {
    map.rows.push_back(rows[i]);
    lacking = lacking || *std::min_element(rows[i].values.begin(), rows[i].values.end()) < 0;
    if (differ[i]) others += (others.empty() ? "" : ", ") + cut(rows[i].name);
    map.rows.back().hover = rows[i].name + ": " + counted_noun(sums[i], hit);
  }
  map.turn_labels = true;
  map.summary = fmt::format("Heat map of the {}s of {} {} in {} runs", hit, grouped(map.rows.size()), key, width);
  std::string below;
  if (rows.size() > map.rows.size())
    below = fmt::format("The {} {} with the most {}s are shown. ", map.rows.size(), key, hit);
  if (lacking) below += "A blank field: the run did not search for it. ";
  if (numbers.size() > width) below += fmt::format("The first {} of {} runs are shown. ", width, numbers.size());
  if (!others.empty()) below += "Same name, but not the same sequence in all runs: " + others + ".";
  return figure(fmt::format("{}s in each run", command == "pcr" ? "Product" : "Hit"), draw(map), below, Width::wide);
}

}  // namespace

std::string compare_runs(const std::vector<RunView>& runs, const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, Numbers>> commands;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string command = runs[i].report.get("command").text();
    auto place = std::find_if(commands.begin(), commands.end(), [&](const auto& one) { return one.first == command; });
    if (place == commands.end()) place = commands.insert(commands.end(), {command, {}});
    place->second.push_back(i);
  }
  std::string html;
  for (const auto& [command, numbers] : commands) {
    html += table_of_runs(command, numbers, runs, names) + map_of_hits(command, numbers, runs, names);
  }
  return html;
}

}  // namespace basesweep
