#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lib/page/bands.hpp"
#include "lib/page/chart.hpp"
#include "lib/page/sections.hpp"
#include "lib/page/table.hpp"
#include "lib/page/text.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMostRecords = 50;

std::string input_table(const RunView& run) {
  const Value inputs = run.report.get("inputs");
  const bool counted = sum_of_inputs(run, "bases").has_value();
  const bool with_hits = sum_of_inputs(run, "hits").has_value();
  std::vector<TableColumn> columns{{"file"}, {"format"}, {"compression"}};
  if (counted)
    columns.insert(columns.end(), {{"records", true}, {"bases", true}, {"not A, C, G, T", true}, {"share", true}});
  if (with_hits) columns.push_back({"hits", true});
  HtmlTable table("Files", columns);
  for (std::size_t i = 0; i < inputs.size() && i < kMostRows; ++i) {
    const Value input = inputs.at(i);
    std::vector<std::string> cells{path_cell(input.get("path").text()), text_cell(input.get("format").text()),
                                   text_cell(input.get("compression").text())};
    if (counted) {
      const std::uint64_t others = input.get("not_acgt").count();
      const std::uint64_t all = input.get("bases").count();
      cells.insert(cells.end(), {count_cell(input.get("records").count()), count_cell(all), count_cell(others),
                                 number_cell(percent(static_cast<double>(others), static_cast<double>(all)))});
    }
    if (with_hits) cells.push_back(count_cell(input.get("hits").count()));
    table.add(cells);
  }
  if (inputs.size() > kMostRows) table.set_foot({text_cell(more_of(inputs.size() - kMostRows, "file"))});
  return table.rows() == 0 ? note("The report names no inputs.") : table.html();
}

}  // namespace

RecordBar bar_of(const Value& record, const std::string& noun) {
  RecordBar bar;
  bar.name = record.get("name").text();
  bar.counts = record.get("counts").counts();
  if (bar.counts.size() > 4096) bar.counts.resize(4096);
  bar.bin = std::max(record.get("bin").number_or(1), 1.0);
  const auto known = record.get("length").number();
  bar.length = std::max(known.value_or(bar.bin * static_cast<double>(bar.counts.size())), 1.0);
  const std::uint64_t hits = record.get("hits").count();
  bar.hover = bar.name + ": " + (known ? bases(record.get("length").count()) + ", " : "") + counted_noun(hits, noun);
  const auto most = std::max_element(bar.counts.begin(), bar.counts.end());
  if (most != bar.counts.end() && *most > 0) {
    const auto start = static_cast<std::uint64_t>(static_cast<double>(most - bar.counts.begin()) * bar.bin);
    bar.hover += fmt::format("; most in a bin of {}: {} from {} on", bases(static_cast<std::uint64_t>(bar.bin)),
                             grouped(*most), grouped(start));
  }
  return bar;
}

std::optional<std::uint64_t> sum_of_inputs(const RunView& run, const char* key) {
  std::optional<std::uint64_t> sum;
  for (const Value& input : run.report.get("inputs").elements()) {
    if (input.get(key).number()) sum = add_up(sum.value_or(0), input.get(key).count());
  }
  return sum;
}

std::vector<std::size_t> rows_by_hits(const std::vector<std::uint64_t>& hits, std::size_t most) {
  std::vector<std::size_t> rows(hits.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(most, rows.size()));
  std::partial_sort(rows.begin(), end, rows.end(),
                    [&](std::size_t a, std::size_t b) { return hits[a] != hits[b] ? hits[a] > hits[b] : a < b; });
  rows.erase(end, rows.end());
  return rows;
}

std::string searched_text(const RunView& run) {
  const auto all = sum_of_inputs(run, "bases");
  std::string figures;
  if (all && *all > 0) {
    const std::uint64_t others = std::min(sum_of_inputs(run, "not_acgt").value_or(0), *all);
    figures += shares("Letters of the text", {{"A, C, G, T", *all - others}, {"N and other letters", others}});
    if (const auto masked = sum_of_inputs(run, "soft_masked")) {
      const std::uint64_t lower = std::min(*masked, *all);
      figures += shares("Case of the text", {{"upper case", *all - lower}, {"lower case (soft-masked)", lower}});
    }
  }
  return section(run, all ? "What was searched" : "Inputs", row_of_shares(figures) + input_table(run));
}

std::string records_figure(const RunView& run, const std::string& noun) {
  const Value records = run.plots().get("records");
  std::vector<RecordBar> bars;
  for (std::size_t i = 0; i < records.get("listed").size() && i < kMostRecords; ++i) {
    bars.push_back(bar_of(records.get("listed").at(i), noun));
  }
  if (bars.empty()) return "";
  // Of the records themselves the report does not say where they were searched.
  const bool regions = has_option(run, "--region") || has_option(run, "--regions-file");
  const std::size_t all = bars.size();
  if (regions) std::erase_if(bars, [](const RecordBar& bar) { return total_of(bar.counts) == 0; });
  const std::string limited =
      "Only regions were searched (--region or --regions-file): where a bar has no colour, it was "
      "not searched or has no " +
      noun + "s. ";
  if (bars.empty())
    return note("Density along the records: none of the longest has a " + noun + ". Only regions were searched.");
  const Value others = records.get("others");
  std::string below = regions ? limited : "";
  if (all > bars.size())
    below +=
        fmt::format("{} of the longest without {}s are not drawn. ", counted_noun(all - bars.size(), "record"), noun);
  if (const std::uint64_t more = others.get("records").count(); more > 0) {
    below +=
        fmt::format("The longest {} are shown; {} more with {} have {}.", counted_noun(all, "record"), grouped(more),
                    bases(others.get("bases").count()), counted_noun(others.get("hits").count(), noun));
  }
  const std::string summary =
      fmt::format("{} as bars, darker where more {}s start per base; hover texts give their numbers",
                  counted_noun(bars.size(), "record"), escaped(noun));
  return figure("Density of " + noun + "s along the records", draw_records(bars, summary, noun + "s", Rate::density),
                below, Width::wide);
}

std::string strands_figure(const RunView& run) {
  const Value strands = run.plots().get("strands");
  std::uint64_t plus = 0;
  std::uint64_t minus = 0;
  bool listed = false;
  bool on_minus = false;  // some are reported on that strand
  for (const char* key : {"patterns", "pairs", "matrices"}) {
    for (const Value& row : run.report.get(key).elements()) {
      const Value counts = row.get("counts");
      plus = add_up(plus, counts.get("+").count());
      minus = add_up(minus, counts.get("-").count());
      listed = listed || counts.size() > 0;
      on_minus = on_minus || counts.get("-").exists();
    }
  }
  if (strands.exists()) {
    plus = strands.get("+").count();
    minus = strands.get("-").count();
  }
  const bool only_plus = listed && !on_minus && minus == 0;
  const bool only_minus = run.report.get("parameters").get("strand").text() == "minus";
  return only_plus || only_minus ? "" : shares("Strands", {{"+", plus}, {"\u2212", minus}});
}

std::string strands_note(const RunView& run) {
  const std::string strand = run.report.get("parameters").get("strand").text();
  if (strand == "plus" || strand == "minus")
    return note(fmt::format("Only the strand {} was searched.", strand == "plus" ? "+" : "\u2212"));
  std::uint64_t once = 0;
  for (const Value& row : run.report.get("patterns").elements()) {
    once += row.get("palindromic").shown() == "true" && !row.get("counts").get("-").exists() ? 1 : 0;
  }
  if (once == 0) return "";
  return note(counted_noun(once, "palindromic pattern") + " of " + grouped(run.report.get("patterns").size()) +
              ": each hit is on both strands and reported once, on +.");
}

}  // namespace basesweep
