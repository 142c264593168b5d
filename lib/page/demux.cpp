#include <fmt/format.h>

#include <algorithm>

#include "lib/page/chart.hpp"
#include "lib/page/sections.hpp"
#include "lib/page/table.hpp"
#include "lib/page/text.hpp"

namespace basesweep {
namespace {

// What edits are of, as far as the report says: kits have flanks, structures have none, and a sheet may have some.
std::string edited_part(const RunView& run) {
  const Value parameters = run.report.get("parameters");
  bool structured = parameters.get("structure").exists();
  for (const Value& sample : run.report.get("samples").elements())
    structured = structured || sample.get("structure").exists();
  if (structured) return "barcode";
  return parameters.get("kit").exists() ? "barcode with its flanks" : "barcode, with its flanks if it has some";
}

std::string sample_table(const RunView& run, const Value& samples, std::uint64_t all) {
  std::vector<std::uint64_t> reads;
  bool second = false;
  for (const Value& sample : samples.elements()) {
    reads.push_back(sample.get("reads").count());
    second = second || sample.get("barcode2").exists();
  }
  std::vector<std::size_t> rows = rows_by_hits(reads, kMostRows);
  const std::uint64_t most = rows.empty() ? 0 : reads[rows.front()];
  if (rows.size() == reads.size()) std::sort(rows.begin(), rows.end());
  std::vector<TableColumn> columns{
      {"sample"}, {"reads", true}, {"share of all", true}, {"bases", true}, {"edits per " + edited_part(run), true},
      {"barcode"}};
  if (second) columns.push_back({"second barcode"});
  HtmlTable table(rows.size() < reads.size() ? "Reads per sample: those with the most reads" : "Reads per sample",
                  columns);
  std::uint64_t shown = 0;
  for (const std::size_t i : rows) {
    const Value sample = samples.at(i);
    const auto edits = sample.get("mean_edits").number();
    shown = add_up(shown, reads[i]);
    std::vector<std::string> cells{text_cell(sample.get("name").text()),
                                   bar_cell(reads[i], most),
                                   number_cell(percent(static_cast<double>(reads[i]), static_cast<double>(all))),
                                   count_cell(sample.get("bases").count()),
                                   number_cell(edits ? decimal(*edits, 3) : "-"),
                                   code_cell(sample.get("barcode").text() + sample.get("structure").text())};
    if (second) cells.push_back(code_cell(sample.get("barcode2").text()));
    table.add(cells);
  }
  if (rows.size() < reads.size()) {
    table.set_foot({text_cell(more_of(reads.size() - rows.size(), "sample")), count_cell(total_of(reads) - shown)});
  }
  return table.html();
}

std::string unexpected_table(const Value& pairs) {
  HtmlTable table("Unexpected pairs of barcodes", {{"first barcode"}, {"second barcode"}, {"reads", true}});
  std::vector<std::uint64_t> reads;
  for (const Value& pair : pairs.elements()) reads.push_back(pair.get("reads").count());
  for (const std::size_t i : rows_by_hits(reads, kMostRows)) {
    table.add({text_cell(pairs.at(i).get("barcode").text()), text_cell(pairs.at(i).get("barcode2").text()),
               bar_cell(reads[i], *std::max_element(reads.begin(), reads.end()))});
  }
  return reads.empty() ? "" : table.html();
}

// "two-barcodes" as people write it.
std::string reason_of(std::string key) {
  std::replace(key.begin(), key.end(), '-', ' ');
  return key == "none" ? "no barcode" : key;
}

}  // namespace

std::string show_demux(const RunView& run) {
  const Value report = run.report;
  const std::uint64_t all = report.get("reads").get("total").count();
  std::vector<NamedCount> parts{{"assigned", report.get("reads").get("assigned").count()}};
  for (const auto& [key, count] : report.get("unassigned").members()) {
    if (count.count() > 0 || key == "none") parts.push_back({reason_of(key), count.count()});
  }
  const std::string reads = row_of_shares(shares("Reads by what became of them", parts));
  std::string figures;
  if (const std::vector<std::uint64_t> edits = run.plots().get("edits").counts(); total_of(edits) > 0) {
    figures += figure("Edits of barcodes", draw(chart_of_counts(edits, "edits of the " + edited_part(run), "read")));
  }
  figures += figure("Lengths of reads", draw(chart_of_bins({{"before", bins_of(run.plots().get("lengths_before"))},
                                                            {"after", bins_of(run.plots().get("lengths_after"))}},
                                                           "length (bases)", "reads")));
  std::string html = section(run, "Assignment", reads + grid(figures));
  html += section(run, "Samples",
                  report.get("samples").size() == 0 ? note("The report lists no samples.")
                                                    : sample_table(run, report.get("samples"), all));
  return html + section(run, "Unexpected pairs", unexpected_table(report.get("unexpected_pairs")));
}

}  // namespace basesweep
