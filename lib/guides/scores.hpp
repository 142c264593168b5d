// Scores of CRISPR guides: how likely Cas9 of S. pyogenes cuts at a place, and how specific a guide is.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "lib/base/host_device.hpp"
#include "lib/guides/shape.hpp"

namespace basesweep {

// Scores count in steps of 1e-6, so that sums are exact in any order.
inline constexpr std::uint32_t kFullScore = 1'000'000;

// Whether the scores are defined: a guide of 20 bases, and PAMs of three letters after it, one of which accepts every
// NGG. `pams`: IUPAC letters, upper case.
bool has_scores(std::uint32_t guide_length, std::span<const std::string> pams, bool pam_5prime);

// The weights of differences in scores. Guide bases are counted from the guide's 5' end, sets are BaseSets, a text base
// is its code, or kOtherText if it is no base. A letter for several bases counts with the greatest of their weights.
inline constexpr std::uint32_t kScoredLength = 20;
inline constexpr unsigned kOtherText = 4;
struct ScoreWeights {
  std::uint32_t mit[kScoredLength];  // of a mismatch, in thousandths
  // CFD, in steps of 1e-9.
  std::uint32_t mismatch[kScoredLength][16][5];  // by the set of the guide and the text
  std::uint32_t dna_bulge[kScoredLength][5];     // by the guide base that follows, and the text in the bulge
  std::uint32_t rna_bulge[kScoredLength][16];    // by the set of the guide in the bulge
  std::uint32_t pam[4][4];                       // by the text of the PAM's second and third base
};
const ScoreWeights& score_weights();

// The functions below are for guides for which has_scores() is true.

// MIT score of a place without bulge (Hsu et al. 2013; the formula of crispr.mit.edu): the product of 1 - weight over
// the mismatches, lower the closer they are and the more there are. The PAM does not count. `mismatches`: see
// mismatches_at(). `weights`: ScoreWeights, or others that have `mit`.
template <class Weights>
BASESWEEP_HD std::uint32_t mit_score(const Weights& weights, std::uint64_t mismatches) {
  constexpr std::uint64_t kOne = 1'000'000'000'000'000;  // steps of 1e-15: products stay below 2^63
  constexpr std::uint32_t kScored = (1U << kScoredLength) - 1;
  std::uint64_t score = kOne;
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  for (std::uint32_t left = static_cast<std::uint32_t>(mismatches) & kScored; left != 0;) {
    const std::uint32_t base = highest_bit(left);
    left ^= 1U << base;
    const std::uint32_t i = kScoredLength - 1 - base;
    score = score * weights.mit[i] / 1000;
    if (count++ == 0) first = i;
    last = i;
  }
  if (count > 1) {
    // 1 / (4 (19 - d) / 19 + 1), where d = (last - first) / (count - 1) is the mean distance of neighbors.
    const std::uint64_t gaps = count - 1;
    score = score * 19 * gaps / (95 * gaps - 4 * (last - first));
    score /= count * count;
  }
  constexpr std::uint64_t kStep = kOne / kFullScore;
  return static_cast<std::uint32_t>((score + kStep / 2) / kStep);
}

// CFD score of an alignment (Doench et al. 2016): the product of the weights of all mismatches, bases in bulges and the
// PAM (cfd_weights.tsv). `pam`: of ScoreWeights::pam.
BASESWEEP_HD std::uint32_t cfd_score(const ScoreWeights& weights, const GuideBits& guide, const GuideWindow& window,
                                     const GuideShape& shape, std::uint32_t pam) {
  constexpr std::uint64_t kOne = 1'000'000'000;
  std::uint64_t score = pam;
  const auto multiply = [&score](std::uint32_t weight) { score = (score * weight + kOne / 2) / kOne; };
  const auto text = [&window](std::uint32_t base) {
    if ((window.other >> base & 1) != 0) return kOtherText;
    return static_cast<unsigned>((window.lo >> base & 1) | (window.hi >> base & 1) << 1);
  };
  const auto set = [&guide](std::uint32_t base) {
    return static_cast<unsigned>((guide.sets[0] >> base & 1) | (guide.sets[1] >> base & 1) << 1 |
                                 (guide.sets[2] >> base & 1) << 2 | (guide.sets[3] >> base & 1) << 3);
  };
  constexpr std::uint32_t kScored = (1U << kScoredLength) - 1;
  const auto mismatches = static_cast<std::uint32_t>(mismatches_of(guide, window, shape)) & kScored;
  // The bases of the guide that have weights: in an RNA bulge, and that beyond which a DNA bulge lies, too.
  std::uint32_t weighted = mismatches;
  if (shape.bulge == Bulge::dna) weighted |= 1U << (shape.at - 1);
  if (shape.bulge == Bulge::rna) weighted |= ((1U << shape.size) - 1) << shape.at;
  while (weighted != 0) {
    const std::uint32_t base = highest_bit(weighted);
    weighted ^= 1U << base;
    const std::uint32_t from_5prime = kScoredLength - 1 - base;
    if (shape.bulge == Bulge::dna && base + 1 == shape.at) {
      for (std::uint32_t i = shape.size; i-- > 0;) multiply(weights.dna_bulge[from_5prime][text(shape.at + i)]);
    }
    if (shape.bulge == Bulge::rna && base >= shape.at && base < std::uint32_t{shape.at} + shape.size) {
      multiply(weights.rna_bulge[from_5prime][set(base)]);
    } else if ((mismatches >> base & 1) != 0) {
      std::uint32_t opposite = base;
      if (base >= shape.at) opposite = shape.bulge == Bulge::dna ? base + shape.size : base - shape.size;
      multiply(weights.mismatch[from_5prime][set(base)][text(opposite)]);
    }
  }
  constexpr std::uint64_t kStep = kOne / kFullScore;
  return static_cast<std::uint32_t>((score + kStep / 2) / kStep);
}

// The greatest CFD score of all alignments of a place.
BASESWEEP_HD std::uint32_t greatest_cfd(const ScoreWeights& weights, const GuideBits& guide, const GuideWindow& window,
                                        const GuideLimits& limits, std::uint32_t pam) {
  std::uint32_t greatest = 0;
  for_each_shape(guide, window, limits, [&](const GuideShape& shape) {
    const std::uint32_t score = cfd_score(weights, guide, window, shape, pam);
    if (score > greatest) greatest = score;
  });
  return greatest;
}

// The weight of the PAM after a guide on this strand, from the planes of the text.
BASESWEEP_HD std::uint32_t pam_weight(const ScoreWeights& weights, const std::uint64_t* lo, const std::uint64_t* hi,
                                      std::uint32_t border, bool guide_left, bool minus) {
  const std::uint64_t low = outward(lo, border, !guide_left);
  const std::uint64_t high = minus ? ~outward(hi, border, !guide_left) : outward(hi, border, !guide_left);
  const auto code = [=](unsigned base) { return (low >> base & 1) | (high >> base & 1) << 1; };
  return weights.pam[code(1)][code(2)];
}

// The specificity of a guide, from the sum of the scores of its off-targets: 1 / (1 + sum).
std::uint32_t specificity(std::uint64_t off_targets);

// "0.523810" for 523,810, and "52.3810" in percent.
void append_score(std::uint64_t score, std::string& text);
void append_percent(std::uint64_t score, std::string& text);

}  // namespace basesweep
