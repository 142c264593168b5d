// What `trim` did, as keys of its report (docs/report.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lib/pipeline/text_run.hpp"
#include "lib/trim/primer_clipper.hpp"
#include "lib/trim/trimmer.hpp"

namespace basesweep {

// `inputs`, `reads` (or `pairs`), `filtered`, `mates`, `primers` of a scheme and, where the overlap of mates counts,
// `overlap`.
void add_trimming(const Trimmer& trimmer, const TextSummary& summary, nlohmann::ordered_json& report);

// Of alignments: `inputs`, `alignments`, counts of what was clipped, and `primers`.
void add_clipping(const PrimerScheme& scheme, const ClipCounts& counts, const TextSummary& summary,
                  nlohmann::ordered_json& report);

}  // namespace basesweep
