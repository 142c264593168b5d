// Looks guides up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/guides/candidates.hpp"
#include "kernels/guides/halves/index.hpp"
#include "kernels/guides/halves/plan.hpp"
#include "kernels/guides/sites.hpp"
#include "lib/base/isa.hpp"

namespace basesweep::halves {

// The sites of a batch with the indices of both words; q of one plan.
struct SiteIndex {
  std::uint32_t q;
  WordIndex first;
  WordIndex second;
};

// Whether words are looked up for guides of this plan, so that there must be an index.
bool looks_up(const LookupPlan& plan, const Sites& sites, GuideWay way);

// Sets `found` to all places of these guides, sorted, each once, and perhaps some that are none: N counts as any base,
// and only 32 bases are compared. All guides have the plan. `index`: of the plan's q; null unless looks_up().
void find_candidates(std::span<const GuideBits* const> guides, const GuideLimits& limits, const LookupPlan& plan,
                     const Sites& sites, const SiteIndex* index, GuideWay way, Isa isa, std::vector<Candidate>& found);

}  // namespace basesweep::halves
