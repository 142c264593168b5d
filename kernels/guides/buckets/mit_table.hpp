// The MIT scores of all sets of mismatches that a place may have.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/guides/buckets/pair.hpp"
#include "lib/base/count_ones.hpp"

namespace basesweep::buckets {

// A score takes divisions, and depends on nothing but where the mismatches are. Sets of k mismatches are numbered by
// the combinatorial number system: b1 < b2 < ... have the number C(b1, 1) + C(b2, 2) + ... (Knuth, The Art of Computer
// Programming, volume 4A, section 7.2.1.3).
class MitTable {
 public:
  MitTable() = default;
  // For sets of at most `mismatches`.
  MitTable(const PairWeights& weights, std::uint32_t mismatches) {
    for (std::uint32_t n = 0; n <= kScoredLength; ++n) {
      choose_[n][0] = 1;
      for (std::uint32_t k = 1; k <= kMostJoinMismatches; ++k) {
        choose_[n][k] = n == 0 ? 0 : choose_[n - 1][k - 1] + choose_[n - 1][k];
      }
    }
    for (std::uint32_t k = 0; k < mismatches; ++k) begins_[k + 1] = begins_[k] + choose_[kScoredLength][k];
    scores_.resize(begins_[mismatches] + choose_[kScoredLength][mismatches]);
    for (std::uint32_t set = 0; set < 1U << kScoredLength; ++set) {
      if (count_ones(set) <= mismatches) scores_[index_of(set)] = mit_score(weights, set);
    }
  }

  std::uint32_t operator[](std::uint32_t differences) const {
    return scores_[index_of(differences & ((1U << kScoredLength) - 1))];
  }

 private:
  std::uint32_t index_of(std::uint32_t set) const {
    std::uint32_t index = 0;
    std::uint32_t k = 0;
    for (; set != 0; set &= set - 1) index += choose_[lowest_bit(std::uint64_t{set})][++k];
    return begins_[k] + index;
  }

  std::array<std::array<std::uint32_t, kMostJoinMismatches + 1>, kScoredLength + 1> choose_{};
  std::array<std::uint32_t, kMostJoinMismatches + 1> begins_{};
  std::vector<std::uint32_t> scores_;
};

}  // namespace basesweep::buckets
