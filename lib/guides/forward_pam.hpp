// PAMs as they read on the forward strand.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/guides/guide_set.hpp"
#include "lib/search/strand.hpp"

namespace basesweep {

struct ForwardPam {
  std::vector<BaseSet> sets;
  Strand strand;
  std::uint8_t pam;  // index into GuideSet::pams()
};

// The PAMs of one strand, in the order that the user gave.
std::vector<ForwardPam> forward_pams(const GuideSet& guides, Strand strand);

}  // namespace basesweep
