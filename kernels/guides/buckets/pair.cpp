#include "kernels/guides/buckets/pair.hpp"

namespace basesweep::buckets {

PairWeights pair_weights() {
  const ScoreWeights& all = score_weights();
  PairWeights weights{};
  for (std::uint32_t i = 0; i < kScoredLength; ++i) {
    weights.mit[i] = all.mit[i];
    for (unsigned guide = 0; guide < 4; ++guide) {
      for (unsigned text = 0; text <= kOtherText; ++text) {
        weights.mismatch[i][guide][text] = all.mismatch[i][1U << guide][text];
      }
    }
  }
  for (unsigned second = 0; second < 4; ++second) {
    for (unsigned third = 0; third < 4; ++third) weights.pam[second][third] = all.pam[second][third];
  }
  return weights;
}

}  // namespace basesweep::buckets
