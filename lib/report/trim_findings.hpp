// What `trim` did, as keys of its report (docs/report.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lib/pipeline/text_run.hpp"
#include "lib/trim/primer_clipper.hpp"
#include "lib/trim/trimmer.hpp"

namespace basesweep {

// What a report shows of the settings of a run.
struct TrimKind {
  bool paired = false;
  bool revcomp = false;
  bool by_overlap = false;
  std::vector<Adapter> adapters[2];                   // of each mate
  std::optional<std::vector<std::string>> primers{};  // the names of a scheme's; nothing: there is no scheme
};
TrimKind kind_of(const TrimSettings& settings);

// `inputs`, `reads` (or `pairs`), `filtered`, `mates`, `primers` of a scheme and, where the overlap of mates counts,
// `overlap`.
void add_trimming(const TrimKind& kind, const TrimCounts& counts, const TextSummary& summary,
                  nlohmann::ordered_json& report);

// Of alignments: `inputs`, `alignments`, counts of what was clipped, and `primers`.
void add_clipping(const PrimerScheme& scheme, const ClipCounts& counts, const TextSummary& summary,
                  nlohmann::ordered_json& report);

}  // namespace basesweep
