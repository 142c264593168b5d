// Every guide of a text against all of it.
#pragma once

#include <memory>

#include "kernels/guides/join_settings.hpp"
#include "lib/base/isa.hpp"
#include "lib/guides/guide_join.hpp"

namespace basesweep::buckets {

std::unique_ptr<GuideJoin> make_cpu_join(const JoinSettings& settings, Isa isa);

// Seconds of one CPU thread for this many sites.
double cpu_join_seconds(double sites, std::uint32_t length, const JoinLimits& limits);

}  // namespace basesweep::buckets
