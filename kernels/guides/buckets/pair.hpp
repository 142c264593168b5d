// A guide of the text and a site, compared and scored: the same on CPU and GPU.
#pragma once

#include <cstdint>

#include "lib/base/count_ones.hpp"
#include "lib/base/host_device.hpp"
#include "lib/guides/guide_join.hpp"
#include "lib/guides/scores.hpp"
#include "lib/guides/text_sites.hpp"

namespace basesweep::buckets {

// The weights of scores, for guides that have one base at each place.
struct PairWeights {
  std::uint32_t mit[kScoredLength];
  std::uint32_t mismatch[kScoredLength][4][kOtherText + 1];  // by the codes of the guide and the text
  std::uint32_t pam[4][4];                                   // as in ScoreWeights
};
PairWeights pair_weights();

// The bases in which the two differ; `other`: those of the site that are other letters.
BASESWEEP_HD std::uint32_t differences_of(SiteBases guide, SiteBases site, std::uint32_t other, std::uint32_t length) {
  return (((guide.lo ^ site.lo) | (guide.hi ^ site.hi)) & ((1U << length) - 1)) | other;
}

// The weight of a site's PAM.
BASESWEEP_HD std::uint32_t pam_weight_of(const PairWeights& weights, SiteBases site) {
  const auto code = [=](std::uint32_t letter) {
    return (site.lo >> (kPamBits + letter) & 1) | (site.hi >> (kPamBits + letter) & 1) << 1;
  };
  return weights.pam[code(0)][code(1)];
}

// As cfd_score() of a place without bulge.
BASESWEEP_HD std::uint32_t cfd_of_pair(const PairWeights& weights, SiteBases guide, SiteBases site, std::uint32_t other,
                                       std::uint32_t differences) {
  constexpr std::uint64_t kOne = 1'000'000'000;
  std::uint64_t score = pam_weight_of(weights, site);
  for (std::uint32_t left = differences; left != 0;) {
    const std::uint32_t base = highest_bit(left);
    left ^= 1U << base;
    const auto code = [base](SiteBases bases) { return (bases.lo >> base & 1) | (bases.hi >> base & 1) << 1; };
    const std::uint32_t text = (other >> base & 1) != 0 ? kOtherText : code(site);
    score = (score * weights.mismatch[kScoredLength - 1 - base][code(guide)][text] + kOne / 2) / kOne;
  }
  constexpr std::uint64_t kStep = kOne / kFullScore;
  return static_cast<std::uint32_t>((score + kStep / 2) / kStep);
}

// A place among the nearest, see SiteTotals.
BASESWEEP_HD std::uint64_t nearness(std::uint32_t mismatches, std::uint32_t site) {
  return std::uint64_t{mismatches} << 32 | site;
}

}  // namespace basesweep::buckets
