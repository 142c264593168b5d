// Scores of pairs from tables, for the CPU.
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

// As cfd_of_pair(), for sites without other letters. The weights of a base stand by the low bit of the guide's code, of
// the site's, and their high bits.
class CfdTable {
 public:
  CfdTable() = default;
  explicit CfdTable(const PairWeights& weights) {
    for (std::uint32_t base = 0; base < kScoredLength; ++base) {
      for (std::uint32_t bits = 0; bits < 16; ++bits) {
        const std::uint32_t guide = (bits & 1) | (bits >> 1 & 2);
        const std::uint32_t site = (bits >> 1 & 1) | (bits >> 2 & 2);
        weights_[base][bits] = weights.mismatch[kScoredLength - 1 - base][guide][site];
      }
    }
  }

  std::uint32_t score(const PairWeights& weights, SiteBases guide, SiteBases site, std::uint32_t differences) const {
    constexpr std::uint64_t kOne = 1'000'000'000;
    constexpr std::uint64_t kBoth = 1 | std::uint64_t{1} << 32;
    const auto both = [](SiteBases bases) { return bases.lo | std::uint64_t{bases.hi} << 32; };
    const std::uint64_t of_guide = both(guide);
    const std::uint64_t of_site = both(site);
    std::uint64_t score = pam_weight_of(weights, site);
    for (std::uint32_t left = differences; left != 0;) {
      const std::uint32_t base = highest_bit(left);
      left ^= 1U << base;
      const std::uint64_t bits = (of_guide >> base & kBoth) | (of_site >> base & kBoth) << 1;
      const std::uint64_t weight = weights_[base][(bits | bits >> 30) & 15];
      score = score == kOne ? weight : (score * weight + kOne / 2) / kOne;
    }
    constexpr std::uint64_t kStep = kOne / kFullScore;
    return static_cast<std::uint32_t>((score + kStep / 2) / kStep);
  }

 private:
  std::uint32_t weights_[kScoredLength][16]{};
};

}  // namespace basesweep::buckets
