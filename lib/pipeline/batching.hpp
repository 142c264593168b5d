// How the text of a search is packed and cut to batches.
#pragma once

#include <cstdint>

#include "lib/align/resolver.hpp"
#include "lib/packer/batch_builder.hpp"
#include "lib/packer/packer.hpp"
#include "lib/search/matcher.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {

// The most bases that a block of text or a batch should have, so that the occurrences in it fit into memory. Small
// where an exact search finds something in every other position, as one for N does, or where queries may differ in a
// third of their positions: then most positions of any text end alignments.
std::uint32_t max_batch_positions(const PatternSet& patterns);

// Batches for a matcher. They own `batch_positions` positions; 0: as many as the matcher wants.
BatchOptions batch_options(const PatternSet& patterns, Report report, Matcher& matcher, std::uint32_t batch_positions);

}  // namespace basesweep
