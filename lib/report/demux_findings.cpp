#include "lib/report/demux_findings.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "lib/report/findings.hpp"
#include "lib/report/plots.hpp"

namespace basesweep {

void add_samples(const SampleSheet& sheet, const SheetBarcodes& barcodes, const DemuxTotals& totals,
                 const ReadSummary& summary, nlohmann::ordered_json& report) {
  using Json = nlohmann::ordered_json;
  add_sources(summary, report);
  Json samples = Json::array();
  for (std::size_t i = 0; i < sheet.samples.size(); ++i) {
    const SheetSample& sample = sheet.samples[i];
    const DemuxTotals::Sample& counts = totals.samples[i];
    Json row = Json::object();
    row["name"] = sample.name;
    if (!sample.first.letters.empty()) row["barcode"] = sample.first.letters;
    if (!sample.second.letters.empty()) row["barcode2"] = sample.second.letters;
    if (!sample.structure.empty()) row["structure"] = sample.structure;
    row["reads"] = counts.reads;
    row["written"] = counts.written;
    row["bases"] = counts.bases;
    row["mean_edits"] =
        counts.reads == 0 ? Json(nullptr) : Json(static_cast<double>(counts.edits) / static_cast<double>(counts.reads));
    samples.push_back(std::move(row));
  }
  report["samples"] = std::move(samples);
  Json reasons = Json::object();
  std::uint64_t unassigned = 0;
  for (std::size_t i = 0; i < kNoSampleReasons; ++i) {
    const auto reason = static_cast<NoSample>(i);
    if (reason == NoSample::assigned) continue;
    reasons[word_of(reason)] = totals.reasons[i];
    unassigned += totals.reasons[i];
  }
  report["unassigned"] = std::move(reasons);
  Json pairs = Json::array();
  for (const auto& [pair, reads] : totals.pairs) {
    Json row = Json::object();
    row["barcode"] = barcodes.first_names[pair.first];
    row["barcode2"] = barcodes.second_names[pair.second];
    row["reads"] = reads;
    pairs.push_back(std::move(row));
  }
  if (!pairs.empty()) report["unexpected_pairs"] = std::move(pairs);
  report["reads"] = {{"total", summary.reads},
                     {"bases", summary.bases},
                     {"assigned", summary.reads - unassigned},
                     {"unassigned", unassigned}};
  Json plots = Json::object();
  plots["edits"] = totals.edits;
  plots["lengths_before"] = bins_of(totals.lengths_before);
  plots["lengths_after"] = bins_of(totals.lengths_after);
  report["plots"] = std::move(plots);
}

}  // namespace basesweep
