#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lib/page/chart.hpp"
#include "lib/page/logo.hpp"
#include "lib/page/sections.hpp"
#include "lib/page/table.hpp"
#include "lib/page/text.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMostLogos = 6;         // matrices with pictures
constexpr std::size_t kMostMatrixRows = 600;  // in the table

std::string name_of_matrix(const Value& matrix) {
  const std::string id = matrix.get("id").text();
  const std::string name = matrix.get("name").text();
  return id.empty() || name.empty() || id == name ? id + name : id + " " + name;
}

// A number as text, or "-".
std::string number_text(const Value& value, int digits) {
  const auto number = value.number();
  return number ? decimal(*number, digits) : "-";
}

// Hits that random text of the same length would have: the p-value for each base and strand that was searched. Ends of
// records, where no word begins, count too.
std::optional<double> expected_hits(const RunView& run, const Value& matrix) {
  // The text that was read until the last hit is not known.
  if (run.report.get("truncated_by_max_hits").shown() == "true") return std::nullopt;
  if (const auto expected = matrix.get("expected").number()) return expected;
  const auto p_value = matrix.get("p_value").number();
  const auto all = sum_of_inputs(run, "bases");
  if (!p_value || !all) return std::nullopt;
  const std::uint64_t others = std::min(sum_of_inputs(run, "not_acgt").value_or(0), *all);
  return *p_value * static_cast<double>(*all - others) * static_cast<double>(matrix.get("counts").size());
}

std::string ratio_text(std::uint64_t hits, const std::optional<double>& expected) {
  return expected && *expected > 0 ? decimal(static_cast<double>(hits) / *expected, 3) : "-";
}

std::string matrix_table(const RunView& run, const Value& matrices, const std::vector<std::uint64_t>& hits) {
  std::vector<std::size_t> rows = rows_by_hits(hits, kMostMatrixRows);
  std::erase_if(rows, [&](std::size_t i) { return hits[i] == 0; });
  if (rows.empty()) return "";
  HtmlTable table("Matrices with hits", {{"no.", true},
                                         {"matrix"},
                                         {"hits", true},
                                         {"expected by chance", true},
                                         {"observed / expected", true},
                                         {"threshold (bits)", true}});
  std::uint64_t shown = 0;
  for (const std::size_t i : rows) {
    const Value matrix = matrices.at(i);
    const std::optional<double> expected = expected_hits(run, matrix);
    shown = add_up(shown, hits[i]);
    table.add({count_cell(i + 1), text_cell(name_of_matrix(matrix)), bar_cell(hits[i], hits[rows.front()]),
               number_cell(expected ? decimal(*expected, 3) : "-"), number_cell(ratio_text(hits[i], expected)),
               number_cell(number_text(matrix.get("threshold_bits"), 4))});
  }
  if (rows.size() < hits.size()) {
    table.set_foot(
        {text_cell(""), text_cell(more_of(hits.size() - rows.size(), "matrix")), count_cell(total_of(hits) - shown)});
  }
  return table.html();
}

// Scores of the hits, with the threshold.
std::string score_chart(const Value& matrix) {
  Chart chart = chart_of_bins({{"hits", bins_of(matrix.get("scores"))}}, "score (bits)", "hits", true);
  if (const auto threshold = matrix.get("threshold_bits").number()) {
    chart.marker.emplace(*threshold, "threshold " + decimal(*threshold, 4));
  }
  return draw(chart);
}

std::string pictures_of(const RunView& run, const Value& matrix, std::uint64_t hits) {
  const std::string name = name_of_matrix(matrix);
  const LogoColumns letters = logo_columns(matrix.get("letters"));
  const LogoColumns sites = logo_columns(matrix.get("sites"));
  std::string figures = figure(name + ": the matrix",
                               draw_logo(letters, "Logo of the matrix " + shortened(name) + ": " + consensus(letters)));
  if (hits > 0)
    figures += figure(name + ": its " + counted_noun(hits, "site"),
                      draw_logo(sites, "Logo of its sites: " + consensus(sites)));
  std::string below;
  if (const auto expected = expected_hits(run, matrix)) {
    below = fmt::format("{} found, {} expected by chance.", grouped(hits), decimal(*expected, 4));
  }
  figures += figure(name + ": scores of its sites", score_chart(matrix), below);
  return grid(figures);
}

std::string matrices_without_sites(const Value& matrices, const std::vector<std::uint64_t>& hits) {
  std::size_t without = 0;
  std::size_t unreachable = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    without += hits[i] == 0 ? 1 : 0;
    unreachable += matrices.at(i).get("reachable").shown() == "false" ? 1 : 0;
  }
  if (without == 0) return "";
  std::string text = fmt::format("{} of {} {} no hit.", grouped(without), counted_noun(hits.size(), "matrix"),
                                 without == 1 ? "has" : "have");
  if (unreachable > 0)
    text += fmt::format(" Of {} no word reaches the threshold.", counted_noun(unreachable, "matrix"));
  return note(text);
}

}  // namespace

std::string show_matrices(const RunView& run) {
  const Value matrices = run.report.get("matrices");
  std::vector<std::uint64_t> hits;
  for (std::size_t i = 0; i < matrices.size(); ++i) hits.push_back(hits_of(matrices.at(i)));
  std::string html = section(run, "Matrices",
                             hits.empty() ? note("The report lists no matrices.")
                                          : matrix_table(run, matrices, hits) + matrices_without_sites(matrices, hits));
  std::string pictures;
  if (run.report.get("truncated_by_max_hits").shown() == "true" && total_of(hits) > 0) {
    pictures += note("How many hits are expected by chance is not known: the run stopped at --max-hits.");
  }
  std::size_t with_pictures = 0;
  for (const std::size_t i : rows_by_hits(hits, hits.size())) {
    if (with_pictures == kMostLogos || hits[i] == 0) break;
    if (matrices.at(i).get("letters").size() == 0) continue;
    pictures += pictures_of(run, matrices.at(i), hits[i]);
    ++with_pictures;
  }
  if (with_pictures == kMostLogos)
    pictures += note(fmt::format("The {} matrices with the most hits are shown.", kMostLogos));
  if (with_pictures == 0 && total_of(hits) > 0) pictures += without(run, "logos and scores");
  html += section(run, "Logos and scores", pictures);
  const std::string records = records_figure(run, "hit");
  const bool lacks_places = records.empty() && run.plots().get("starts").size() == 0 && total_of(hits) > 0;
  return html + section(run, "Hits",
                        row_of_shares(strands_figure(run)) + strands_note(run) + records +
                            (lacks_places ? without(run, "the density of hits along records") : ""));
}

}  // namespace basesweep
