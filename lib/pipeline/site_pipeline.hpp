// The flow graph that lists all sites of a text: reader -> packer -> batcher -> lister -> list.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "lib/base/record_info.hpp"
#include "lib/guides/guide_join.hpp"
#include "lib/guides/text_sites.hpp"
#include "lib/pipeline/text_run.hpp"

namespace basesweep {

// Not with regions.
struct SitePipelineOptions : TextOptions {
  std::function<BatchSites(const PackedBatch&)> find{};  // find_text_sites(), with its other arguments
  std::uint32_t mismatches = 0;                          // of them
  // Whether a guide with these bases may be one; none may be if it is empty.
  std::function<bool(SiteBases)> is_guide{};
  // The records that have bases, from an index, with which the input is compared; nothing: there is none.
  std::optional<std::vector<RecordInfo>> records{};
};

// Appends the sites of the input to the list. `every`: see find_text_sites(). Throws like run_pipeline(), and
// DataError if there are too many. TextSummary::hits: guides that is_guide() left out.
TextSummary run_site_pipeline(const SitePipelineOptions& options, BlockSource& source, const GuideSet& every,
                              TextSites& sites);

}  // namespace basesweep
