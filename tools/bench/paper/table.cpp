#include "tools/bench/paper/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace basesweep::paper {
namespace {

constexpr std::size_t kLineColumns = 120;  // where text is wrapped

// The paper's figures, without zeros at the end of their decimals; ours to three or four digits.
std::string number(double value, By by) {
  if (by == By::paper) return fmt::format("{:.7g}", value);
  if (value < 1) return fmt::format("{:.3g}", value);
  return value < 1000 ? fmt::format("{:.4g}", value) : fmt::format("{:.0f}", value);
}

std::string cell_text(const Cell& cell, By by) {
  if (const auto* value = std::get_if<double>(&cell)) return number(*value, by);
  if (const auto* words = std::get_if<std::string>(&cell)) return *words;
  if (const auto* range = std::get_if<Range>(&cell)) {
    const std::string to = number(range->to, by);
    return range->from ? number(*range->from, by) + " - " + to : "to " + to;
  }
  return "-";
}

// Text wrapped between words. Its first line begins with `first`, all others with `next`.
std::string paragraph(const std::string& first, const std::string& next, const std::string& text) {
  std::string lines;
  std::string line = first;
  bool begun = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (begun && line.size() + 1 + word.size() > kLineColumns) {
      lines += line + '\n';
      line = next;
      begun = false;
    }
    line += (begun ? " " : "") + word;
    begun = true;
    at = end + 1;
  }
  return lines + line + '\n';
}

const char* by_text(By by) { return by == By::paper ? "paper" : "ours"; }

std::string grid(const Table& table) {
  std::size_t label_width = 0;
  std::size_t unit_width = table.over.size();
  std::vector<std::size_t> widths;
  for (const std::string& column : table.columns) widths.push_back(column.size());
  for (const Row& row : table.rows) {
    label_width = std::max(label_width, row.label.size());
    unit_width = std::max(unit_width, row.unit.size());
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      widths[c] = std::max(widths[c], cell_text(row.cells[c], row.by).size());
    }
  }
  std::string text = fmt::format("         {:<{}}  {:>{}}", "", label_width, table.over, unit_width);
  for (std::size_t c = 0; c < table.columns.size(); ++c) text += fmt::format("  {:>{}}", table.columns[c], widths[c]);
  text += '\n';
  for (const Row& row : table.rows) {
    text += fmt::format("  {:<5}  {:<{}}  {:<{}}", by_text(row.by), row.label, label_width, row.unit, unit_width);
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      text += fmt::format("  {:>{}}", cell_text(row.cells[c], row.by), widths[c]);
    }
    text += '\n';
  }
  return text;
}

using Json = nlohmann::ordered_json;

Json cell_json(const Cell& cell) {
  if (const auto* value = std::get_if<double>(&cell)) return *value;
  if (const auto* words = std::get_if<std::string>(&cell)) return *words;
  if (const auto* range = std::get_if<Range>(&cell)) {
    return {{"from", range->from ? Json(*range->from) : Json()}, {"to", range->to}};
  }
  return nullptr;
}

Json table_json(const Table& table) {
  Json rows = Json::array();
  for (const Row& row : table.rows) {
    Json values = Json::array();
    for (const Cell& cell : row.cells) values.push_back(cell_json(cell));
    rows.push_back({{"by", by_text(row.by)}, {"label", row.label}, {"unit", row.unit}, {"values", std::move(values)}});
  }
  return {{"id", table.id},       {"title", table.title}, {"paper", table.paper},     {"ours", table.ours},
          {"notes", table.notes}, {"over", table.over},   {"columns", table.columns}, {"rows", std::move(rows)}};
}

}  // namespace

std::string to_text(const Table& table) {
  std::string text = '\n' + paragraph("", "", table.title);
  text += paragraph("  paper: ", "         ", table.paper);
  if (!table.ours.empty()) text += paragraph("  ours:  ", "         ", table.ours);
  for (const std::string& note : table.notes) text += paragraph("  ", "  ", note);
  if (!table.rows.empty()) text += '\n' + grid(table);
  return text;
}

std::string to_json(const Results& results) {
  Json json;
  json["schema"] = "basesweep-bench-paper/1";
  json["version"] = BASESWEEP_VERSION;
  for (const auto& [key, value] : results.conditions) json[key] = value;
  json["right"] = results.wrong.empty();
  json["wrong"] = results.wrong;
  json["tables"] = Json::array();
  for (const Table& table : results.tables) json["tables"].push_back(table_json(table));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace basesweep::paper
