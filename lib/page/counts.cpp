#include <fmt/format.h>

#include <algorithm>

#include "lib/page/chart.hpp"
#include "lib/page/sections.hpp"
#include "lib/page/table.hpp"
#include "lib/page/text.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMostCurves = 6;      // samples in a chart, as many as there are colours
constexpr std::size_t kMostShareBars = 12;  // samples with a bar of their reads

std::string sample_table_of(const Value& samples) {
  const bool molecules = samples.at(0).get("umis").exists();
  std::vector<TableColumn> columns{{"sample"},
                                   {"reads", true},
                                   {"counted", true},
                                   {"share", true},
                                   {"exact", true},
                                   {"one edit", true},
                                   {"ambiguous", true},
                                   {"unmatched", true},
                                   {"guides without reads", true},
                                   {"Gini index of log counts", true}};
  if (molecules) columns.push_back({"UMIs", true});
  HtmlTable table("Reads per sample", columns);
  std::uint64_t most = 0;
  for (const Value& sample : samples.elements()) most = std::max(most, sample.get("reads").count());
  for (std::size_t i = 0; i < samples.size() && i < kMostRows; ++i) {
    const Value sample = samples.at(i);
    const auto gini = sample.get("gini").number();
    std::vector<std::string> cells{
        text_cell(sample.get("name").text()), bar_cell(sample.get("reads").count(), most),
        count_cell(sample.get("counted").count()),
        number_cell(percent(sample.get("counted").number_or(0), sample.get("reads").number_or(0)))};
    for (const char* key : {"edits_0", "edits_1", "ambiguous", "unmatched", "guides_without_reads"})
      cells.push_back(count_cell(sample.get(key).count()));
    const bool evenness = gini && sample.get("counted").count() > 0;
    cells.push_back(number_cell(evenness ? decimal(*gini, 3) : "-"));
    if (molecules) cells.push_back(count_cell(sample.get("umis").count()));
    table.add(cells);
  }
  if (samples.size() > kMostRows) table.set_foot({text_cell(more_of(samples.size() - kMostRows, "sample"))});
  return table.html();
}

std::string share_bars(const Value& samples) {
  std::string figures;
  for (std::size_t i = 0; i < samples.size() && i < kMostShareBars; ++i) {
    const Value sample = samples.at(i);
    std::vector<NamedCount> parts;
    for (const auto& [key, name] : {std::pair("edits_0", "exact"),
                                    {"edits_1", "one edit"},
                                    {"ambiguous", "ambiguous"},
                                    {"unmatched", "unmatched"}}) {
      parts.push_back({name, sample.get(key).count()});
    }
    figures += shares(cut(sample.get("name").text(), 60), parts);
  }
  if (figures.empty() || samples.size() <= kMostShareBars) return row_of_shares(figures);
  return row_of_shares(figures) + note(fmt::format("The bars of the first {} of {} samples are shown.", kMostShareBars,
                                                   grouped(samples.size())));
}

// The samples with reads, which have curves.
std::size_t drawn_samples(const Value& samples, const char* key) {
  std::size_t drawn = 0;
  for (const Value& sample : samples.elements()) drawn += sample.get(key).size() > 1 ? 1 : 0;
  return drawn;
}

std::string first_samples(std::size_t all) {
  return all > kMostCurves ? fmt::format(" The first {} of {} samples are shown.", kMostCurves, grouped(all)) : "";
}

std::string curve_figure(const Value& samples) {
  std::vector<Curve> curves;
  std::string summary;
  for (std::size_t i = 0; i < samples.size() && curves.size() < kMostCurves; ++i) {
    Curve curve{samples.at(i).get("name").text(), {}};
    for (const Value& height : samples.at(i).get("lorenz").elements()) {
      if (curve.heights.size() < 1001) curve.heights.push_back(std::clamp(height.number_or(0), 0.0, 1.0));
    }
    if (curve.heights.size() < 2) continue;
    summary += (summary.empty() ? "" : "; ") + shortened(curve.name);
    curves.push_back(std::move(curve));
  }
  if (curves.empty()) return "";
  return figure(
      "Evenness of guides (Lorenz curve)",
      draw_curves(curves, "Lorenz curves: " + summary, "guides, the rarest first (%)", "share of reads (%)"),
      "On the dashed line all guides have equally many reads." + first_samples(drawn_samples(samples, "lorenz")));
}

std::string count_histogram(const Value& samples) {
  std::vector<BinSeries> series;
  for (std::size_t i = 0; i < samples.size() && series.size() < kMostCurves; ++i) {
    BinSeries one{samples.at(i).get("name").text(), bins_of(samples.at(i).get("counts"))};
    if (!one.bins.empty()) series.push_back(std::move(one));
  }
  return figure("Reads per guide", draw(chart_of_bins(series, "reads of a guide (log scale)", "guides", false, true)),
                first_samples(drawn_samples(samples, "counts")));
}

}  // namespace

std::string show_counts(const RunView& run) {
  // The plots of a sample are in its element of `samples`, of the report or of its plots.
  const Value samples = run.report.get("samples");
  if (samples.size() == 0) return section(run, "Samples", note("The report lists no samples."));
  const Value drawn = run.plots().get("samples").size() > 0 ? run.plots().get("samples") : samples;
  std::string html = section(run, "Samples", sample_table_of(samples) + share_bars(samples));
  std::string figures = curve_figure(drawn) + count_histogram(drawn);
  const bool nothing = figures.empty();
  html += section(run, "Guides", nothing ? without(run, "the distribution of reads over guides") : grid(figures));
  const Value library = run.report.get("library");
  if (!library.exists()) return html;
  return html +
         section(run, "Library",
                 note(fmt::format("{}: {}; {} joined with others of the same sequence", library.get("path").text(),
                                  counted_noun(library.get("guides").count(), "guide"),
                                  grouped(library.get("merged_guides").count()))));
}

}  // namespace basesweep
