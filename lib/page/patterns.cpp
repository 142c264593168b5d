#include <fmt/format.h>

#include <algorithm>

#include "lib/page/bands.hpp"
#include "lib/page/chart.hpp"
#include "lib/page/sections.hpp"
#include "lib/page/table.hpp"
#include "lib/page/text.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMostHeatRows = 40;
constexpr std::size_t kMostNames = 30;       // of patterns without hits
constexpr std::size_t kMostPositions = 200;  // of a pattern

std::vector<std::uint64_t> hits_of_patterns(const Value& patterns) {
  std::vector<std::uint64_t> hits;
  hits.reserve(patterns.size());
  for (std::size_t i = 0; i < patterns.size(); ++i) hits.push_back(hits_of(patterns.at(i)));
  return hits;
}

// The hits of a pattern with 0, 1, 2 ... edits, on both strands (--by-edits).
std::vector<std::uint64_t> edits_of(const Value& pattern) {
  std::vector<std::uint64_t> sums;
  for (const auto& [strand, counts] : pattern.get("counts_by_edits").members()) {
    const std::vector<std::uint64_t> more = counts.counts();
    sums.resize(std::min<std::size_t>(std::max(sums.size(), more.size()), 12));
    for (std::size_t i = 0; i < more.size() && i < sums.size(); ++i) sums[i] = add_up(sums[i], more[i]);
  }
  return sums;
}

std::string pattern_table(const Value& patterns, const std::vector<std::uint64_t>& hits) {
  const std::size_t edits = edits_of(patterns.at(0)).size();
  std::vector<TableColumn> columns{{"no.", true}, {"pattern"}, {"hits", true}, {"on +", true}, {"on \u2212", true}};
  for (std::size_t e = 0; e < edits; ++e) columns.push_back({counted_noun(e, "edit"), true});
  columns.push_back({"sequence"});
  const std::vector<std::size_t> rows = rows_by_hits(hits, kMostRows);
  HtmlTable table(rows.size() < hits.size() ? "Hits per pattern: those with the most hits" : "Hits per pattern",
                  columns);
  std::uint64_t shown = 0;
  for (const std::size_t i : rows) {
    const Value pattern = patterns.at(i);
    const Value counts = pattern.get("counts");
    shown = add_up(shown, hits[i]);
    std::vector<std::string> cells{count_cell(i + 1), text_cell(pattern.get("name").text()),
                                   bar_cell(hits[i], hits[rows.front()])};
    for (const char* strand : {"+", "-"}) {
      cells.push_back(counts.get(strand).exists() ? count_cell(counts.get(strand).count()) : number_cell("-"));
    }
    std::vector<std::uint64_t> by_edits = edits_of(pattern);
    by_edits.resize(edits);
    for (const std::uint64_t count : by_edits) cells.push_back(count_cell(count));
    cells.push_back(code_cell(pattern.get("sequence").text()));
    table.add(cells);
  }
  if (rows.size() < hits.size()) {
    table.set_foot(
        {text_cell(""), text_cell(more_of(hits.size() - rows.size(), "pattern")), count_cell(total_of(hits) - shown)});
  }
  return table.html();
}

// The sentence that explains "-" in the table of patterns.
std::string lacking_strands(const Value& patterns) {
  const std::vector<Value> all = patterns.elements();
  const bool lacking =
      std::any_of(all.begin(), all.end(), [](const Value& pattern) { return pattern.get("counts").size() == 1; });
  return lacking ? note("-: hits are not reported on this strand, of palindromes because they would be the same.") : "";
}

// The names of patterns that have no hit.
std::string without_hits(const Value& patterns, const std::vector<std::uint64_t>& hits) {
  std::string names;
  std::size_t without = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (hits[i] != 0) continue;
    if (without++ < kMostNames) names += (names.empty() ? "" : ", ") + cut(patterns.at(i).get("name").text());
  }
  if (without == 0 || hits.empty()) return "";
  if (without > kMostNames) names += fmt::format(" and {} more", grouped(without - kMostNames));
  return note(fmt::format("Without hits ({} of {}): {}", grouped(without), grouped(hits.size()), names));
}

// Mismatches, insertions and deletions by position in the pattern.
std::string position_chart(const Value& all) {
  constexpr std::pair<const char*, const char*> kKinds[] = {
      {"mismatches", "mismatches"}, {"insertions", "insertions"}, {"deletions", "deletions"}};
  Chart chart{
      .summary = "", .x_title = "position in the pattern, from its 5\u2032 end (bases)", .y_title = "edits (bases)"};
  chart.categories = true;
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    chart.series.emplace_back(kKinds[k].second);
    const std::vector<std::uint64_t> counts = all.get(kKinds[k].first).counts();
    for (std::size_t i = 0; i < counts.size() && i < kMostPositions; ++i) {
      if (i >= chart.bars.size()) {
        const auto place = static_cast<double>(i);
        chart.bars.push_back({place, place + 1, {0, 0, 0}, std::to_string(i + 1)});
      }
      chart.bars[i].values[k] += static_cast<double>(counts[i]);
      sum = add_up(sum, counts[i]);
    }
  }
  chart.summary = fmt::format("Stacked bars of {} by position in the pattern", counted_noun(sum, "edit"));
  return sum == 0 ? "" : draw(chart);
}

// The hits of a pattern with an edit at each position. Older reports count the bases of the text that the pattern
// lacks, which may be several of one hit, so these are left out then.
std::vector<std::uint64_t> hits_with_edits(const Value& pattern) {
  if (pattern.get("hits_with_edits").exists()) return pattern.get("hits_with_edits").counts();
  std::vector<std::uint64_t> sums = pattern.get("mismatches").counts();
  const std::vector<std::uint64_t> insertions = pattern.get("insertions").counts();
  sums.resize(std::max(sums.size(), insertions.size()));
  for (std::size_t i = 0; i < insertions.size(); ++i) sums[i] = add_up(sums[i], insertions[i]);
  return sums;
}

// The share of a pattern's hits that have an edit at each position.
HeatRow position_row(const Value& pattern) {
  const double hits = std::max(pattern.get("hits").number_or(0), 1.0);
  HeatRow row{.name = pattern.get("name").text(), .hover = "", .values = {}};
  for (const std::uint64_t count : hits_with_edits(pattern)) {
    if (row.values.size() < kMostPositions) row.values.push_back(std::min(static_cast<double>(count) / hits, 1.0));
  }
  row.hover = row.name + ": " + counted_noun(pattern.get("hits").count(), "hit");
  const auto worst = std::max_element(row.values.begin(), row.values.end());
  if (worst != row.values.end() && *worst > 0) {
    row.hover +=
        fmt::format("; most edits at position {}: {} of hits", worst - row.values.begin() + 1, percent(*worst, 1));
  }
  return row;
}

std::string position_map(const Value& patterns) {
  std::vector<std::uint64_t> hits;
  for (const Value& pattern : patterns.elements()) hits.push_back(pattern.get("hits").count());
  HeatMap map{.summary = "",
              .x_title = "position in the pattern, from its 5\u2032 end (bases)",
              .columns = {},
              .rows = {},
              .unit = ""};
  std::size_t widest = 0;
  for (const std::size_t i : rows_by_hits(hits, kMostHeatRows)) {
    if (hits[i] == 0) continue;
    map.rows.push_back(position_row(patterns.at(i)));
    widest = std::max(widest, map.rows.back().values.size());
  }
  for (std::size_t i = 0; i < widest; ++i) map.columns.push_back(std::to_string(i + 1));
  map.shares = true;
  map.unit = "of the pattern's hits have an edit there";
  map.summary = fmt::format("Heat map of the edits of {} by position", counted_noun(map.rows.size(), "pattern"));
  std::string below;
  if (map.rows.size() == kMostHeatRows)
    below = fmt::format("The {} patterns with the most hits are shown.", kMostHeatRows);
  if (!map.rows.empty() && !patterns.at(0).get("hits_with_edits").exists())
    below += " Bases of the text that the pattern lacks are not counted: the report is of an older version.";
  return figure("Where each pattern has its edits", draw(map), below, Width::wide);
}

std::string starts_chart(const RunView& run) {
  const std::vector<Bin> bins = bins_of(run.plots().get("starts"));
  return figure("Where hits begin in the reads",
                draw(chart_of_bins({{"hits", bins}}, "first base in the read (0-based)", "hits")));
}

}  // namespace

std::string show_patterns(const RunView& run) {
  const Value patterns = run.report.get("patterns");
  const std::vector<std::uint64_t> hits = hits_of_patterns(patterns);
  std::string table = hits.empty()
                          ? note("The report lists no patterns.")
                          : pattern_table(patterns, hits) + lacking_strands(patterns) + without_hits(patterns, hits);
  const Value plots = run.plots();
  std::string figures;
  const std::vector<std::uint64_t> edits = plots.get("edits").counts();
  if (total_of(edits) > 0) figures += figure("Edits per hit", draw(chart_of_counts(edits, "edits", "hit")));
  const Value positions = plots.get("edit_positions");
  figures += figure("Edits by position", position_chart(positions.get("all")));
  figures += starts_chart(run);
  std::string places =
      row_of_shares(strands_figure(run)) + strands_note(run) + grid(figures) + position_map(positions.get("patterns"));
  const std::string records = records_figure(run, "hit");
  if (records.empty() && plots.get("starts").size() == 0) {
    places += without(run, "the density of hits along records");
  }
  const bool approximate = run.report.get("command").text() == "match";
  if (approximate && !positions.exists() && total_of(hits) > 0) {
    places += without(run, total_of(edits) == 0 ? "hits by edits; edits by position, of all and of each pattern"
                                                : "edits by position, of all and of each pattern");
  }
  const std::string first = section(run, "Patterns", table);
  return first + section(run, "Hits", places + records);
}

}  // namespace basesweep
