#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lib/page/aligned_place.hpp"
#include "lib/page/chart.hpp"
#include "lib/page/genome_links.hpp"
#include "lib/page/sections.hpp"
#include "lib/page/table.hpp"
#include "lib/page/text.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMostAligned = 30;   // guides whose worst places are shown
constexpr std::size_t kMostWithMany = 10;  // of them with kMostNearest places, others with kFewNearest
constexpr std::size_t kMostNearest = 10;
constexpr std::size_t kFewNearest = 2;
constexpr std::size_t kMostListed = 500;  // guides in the table

// A class of places: "mismatches_2", "bulge_1_mismatches_2".
struct PlaceClass {
  std::size_t bulge = 0;
  std::size_t mismatches = 0;
};

PlaceClass class_of(const std::string& key) {
  PlaceClass found;
  const auto digits_after = [&key](const char* word) {
    const std::size_t at = key.find(word);
    std::size_t number = 0;
    for (std::size_t i = at == std::string::npos ? key.size() : at + std::string_view(word).size();
         i < key.size() && key[i] >= '0' && key[i] <= '9'; ++i) {
      number = std::min<std::size_t>(number * 10 + static_cast<std::size_t>(key[i] - '0'), 99);
    }
    return number;
  };
  found.bulge = digits_after("bulge_");
  found.mismatches = digits_after("mismatches_");
  return found;
}

// Places by mismatches: a chart of those without bulge, and one for each size of bulges.
std::string place_charts(const Value& places) {
  constexpr std::size_t kMostBulges = 3;
  std::vector<std::vector<std::uint64_t>> counts(kMostBulges + 1);
  for (const auto& [key, count] : places.members()) {
    const PlaceClass place = class_of(key);
    if (place.bulge > kMostBulges) continue;
    std::vector<std::uint64_t>& row = counts[place.bulge];
    row.resize(std::max(row.size(), place.mismatches + 1));
    row[place.mismatches] = add_up(row[place.mismatches], count.count());
  }
  std::string figures;
  for (std::size_t bulge = 0; bulge < counts.size(); ++bulge) {
    Chart chart = chart_of_counts(counts[bulge], "mismatches", "place");
    const auto most = std::max_element(counts[bulge].begin(), counts[bulge].end());
    chart.log_y = most != counts[bulge].end() && *most > 1000;
    figures += figure(
        bulge == 0 ? "Places without bulge" : fmt::format("Places with a bulge of {}", counted_noun(bulge, "base")),
        draw(chart));
  }
  return figures;
}

std::string specificity_chart(const Value& specificity) {
  std::vector<BinSeries> series;
  for (const auto& [key, name] : {std::pair("cfd", "CFD"), {"mit", "MIT"}}) {
    BinSeries one{name, bins_of(specificity.get(key))};
    if (!one.bins.empty()) series.push_back(std::move(one));
  }
  if (series.empty()) return "";
  // Whole percents in groups of two; 100 is in the last.
  for (BinSeries& one : series) {
    std::map<int, std::uint64_t> groups;
    for (const Bin& bin : one.bins) groups[static_cast<int>(std::min(bin.from, 99.0)) / 2] += bin.count;
    one.bins.clear();
    for (const auto& [group, count] : groups)
      one.bins.push_back({2.0 * group, group == 49 ? 101 : 2.0 * group + 2, count});
  }
  return draw(chart_of_bins(series, "specificity (0 to 100)", "guides", true));
}

std::string score_text(const Value& score) {
  const auto number = score.number();
  return number ? decimal(*number, 4) : "-";
}

// Places without mismatch and bulge, which the first class counts.
std::uint64_t exact_copies(const Value& guide) {
  return guide.get("exact_copies").exists() ? guide.get("exact_copies").count() : guide.get("counts").at(0).count();
}

// Of designed guides the report lists the most specific, of a library the least.
bool lists_most_specific(const RunView& run) { return run.report.get("parameters").get("design").shown() == "yes"; }

std::string guide_list(const RunView& run, const Value& guides) {
  const std::vector<std::pair<std::string, Value>> classes = run.report.get("places").members();
  std::vector<TableColumn> columns{{"guide"}, {"sequence"}, {"CFD", true}, {"MIT", true}, {"exact copies", true}};
  for (const auto& [key, count] : classes) {
    const PlaceClass place = class_of(key);
    if (columns.size() < 16)
      columns.push_back({place.bulge == 0 ? fmt::format("{} mm", place.mismatches)
                                          : fmt::format("{} mm, bulge {}", place.mismatches, place.bulge),
                         true});
  }
  const bool most = lists_most_specific(run);
  HtmlTable table(
      fmt::format("Guides, the {} specific first (mm: places with so many mismatches)", most ? "most" : "least"),
      columns);
  for (std::size_t i = 0; i < guides.size() && i < kMostListed; ++i) {
    const Value guide = guides.at(i);
    std::vector<std::string> cells{text_cell(guide.get("name").text()), code_cell(guide.get("sequence").text()),
                                   number_cell(score_text(guide.get("cfd"))), number_cell(score_text(guide.get("mit"))),
                                   count_cell(exact_copies(guide))};
    for (std::size_t c = 5; c < columns.size(); ++c) cells.push_back(count_cell(guide.get("counts").at(c - 5).count()));
    table.add(cells);
  }
  const std::uint64_t others =
      add_up(run.plots().get("guides_left_out").count(), guides.size() - std::min(guides.size(), kMostListed));
  if (others > 0)
    table.set_foot({text_cell(grouped(others) + " more guides, " + (most ? "less" : "more") + " specific")});
  return table.html();
}

// Letters of a place; those that differ from the guide are lower case in the report and marked here.
std::string marked(const std::string& text) {
  std::string html;
  for (std::size_t i = 0; i < text.size() && i < 200; ++i) {
    const char c = text[i];
    const bool differs = (c >= 'a' && c <= 'z') || c == '-';
    const std::string letter =
        c >= 'a' && c <= 'z' ? std::string(1, static_cast<char>(c - 32)) : escaped(std::string_view(&text[i], 1));
    html += differs ? "<b>" + letter + "</b>" : letter;
  }
  return html;
}

// "2 mismatches, bulge of 1 base"
std::string differences_of(const Value& place) {
  const std::uint64_t mismatches = place.get("mismatches").count();
  const std::uint64_t bulge = place.get("bulge").count();
  const std::string text = mismatches > 0 || bulge == 0 ? counted_noun(mismatches, "mismatch") : "";
  return bulge == 0 ? text : text + (text.empty() ? "" : ", ") + "bulge of " + counted_noun(bulge, "base");
}

std::string worst_places(const RunView& run, const Value& guide, std::size_t most) {
  std::string html;
  for (std::size_t i = 0; i < guide.get("nearest").size() && i < most; ++i) {
    const Value place = guide.get("nearest").at(i);
    const std::string record = place.get("record").text();
    const std::uint64_t start = place.get("start").count();
    const std::uint64_t end = place.get("end").count();
    const AlignedPlace aligned = aligned_place(run, guide, place);
    html += fmt::format(
        "<div class=alignment tabindex=0 role=group aria-label=\"place {}\">{}\n{}</div><p class=note>{}:{}-{} {}, {} "
        "{}</p>\n",
        i + 1, marked(aligned.guide), marked(aligned.text), shortened(record, 40), grouped(start + 1), grouped(end),
        place.get("strand").text() == "-" ? "\u2212" : "+", differences_of(place),
        genome_links(run.genome, record, start, end));
  }
  if (html.empty()) return "";
  return fmt::format("<div><h{0}>{1}</h{0}>{2}</div>", run.level + 1, shortened(guide.get("name").text(), 60), html);
}

}  // namespace

std::string show_guides(const RunView& run) {
  const Value places = run.report.get("places");
  const Value specificity = run.plots().get("specificity");
  const Value listed = run.plots().get("guides_listed");
  std::string below;
  if (const std::uint64_t unscored = specificity.get("unscored").count(); unscored > 0)
    below = counted_noun(unscored, "guide") + " without scores.";
  std::string figures = place_charts(places);
  figures += figure("Specificity of the guides", specificity_chart(specificity), below);
  std::string html = section(run, "Off-targets",
                             row_of_shares(strands_figure(run)) + grid(figures) +
                                 (specificity.exists() ? "" : without(run, "the specificity of guides")) +
                                 records_figure(run, "place"));
  html += section(run, "Guides", listed.size() == 0 ? "" : guide_list(run, listed));
  std::string aligned;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < listed.size() && shown < kMostAligned; ++i) {
    const std::string one = worst_places(run, listed.at(i), shown < kMostWithMany ? kMostNearest : kFewNearest);
    shown += one.empty() ? 0 : 1;
    aligned += one;
  }
  if (shown == 0) return html;
  return html +
         section(
             run, "Worst places",
             note(fmt::format("The guide above, the text below; what differs is marked. Positions count from "
                              "1. The {} specific guides come first; of {} of them at most {} places are "
                              "shown, of others {}.",
                              lists_most_specific(run) ? "most" : "least", kMostWithMany, kMostNearest, kFewNearest) +
                  (run.genome.empty() ? " basesweep report --genome NAME adds links to genome browsers." : "")) +
                 "<div class=places>" + aligned + "</div>\n");
}

}  // namespace basesweep
