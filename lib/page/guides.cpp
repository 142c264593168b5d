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

constexpr std::size_t kMostAligned = 30;   // guides whose nearest places are shown
constexpr std::size_t kMostWithMany = 10;  // of them with kMostNearest places, others with kFewNearest
constexpr std::size_t kMostNearest = 10;
constexpr std::size_t kFewNearest = 2;
constexpr std::size_t kMostListed = 300;  // guides in the table

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

// How many of the places are the guides' own.
std::string targets_note(const RunView& run) {
  const Value all = run.report.get("guides");
  const Value without = run.report.get("guides_without_exact_copy");
  const std::uint64_t exact = run.report.get("places").get("mismatches_0").count();
  if (!all.is_count() || !without.is_count() || all.count() <= without.count() || exact == 0) return "";
  const std::uint64_t targets = std::min(all.count() - without.count(), exact);
  return note(
      fmt::format("Of the {} with 0 mismatches and without bulge, {} {}: one exact copy of each guide. All others "
                  "are off-targets.",
                  counted_noun(exact, "place"), grouped(targets), targets == 1 ? "is the target" : "are targets"));
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
std::uint64_t exact_copies(const Value& guide) { return guide.get("counts").at(0).count(); }

// Whether any guide of the list has a score.
bool has_scores(const Value& guides) {
  const std::vector<Value> all = guides.elements();
  return std::any_of(all.begin(), all.end(),
                     [](const Value& guide) { return guide.get("cfd").number() || guide.get("mit").number(); });
}

// Why guides have no scores.
std::string unscored_guides(const RunView& run, const Value& guides) {
  const std::uint64_t unscored = run.plots().get("specificity").get("unscored").count();
  if (unscored == 0) return "";
  const Value most = run.report.get("parameters").get("max_scored");
  const bool all = !has_scores(guides);
  std::string text = all ? "No guide has scores" : counted_noun(unscored, "guide") + " without scores";
  text += ": MIT and CFD need 20 bases before the PAM NGG";
  return text + (most.is_count() ? fmt::format(", and guides with at most {} places.", grouped(most.count())) : ".");
}

// Of designed guides the report lists the most specific, of a library the least.
bool lists_most_specific(const RunView& run) { return run.report.get("parameters").get("design").shown() == "yes"; }

std::string guide_list(const RunView& run, const Value& guides) {
  const std::vector<std::pair<std::string, Value>> classes = run.report.get("places").members();
  std::vector<TableColumn> columns{{"guide"}, {"sequence"}, {"CFD", true}, {"MIT", true}};
  for (const auto& [key, count] : classes) {
    const PlaceClass place = class_of(key);
    if (columns.size() < 16)
      columns.push_back({place.bulge == 0 ? fmt::format("{}\u00a0mm", place.mismatches)
                                          : fmt::format("{}\u00a0mm, bulge\u00a0{}", place.mismatches, place.bulge),
                         true});
  }
  const bool most = lists_most_specific(run);
  const bool scored = has_scores(guides);
  const std::string order = scored ? fmt::format("the {} specific first", most ? "most" : "least") : "in their order";
  HtmlTable table("Guides, " + order + " (mm: places with so many mismatches)", columns);
  for (std::size_t i = 0; i < guides.size() && i < kMostListed; ++i) {
    const Value guide = guides.at(i);
    std::vector<std::string> cells{text_cell(guide.get("name").text()), code_cell(guide.get("sequence").text()),
                                   number_cell(score_text(guide.get("cfd"))),
                                   number_cell(score_text(guide.get("mit")))};
    for (std::size_t c = 4; c < columns.size(); ++c) cells.push_back(count_cell(guide.get("counts").at(c - 4).count()));
    table.add(cells);
  }
  const std::uint64_t others =
      add_up(run.plots().get("guides_left_out").count(), guides.size() - std::min(guides.size(), kMostListed));
  if (others > 0)
    table.set_foot({text_cell(more_of(others, "guide") + (!scored ? ""
                                                          : most  ? ", less specific"
                                                                  : ", more specific"))});
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

// What the exact copy of a guide is: its target, or one of several that may be.
std::string role_of(const Value& guide, const Value& place) {
  if (place.get("mismatches").count() > 0 || place.get("bulge").count() > 0) return "";
  const std::uint64_t copies = exact_copies(guide);
  return copies > 1 ? fmt::format(" (one of {} exact copies is the target)", grouped(copies)) : " (the target)";
}

std::string nearest_places(const RunView& run, const Value& guide, std::size_t most) {
  std::string html;
  for (std::size_t i = 0; i < guide.get("nearest").size() && i < most; ++i) {
    const Value place = guide.get("nearest").at(i);
    const std::string record = place.get("record").text();
    const std::uint64_t start = place.get("start").count();
    const std::uint64_t end = place.get("end").count();
    const AlignedPlace aligned = aligned_place(run, guide, place);
    html += fmt::format(
        "<div class=alignment tabindex=0 role=group aria-label=\"place {}\">{}\n{}</div><p class=note{}>{}:{}-{} {}, "
        "{}{} "
        "{}</p>\n",
        i + 1, marked(aligned.guide), marked(aligned.text), title_of(record, 40), shortened(record, 40),
        grouped(start + 1), grouped(end), place.get("strand").text() == "-" ? "\u2212" : "+", differences_of(place),
        role_of(guide, place), genome_links(run.genome, record, start, end));
  }
  if (html.empty()) return "";
  return fmt::format("<div><h{0}{3}>{1}</h{0}>{2}</div>", run.level + 1, shortened(guide.get("name").text(), 60), html,
                     title_of(guide.get("name").text(), 60));
}

}  // namespace

std::string show_guides(const RunView& run) {
  const Value places = run.report.get("places");
  const Value specificity = run.plots().get("specificity");
  const Value listed = run.plots().get("guides_listed");
  const std::string unscored = unscored_guides(run, listed);
  const std::string scores = figure("Specificity of the guides", specificity_chart(specificity), unscored);
  const std::string figures = place_charts(places) + scores;
  std::string html = section(run, "Places",
                             row_of_shares(strands_figure(run)) + grid(figures) + targets_note(run) +
                                 (scores.empty() && !unscored.empty() ? note(unscored) : "") +
                                 (specificity.exists() ? "" : without(run, "the specificity of guides")) +
                                 records_figure(run, "place"));
  html += section(run, "Guides", listed.size() == 0 ? "" : guide_list(run, listed));
  std::string aligned;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < listed.size() && shown < kMostAligned; ++i) {
    const std::string one = nearest_places(run, listed.at(i), shown < kMostWithMany ? kMostNearest : kFewNearest);
    shown += one.empty() ? 0 : 1;
    aligned += one;
  }
  if (shown == 0) return html;
  return html +
         section(run, "Nearest places",
                 note(fmt::format(
                          "The guide above, the text below; what differs is marked, and dots stand above the PAM of "
                          "the text. Positions count from 1. {}of {} of them at most {} places are shown, of others "
                          "{}: those with the smallest bulges, then with the fewest mismatches.",
                          !has_scores(listed)        ? "Guides come in their order; "
                          : lists_most_specific(run) ? "The most specific guides come first; "
                                                     : "The least specific guides come first; ",
                          kMostWithMany, kMostNearest, kFewNearest) +
                      (run.genome.empty() ? " basesweep report --genome NAME adds links to genome browsers." : "")) +
                     "<div class=places>" + aligned + "</div>\n");
}

}  // namespace basesweep
