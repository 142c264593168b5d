#include <fmt/format.h>

#include <algorithm>

#include "lib/page/chart.hpp"
#include "lib/page/sections.hpp"
#include "lib/page/table.hpp"
#include "lib/page/text.hpp"

namespace basesweep {
namespace {

// "too-many-n" as people write it.
std::string words_of(std::string key) {
  std::replace(key.begin(), key.end(), '-', ' ');
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

// "reads", or of pairs "first mates" and "second mates".
std::string name_of_mate(const Value& mates, std::size_t i) {
  if (mates.size() < 2) return "reads";
  return i == 0 ? "first mates" : "second mates";
}

std::string base_figures(const Value& mates) {
  std::string figures;
  for (std::size_t i = 0; i < mates.size() && i < 2; ++i) {
    const Value mate = mates.at(i);
    std::vector<NamedCount> parts{{"written", mate.get("written_bases").count()}};
    std::uint64_t known = parts.front().count;
    for (const auto& [key, name] : {std::pair("adapter_bases", "adapters"),
                                    {"quality_bases", "low quality"},
                                    {"poly_a_bases", "poly-A"},
                                    {"primer_bases", "primers"}}) {
      const std::uint64_t count = mate.get(key).count();
      known = add_up(known, count);
      if (count > 0) parts.push_back({name, count});
    }
    const std::uint64_t all = mate.get("bases").count();
    if (all > known) parts.push_back({"other: left out with reads, fixed cuts", all - known});
    figures += shares("Bases of " + name_of_mate(mates, i), parts);
  }
  return figures;
}

std::string length_figures(const RunView& run) {
  const Value mates = run.report.get("mates");
  const Value plots = run.plots();
  std::string figures;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::vector<BinSeries> lengths{{"before", bins_of(plots.get("lengths_before").at(i))},
                                         {"after", bins_of(plots.get("lengths_after").at(i))}};
    figures += figure("Lengths of " + name_of_mate(mates, i), draw(chart_of_bins(lengths, "length (bases)", "reads")));
    Chart cut = chart_of_bins({{"reads", bins_of(plots.get("cut").at(i))}}, "bases removed", "reads");
    cut.log_y = true;
    figures += figure("Bases removed from " + name_of_mate(mates, i), draw(cut));
  }
  return figures;
}

std::string adapter_table(const Value& mates) {
  HtmlTable table("Adapters", {{"adapter"}, {"reads", true}, {"of"}, {"sequence"}});
  std::uint64_t most = 0;
  for (const Value& mate : mates.elements()) {
    for (const Value& adapter : mate.get("adapters").elements()) most = std::max(most, adapter.get("found").count());
  }
  for (std::size_t i = 0; i < mates.size(); ++i) {
    for (const Value& adapter : mates.at(i).get("adapters").elements()) {
      if (table.rows() == kMostRows) break;
      table.add({text_cell(adapter.get("name").text()), bar_cell(adapter.get("found").count(), most),
                 text_cell(name_of_mate(mates, i)), code_cell(adapter.get("sequence").text())});
    }
  }
  return table.rows() == 0 ? "" : table.html();
}

std::string scheme_table(const Value& primers) {
  const bool clipped = primers.at(0).get("clipped").exists();
  HtmlTable table("Primers", clipped
                                 ? std::vector<TableColumn>{{"primer"}, {"clipped", true}}
                                 : std::vector<TableColumn>{{"primer"}, {"at the start", true}, {"at the end", true}});
  std::vector<std::uint64_t> found;
  for (const Value& primer : primers.elements()) {
    found.push_back(
        add_up(primer.get("clipped").count(), add_up(primer.get("at_start").count(), primer.get("at_end").count())));
  }
  const std::vector<std::size_t> rows = rows_by_hits(found, kMostRows);
  std::uint64_t shown = 0;
  for (const std::size_t i : rows) {
    const Value primer = primers.at(i);
    shown = add_up(shown, found[i]);
    const std::string name = text_cell(primer.get("name").text());
    if (clipped) {
      table.add({name, bar_cell(found[i], found[rows.front()])});
    } else {
      table.add({name, bar_cell(primer.get("at_start").count(), found[rows.front()]),
                 bar_cell(primer.get("at_end").count(), found[rows.front()])});
    }
  }
  if (rows.size() < found.size())
    table.set_foot({text_cell(
        fmt::format("{}: {}", more_of(found.size() - rows.size(), "primer"), grouped(total_of(found) - shown)))});
  return rows.empty() ? "" : table.html();
}

std::string clipping_figures(const Value& report) {
  const std::uint64_t all = report.get("alignments").count();
  const std::uint64_t clipped = std::min(report.get("clipped").count(), all);
  const std::uint64_t unmapped = std::min(report.get("unmapped").count(), all - clipped);
  const std::uint64_t both = std::min(report.get("clipped_at_both_ends").count(), clipped);
  return shares("Alignments", {{"clipped at one end", clipped - both},
                               {"clipped at both ends", both},
                               {"not clipped", all - clipped - unmapped},
                               {"unmapped", unmapped}});
}

}  // namespace

std::string show_trim(const RunView& run) {
  const Value report = run.report;
  const Value mates = report.get("mates");
  std::string figures;
  if (report.get("alignments").exists()) {
    figures = clipping_figures(report);
  } else {
    std::vector<NamedCount> parts{{"written", report.get("written").count()}};
    for (const auto& [key, count] : report.get("filtered").members()) {
      if (count.count() > 0) parts.push_back({words_of(key), count.count()});
    }
    figures =
        shares(report.get("pairs").exists() ? "Pairs by what became of them" : "Reads by what became of them", parts);
  }
  figures += base_figures(mates);
  std::vector<NamedCount> overlap;
  for (const auto& [key, count] : report.get("overlap").members()) {
    if (key != "dimers") overlap.push_back({words_of(key), count.count()});
  }
  figures += shares("How pairs were cut", overlap);
  std::string html = section(run, "What was cut",
                             row_of_shares(figures) + grid(length_figures(run)) +
                                 (run.plots().exists() ? "" : without(run, "lengths before and after")));
  html += section(run, "Adapters", adapter_table(mates));
  return html + section(run, "Primers", scheme_table(report.get("primers")));
}

}  // namespace basesweep
