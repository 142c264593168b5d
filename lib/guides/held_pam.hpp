// Finds the PAM, or letters in its place, that the sequences of a library have next to their guides.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lib/guides/guide_set.hpp"

namespace basesweep {

// With PamInGuide::automatic, a sequence ends in its PAM only if it has this many other bases: a guide of 20 that
// happens to end so has 17.
inline constexpr std::uint32_t kLeastBesidePam = 19;
// Fewer different sequences than this all end in a PAM by chance often enough.
inline constexpr std::size_t kTooManyForChance = 4;

struct PamParts {
  HeldPam held = HeldPam::nothing;
  std::vector<std::size_t> lengths{};  // of each sequence, the bases at the PAM's side that are no part of the guide;
                                       // empty if they hold nothing
};

// Decides what is taken off the sequences. `pams`: those of `choice`, in plain letters (T for U, N for I). A
// placeholder is as long as a PAM, has a code for several bases, and each of its letters means all bases of the PAM's
// letter. Where `choice` leaves the decision open, all sequences must hold a placeholder or a PAM, the latter next to
// kLeastBesidePam bases or more; a PAM of N alone is never found in them.
//
// Throws UsageError where the sequences can be read in two ways: kTooManyForChance of them or more, which are shorter,
// all end in a PAM, or only some have a placeholder. With PamInGuide::yes, calls bad_pattern() for a sequence without.
PamParts find_pam_parts(const std::vector<Pattern>& patterns, const std::vector<std::string>& pams,
                        const PamChoice& choice);

// "20 bases" or "19 to 21 bases".
std::string print_lengths(std::size_t shortest, std::size_t longest);

// The decision, for people: "guides are 20 bases, without PAM".
std::string print_held_pam(const GuideSet& guides);

}  // namespace basesweep
