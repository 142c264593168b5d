// Scores of CRISPR guides: how likely Cas9 of S. pyogenes cuts at a place, and how specific a guide is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "lib/guides/alignment.hpp"

namespace basesweep {

// Scores count in steps of 1e-6, so that sums are exact in any order.
inline constexpr std::uint32_t kFullScore = 1'000'000;

// Whether the scores are defined: a guide of 20 bases, and PAMs of three letters behind it, one of which accepts every
// NGG. `pams`: IUPAC letters, upper case.
bool has_scores(std::uint32_t guide_length, std::span<const std::string> pams, bool pam_5prime);

// Both functions need an alignment of a guide for which has_scores() is true.

// MIT score of a place (Hsu et al. 2013; the formula of crispr.mit.edu): the product of 1 - weight over the mismatches,
// lower the closer they are and the more there are. Nothing for alignments with a bulge. The PAM does not count.
std::optional<std::uint32_t> mit_score(const GuideAlignment& alignment);

// CFD score of a place (Doench et al. 2016): the product of the weights of all mismatches, bases in bulges and the PAM
// (cfd_weights.tsv). Where a letter leaves it open which base meets which, such as N, the greatest weight counts.
std::uint32_t cfd_score(const GuideAlignment& alignment);

// The specificity of a guide, from the sum of the scores of its off-targets: 1 / (1 + sum).
std::uint32_t specificity(std::uint64_t off_targets);

// "0.523810" for 523,810, and "52.3810" in percent.
void append_score(std::uint64_t score, std::string& text);
void append_percent(std::uint64_t score, std::string& text);

}  // namespace basesweep
