// The CRISPR guides of a run, their PAMs, and how much a place may differ from a guide.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/base/host_device.hpp"
#include "lib/search/pattern.hpp"

namespace basesweep {

// The side of the guide that its PAM is on.
enum class PamSide { three_prime, five_prime };
// Whether the sequences of the guides hold the PAM too.
enum class PamInGuide { automatic, yes, no };
// The part of the given sequences that is not guide.
enum class HeldPam {
  nothing,
  pam,
  placeholder,  // letters in place of the PAM, in some sequences or in all: NNN for NGG
};

inline constexpr std::uint32_t kMinGuideLength = 15;
inline constexpr std::uint32_t kMaxGuideLength = 30;
inline constexpr std::uint32_t kMaxPamLength = 16;
inline constexpr std::uint32_t kMaxBulge = 9;

struct GuideLimits {
  std::uint32_t mismatches = 0;       // at most
  std::uint32_t dna_bulges = 0;       // text bases without a guide base, in one stretch: at most
  std::uint32_t rna_bulges = 0;       // guide bases without a text base: at most
  std::uint32_t seed = 0;             // this many guide bases beside the PAM are in no bulge
  std::uint32_t seed_mismatches = 0;  // at most this many of their mismatches; of no meaning when seed is 0

  BASESWEEP_HD std::uint32_t max_bulge() const { return dna_bulges > rna_bulges ? dna_bulges : rna_bulges; }
};

struct Guide {
  std::string name;
  std::string letters;  // IUPAC, upper case, T for U, N for I; 5' to 3', without PAM
};

struct PamChoice {
  std::vector<std::string> pams;  // IUPAC, 5' to 3', as given; the first that matches counts
  PamSide side = PamSide::three_prime;
  PamInGuide in_guide = PamInGuide::automatic;
};

// Immutable. Guides are in the order of the patterns.
class GuideSet {
 public:
  // Throws UsageError for a PAM that is none, as find_pam_parts() where the sequences can be read in two ways, and
  // through bad_pattern() for a guide with several sequences, of a length that is not allowed, too short for the
  // limits, or without PAM where PamInGuide::yes says that it has one. `repeats`: see repeats(); empty: none does.
  GuideSet(const std::vector<Pattern>& patterns, const PamChoice& choice, const GuideLimits& limits,
           std::vector<bool> repeats = {});

  const std::vector<Guide>& guides() const { return guides_; }
  // Whether a guide is given again, under the same name: its places are counted, and written for the first one only.
  bool repeats(std::size_t guide) const { return !repeats_.empty() && repeats_[guide]; }
  const std::vector<std::string>& pams() const { return pams_; }
  PamSide side() const { return side_; }
  const GuideLimits& limits() const { return limits_; }
  // The part of the given sequences that was taken off to get Guide::letters.
  HeldPam held_pam() const { return held_pam_; }
  std::uint32_t max_length() const { return max_length_; }  // of a guide
  std::uint32_t min_length() const { return min_length_; }  // of a guide
  std::uint32_t max_pam_length() const { return max_pam_length_; }

 private:
  std::vector<Guide> guides_;
  std::vector<bool> repeats_;
  std::vector<std::string> pams_;
  PamSide side_;
  GuideLimits limits_;
  HeldPam held_pam_ = HeldPam::nothing;
  std::uint32_t max_length_ = 0;
  std::uint32_t min_length_ = 0;
  std::uint32_t max_pam_length_ = 0;
};

// The sets of bases of IUPAC letters.
std::vector<BaseSet> base_sets(std::string_view letters);

}  // namespace basesweep
