#include "lib/guides/guide_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lib/base/error.hpp"

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

// Whether all that the letters of the sequence stand for matches the PAM.
bool matches(std::string_view pam, std::string_view sequence) {
  for (std::size_t i = 0; i < pam.size(); ++i) {
    if ((pattern_letter_set(sequence[i]) & ~iupac_set(pam[i])) != 0) return false;
  }
  return true;
}

// The sequence without the first PAM that it holds beside 15 to 30 bases; nothing if it holds none.
std::optional<std::string_view> without_pam(std::string_view sequence, const std::vector<std::string>& pams,
                                            PamSide side) {
  for (const std::string& pam : pams) {
    if (sequence.size() < pam.size() + kMinGuideLength || sequence.size() > pam.size() + kMaxGuideLength) continue;
    const std::size_t rest = sequence.size() - pam.size();
    if (side == PamSide::five_prime && matches(pam, sequence)) return sequence.substr(pam.size());
    if (side == PamSide::three_prime && matches(pam, sequence.substr(rest))) return sequence.substr(0, rest);
  }
  return std::nullopt;
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

GuideSet::GuideSet(const std::vector<Pattern>& patterns, const PamChoice& choice, const GuideLimits& limits)
    : side_(choice.side), limits_(limits) {
  for (const std::string& pam : choice.pams) pams_.push_back(checked_pam(pam));
  for (const std::string& pam : pams_) {
    max_pam_length_ = std::max(max_pam_length_, static_cast<std::uint32_t>(pam.size()));
  }
  const auto holds_pam = [&](const Pattern& pattern) {
    return without_pam(pattern.sequence, pams_, side_).has_value();
  };
  for (const Pattern& pattern : patterns) {
    if (pattern.sequence.find(kAlternative) != std::string::npos) bad_pattern(pattern, "a guide has one sequence");
  }
  pam_in_guides_ = choice.in_guide == PamInGuide::yes || (choice.in_guide == PamInGuide::automatic &&
                                                          std::all_of(patterns.begin(), patterns.end(), holds_pam));
  min_length_ = kMaxGuideLength;
  for (const Pattern& pattern : patterns) {
    std::string_view letters = pattern.sequence;
    if (pam_in_guides_) {
      const auto rest = without_pam(letters, pams_, side_);
      if (!rest) {
        bad_pattern(pattern, fmt::format("'{}' is not {} to {} bases {} the PAM {}, as --pam-in-guide yes says",
                                         letters, kMinGuideLength, kMaxGuideLength,
                                         side_ == PamSide::five_prime ? "behind" : "before", fmt::join(pams_, " or ")));
      }
      letters = *rest;
    }
    check_guide(pattern, letters, limits, pam_in_guides_);
    guides_.push_back({pattern.name, plain_letters(letters)});
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
