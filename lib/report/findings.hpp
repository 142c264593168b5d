// What a command found, as keys of its report (docs/report.md). A command adds those that it has; `report` is an
// object.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "lib/matrices/matrix_set.hpp"
#include "lib/pipeline/guide_pipeline.hpp"
#include "lib/pipeline/map_pipeline.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/pipeline/product_pipeline.hpp"
#include "lib/report/guide_tables.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {

// `inputs`, without counts, of commands that write reads.
void add_sources(const TextSummary& summary, nlohmann::ordered_json& report);
// `inputs`, each with its counts.
void add_inputs(const TextSummary& summary, nlohmann::ordered_json& report);

// `inputs`, `patterns` and `hits`, of `motif` and `match`.
void add_hits(const PatternSet& patterns, const RunSummary& summary, nlohmann::ordered_json& report);
// `inputs`, `matrices` and `hits`, of `pwm`.
void add_matrix_hits(const MatrixSet& matrices, const RunSummary& summary, nlohmann::ordered_json& report);
// `inputs`, `pairs` and `products`, of `pcr`.
void add_products(const PrimerSet& primers, const ProductSummary& summary, nlohmann::ordered_json& report);
// What the table of `guides` adds up to.
struct GuideFindings {
  std::uint64_t guides;
  std::uint32_t min_length;  // of a guide
  std::uint32_t max_length;
  std::uint64_t without_exact_copy;
  std::uint32_t mismatches;           // at most
  std::vector<std::uint64_t> places;  // as GuideTable::counts()
};
GuideFindings findings_of(const GuideSet& guides, const GuideTable& table);
// `inputs`, `guides` and `places`, of `guides`.
void add_places(const GuideFindings& found, const TextSummary& summary, nlohmann::ordered_json& report);
// `reference`, `inputs`, `reads` and `hits`, of `map`.
void add_reads(const Reference& reference, const MapSummary& summary, nlohmann::ordered_json& report);
// `library`, `inputs` and `samples`, of `count`.
void add_guide_counts(const CountResult& result, const TextSummary& summary, nlohmann::ordered_json& report);

}  // namespace basesweep
