// The sites of a batch that may be places of a guide.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/guides/sites.hpp"

namespace basesweep {

struct Candidate {
  std::uint32_t guide;  // index among those searched for
  std::uint32_t site;   // index in Sites
};

// Sorts the candidates by guide and site, and leaves each once.
void sort_candidates(std::vector<Candidate>& candidates);

// Gives the places among the candidates, guide by guide. `bits`: of all guides of the set. `indices`: of the guides
// that were searched for, in the set; Candidate::guide is an index into them. `candidates`: as sort_candidates() leaves
// them.
void use_places(const PackedBatch& batch, const GuideSet& guides, const std::vector<GuideBits>& bits,
                std::span<const std::uint32_t> indices, std::span<const Candidate> candidates, const Sites& sites,
                const GuideFinder::Use& use);

}  // namespace basesweep
