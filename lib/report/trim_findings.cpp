#include "lib/report/trim_findings.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "lib/report/findings.hpp"
#include "lib/report/plots.hpp"

namespace basesweep {
namespace {

using Json = nlohmann::ordered_json;

Json mate_of(const std::vector<Adapter>& all, const TrimCounts::Mate& counts, bool with_primers) {
  Json mate = Json::object();
  mate["bases"] = counts.bases;
  mate["written_bases"] = counts.written_bases;
  mate["with_adapter"] = counts.with_adapter;
  mate["quality_bases"] = counts.quality_bases;
  mate["adapter_bases"] = counts.adapter_bases;
  mate["poly_a_bases"] = counts.poly_a_bases;
  if (with_primers) mate["with_primer"] = counts.with_primer;
  if (with_primers) mate["primer_bases"] = counts.primer_bases;
  Json adapters = Json::array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Adapter& adapter = all[i];
    Json row = Json::object();
    row["name"] = adapter.name;
    row["sequence"] =
        adapter.parts[0].sequence + (adapter.is_linked() ? "..." + adapter.parts[1].sequence : std::string());
    row["found"] = counts.adapters[i];
    adapters.push_back(std::move(row));
  }
  mate["adapters"] = std::move(adapters);
  return mate;
}

// `plots`: the lengths of reads, of each mate.
void add_lengths(const TrimKind& kind, const TrimCounts& counts, Json& report) {
  Json before = Json::array();
  Json after = Json::array();
  for (std::size_t i = 0; i < (kind.paired ? 2U : 1U); ++i) {
    before.push_back(bins_of(counts.mates[i].lengths_before));
    after.push_back(bins_of(counts.mates[i].lengths_after));
  }
  Json plots = Json::object();
  plots["lengths_before"] = std::move(before);
  plots["lengths_after"] = std::move(after);
  report["plots"] = std::move(plots);
}

}  // namespace

TrimKind kind_of(const TrimSettings& settings) {
  TrimKind kind{settings.paired, settings.revcomp, settings.by_overlap, {}};
  for (std::size_t i = 0; i < 2; ++i) {
    if (settings.mates[i].adapters) kind.adapters[i] = settings.mates[i].adapters->adapters();
  }
  if (settings.primers) kind.primers = settings.primers->names();
  return kind;
}

void add_trimming(const TrimKind& kind, const TrimCounts& counts, const TextSummary& summary, Json& report) {
  add_sources(summary, report);
  report[kind.paired ? "pairs" : "reads"] = counts.reads;
  Json filtered = Json::object();
  for (std::size_t i = 0; i < kTrimReasons; ++i) {
    const auto reason = static_cast<TrimReason>(i);
    if (reason == TrimReason::written) {
      report["written"] = counts.reasons[i];
    } else {
      filtered[word_of(reason)] = counts.reasons[i];
    }
  }
  report["filtered"] = std::move(filtered);
  if (kind.revcomp) report["reverse_complemented"] = counts.turned;
  Json mates = Json::array();
  for (std::size_t i = 0; i < (kind.paired ? 2U : 1U); ++i) {
    mates.push_back(mate_of(kind.adapters[i], counts.mates[i], kind.primers.has_value()));
  }
  report["mates"] = std::move(mates);
  if (kind.primers) {
    Json primers = Json::array();
    for (std::size_t i = 0; i < kind.primers->size(); ++i) {
      primers.push_back(
          {{"name", (*kind.primers)[i]}, {"at_start", counts.primers[0][i]}, {"at_end", counts.primers[1][i]}});
    }
    report["primers"] = std::move(primers);
  }
  add_lengths(kind, counts, report);
  if (!kind.by_overlap) return;
  report["overlap"] = {{"overlap_and_adapter", counts.by_both},
                       {"overlap_alone", counts.by_overlap},
                       {"adapter_alone", counts.by_adapter},
                       {"differing", counts.differing},
                       {"dimers", counts.dimers}};
}

void add_clipping(const PrimerScheme& scheme, const ClipCounts& counts, const TextSummary& summary, Json& report) {
  add_sources(summary, report);
  report["alignments"] = counts.alignments;
  report["bases"] = counts.bases;
  report["unmapped"] = counts.unmapped;
  report["clipped"] = counts.clipped;
  report["clipped_at_both_ends"] = counts.both;
  report["clipped_to_nothing"] = counts.emptied;
  report["clipped_bases"] = counts.clipped_bases;
  report["unknown_mates"] = counts.unknown_mates;
  Json primers = Json::array();
  for (std::size_t i = 0; i < scheme.primers.size(); ++i) {
    primers.push_back({{"name", scheme.primers[i].name}, {"clipped", counts.primers[0][i] + counts.primers[1][i]}});
  }
  report["primers"] = std::move(primers);
}

}  // namespace basesweep
