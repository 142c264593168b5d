// Every guide of a text against all of it.
#pragma once

#include <memory>

#include "kernels/guides/buckets/plan.hpp"
#include "lib/base/isa.hpp"
#include "lib/guides/guide_join.hpp"

namespace basesweep::buckets {

// How a text is joined with itself. The totals do not depend on it.
struct JoinSettings {
  // The bases that a word may have; 0: none, so that each guide is compared with each site.
  std::uint32_t least_word = 0;
  std::uint32_t most_word = kMaxWord;
  std::uint32_t sites_at_once = 1U << 27;  // whose totals are in memory
};

std::unique_ptr<GuideJoin> make_cpu_join(const JoinSettings& settings, Isa isa);

// Seconds of one CPU thread for this many sites.
double cpu_join_seconds(double sites, std::uint32_t length, const JoinLimits& limits);

}  // namespace basesweep::buckets
