#include "lib/guides/guide_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/guides/held_pam.hpp"

namespace basesweep {
namespace {

// With one letter for each set of bases: T for U, N for I.
std::string plain_letters(std::string_view letters) {
  std::string plain;
  for (const char letter : letters) {
    const char upper = static_cast<char>(letter & ~0x20);
    plain += upper == 'U' ? 'T' : upper == 'I' ? 'N' : upper;
  }
  return plain;
}

std::string checked_pam(const std::string& pam) {
  if (pam.empty() || pam.size() > kMaxPamLength) {
    throw UsageError(fmt::format("--pam '{}': expected 1 to {} nucleotides or IUPAC codes", pam, kMaxPamLength));
  }
  for (std::size_t i = 0; i < pam.size(); ++i) {
    if (pattern_letter_set(pam[i]) == 0) {
      throw UsageError(
          fmt::format("--pam {}: position {}: '{}' is not a nucleotide or IUPAC code", pam, i + 1, pam[i]));
    }
  }
  return plain_letters(pam);
}

void check_guide(const Pattern& pattern, std::string_view letters, const GuideLimits& limits, bool had_pam) {
  if (letters.size() < kMinGuideLength || letters.size() > kMaxGuideLength) {
    bad_pattern(pattern, fmt::format("{} bases{}: a guide has {} to {}", letters.size(),
                                     had_pam ? " beside the PAM" : "", kMinGuideLength, kMaxGuideLength));
  }
  if (limits.mismatches + limits.max_bulge() >= letters.size()) {
    bad_pattern(pattern, fmt::format("{} bases are too few for {} mismatches and bulges of {}", letters.size(),
                                     limits.mismatches, limits.max_bulge()));
  }
  if (limits.seed > letters.size()) {
    bad_pattern(pattern, fmt::format("{} bases are too few for a seed of {}", letters.size(), limits.seed));
  }
}

}  // namespace

GuideSet::GuideSet(const std::vector<Pattern>& patterns, const PamChoice& choice, const GuideLimits& limits,
                   std::vector<bool> repeats)
    : repeats_(std::move(repeats)), side_(choice.side), limits_(limits) {
  for (const std::string& pam : choice.pams) pams_.push_back(checked_pam(pam));
  for (const std::string& pam : pams_) {
    max_pam_length_ = std::max(max_pam_length_, static_cast<std::uint32_t>(pam.size()));
  }
  for (const Pattern& pattern : patterns) {
    if (pattern.sequence.find(kAlternative) != std::string::npos) bad_pattern(pattern, "a guide has one sequence");
  }
  const PamParts parts = find_pam_parts(patterns, pams_, choice);
  held_pam_ = parts.held;
  min_length_ = kMaxGuideLength;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    std::string_view letters = patterns[i].sequence;
    const std::size_t part = parts.held == HeldPam::nothing ? 0 : parts.lengths[i];
    side_ == PamSide::five_prime ? letters.remove_prefix(part) : letters.remove_suffix(part);
    check_guide(patterns[i], letters, limits, part != 0);
    guides_.push_back({patterns[i].name, plain_letters(letters)});
    const auto length = static_cast<std::uint32_t>(letters.size());
    max_length_ = std::max(max_length_, length);
    min_length_ = std::min(min_length_, length);
  }
}

std::vector<BaseSet> base_sets(std::string_view letters) {
  std::vector<BaseSet> sets;
  sets.reserve(letters.size());
  for (const char letter : letters) sets.push_back(pattern_letter_set(letter));
  return sets;
}

}  // namespace basesweep
