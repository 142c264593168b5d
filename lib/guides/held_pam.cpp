#include "lib/guides/held_pam.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

bool is_n_alone(std::string_view pam) { return pam.find_first_not_of('N') == std::string_view::npos; }

class PamFinder {
 public:
  PamFinder(const std::vector<std::string>& pams, PamSide side) : pams_(pams), side_(side) {}

  // The bases of the first PAM that the sequence holds beside `least` to 30 bases; 0 if it holds none.
  std::size_t pam_in(std::string_view sequence, std::size_t least, bool n_counts) const {
    for (const std::string& pam : pams_) {
      if (!n_counts && is_n_alone(pam)) continue;
      if (leaves(sequence, pam, least) &&
          all_letters(pam, sequence, [](BaseSet own, BaseSet of_pam) { return (own & ~of_pam) == 0; })) {
        return pam.size();
      }
    }
    return 0;
  }

  // The bases of the longest PAM in whose place the sequence has codes; 0 if it has none.
  std::size_t placeholder_in(std::string_view sequence) const {
    std::size_t longest = 0;
    for (const std::string& pam : pams_) {
      bool has_code = false;
      const bool covers = leaves(sequence, pam, kMinGuideLength) &&
                          all_letters(pam, sequence, [&has_code](BaseSet own, BaseSet of_pam) {
                            has_code = has_code || !is_single_base(own);
                            return (of_pam & ~own) == 0;
                          });
      if (covers && has_code) longest = std::max(longest, pam.size());
    }
    return longest;
  }

  // The letters at the PAM's side.
  std::string_view side_of(std::string_view sequence, std::size_t bases) const {
    return side_ == PamSide::five_prime ? sequence.substr(0, bases) : sequence.substr(sequence.size() - bases);
  }

  std::string pams() const { return fmt::format("{}", fmt::join(pams_, " or ")); }
  // `one`: of one sequence.
  const char* end_in(bool one) const {
    return side_ == PamSide::five_prime ? (one ? "begins with" : "begin with") : (one ? "ends in" : "end in");
  }

 private:
  static bool leaves(std::string_view sequence, const std::string& pam, std::size_t least) {
    return sequence.size() >= pam.size() + least && sequence.size() <= pam.size() + kMaxGuideLength;
  }

  // Whether holds(bases of the sequence's letter, bases of the PAM's letter) is true for all letters of the PAM.
  template <class Holds>
  bool all_letters(const std::string& pam, std::string_view sequence, Holds holds) const {
    const std::string_view own = side_of(sequence, pam.size());
    for (std::size_t i = 0; i < pam.size(); ++i) {
      if (!holds(pattern_letter_set(own[i]), iupac_set(pam[i]))) return false;
    }
    return true;
  }

  const std::vector<std::string>& pams_;
  const PamSide side_;
};

// The bases of the placeholder or the PAM that each sequence holds; 0 for one that holds neither.
std::vector<std::size_t> parts_of(const std::vector<Pattern>& patterns, const PamFinder& finder, std::size_t least,
                                  bool n_counts) {
  std::vector<std::size_t> parts;
  for (const Pattern& pattern : patterns) {
    const std::size_t placeholder = finder.placeholder_in(pattern.sequence);
    parts.push_back(placeholder != 0 ? placeholder : finder.pam_in(pattern.sequence, least, n_counts));
  }
  return parts;
}

bool in_all(const std::vector<std::size_t>& parts) { return std::find(parts.begin(), parts.end(), 0) == parts.end(); }

PamParts taken_off(const std::vector<Pattern>& patterns, std::vector<std::size_t> parts, const PamFinder& finder) {
  PamParts taken{HeldPam::pam, std::move(parts)};
  for (const Pattern& pattern : patterns) {
    if (finder.pam_in(pattern.sequence, kMinGuideLength, true) == 0) taken.held = HeldPam::placeholder;
  }
  return taken;
}

// Throws if only some sequences have a placeholder.
void refuse_some_placeholders(const std::vector<Pattern>& patterns, const std::vector<std::size_t>& parts,
                              const PamFinder& finder) {
  const auto has_one = [&](const Pattern& pattern) { return finder.placeholder_in(pattern.sequence) != 0; };
  const auto found = std::find_if(patterns.begin(), patterns.end(), has_one);
  if (found == patterns.end()) return;
  const Pattern& without = patterns[static_cast<std::size_t>(std::find(parts.begin(), parts.end(), 0) - parts.begin())];
  throw UsageError(fmt::format(
      "guide '{}' {} {}, which stands for the PAM {}, but guide '{}' ({}) does not: write all guides with the PAM or "
      "all without it; with --pam-in-guide no, all letters are searched for",
      found->name, finder.end_in(true), finder.side_of(found->sequence, finder.placeholder_in(found->sequence)),
      finder.pams(), without.name, without.sequence));
}

// Throws if too many sequences end in a PAM for it to be chance.
void refuse_many_short(const std::vector<Pattern>& patterns, const PamFinder& finder) {
  const std::vector<std::size_t> parts = parts_of(patterns, finder, kMinGuideLength, false);
  if (!in_all(parts)) return;
  std::set<std::string_view> different;
  std::size_t shortest = patterns.front().sequence.size();
  std::size_t longest = 0;
  std::size_t least_beside = shortest;
  std::size_t most_beside = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const std::size_t length = patterns[i].sequence.size();
    different.insert(patterns[i].sequence);
    shortest = std::min(shortest, length);
    longest = std::max(longest, length);
    least_beside = std::min(least_beside, length - parts[i]);
    most_beside = std::max(most_beside, length - parts[i]);
  }
  if (different.size() < kTooManyForChance) return;
  throw UsageError(fmt::format(
      "all {} guides {} the PAM {}: is it a part of them? --pam-in-guide yes takes it off and searches for {}; "
      "--pam-in-guide no searches for all {}",
      patterns.size(), finder.end_in(false), finder.pams(), print_lengths(least_beside, most_beside),
      print_lengths(shortest, longest)));
}

}  // namespace

PamParts find_pam_parts(const std::vector<Pattern>& patterns, const std::vector<std::string>& pams,
                        const PamChoice& choice) {
  if (choice.in_guide == PamInGuide::no || patterns.empty()) return {};
  const PamFinder finder(pams, choice.side);
  const bool asked = choice.in_guide == PamInGuide::yes;
  std::vector<std::size_t> parts = parts_of(patterns, finder, asked ? kMinGuideLength : kLeastBesidePam, asked);
  if (in_all(parts)) return taken_off(patterns, std::move(parts), finder);
  if (asked) {
    const Pattern& without =
        patterns[static_cast<std::size_t>(std::find(parts.begin(), parts.end(), 0) - parts.begin())];
    bad_pattern(without, fmt::format("'{}' is not {} to {} bases {} the PAM {}, as --pam-in-guide yes says",
                                     without.sequence, kMinGuideLength, kMaxGuideLength,
                                     choice.side == PamSide::five_prime ? "behind" : "before", finder.pams()));
  }
  refuse_some_placeholders(patterns, parts, finder);
  refuse_many_short(patterns, finder);
  return {};
}

std::string print_lengths(std::size_t shortest, std::size_t longest) {
  return shortest == longest ? fmt::format("{} bases", shortest) : fmt::format("{} to {} bases", shortest, longest);
}

std::string print_held_pam(const GuideSet& guides) {
  const std::string lengths = print_lengths(guides.min_length(), guides.max_length());
  if (guides.held_pam() == HeldPam::nothing) return fmt::format("guides are {}, without PAM", lengths);
  return fmt::format("guides are {}; the {}PAM {} at the {} of each sequence was taken off", lengths,
                     guides.held_pam() == HeldPam::placeholder ? "placeholder of the " : "",
                     fmt::join(guides.pams(), " or "), guides.side() == PamSide::five_prime ? "start" : "end");
}

}  // namespace basesweep
