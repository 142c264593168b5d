#include "lib/guides/scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "lib/base/dna.hpp"
#include "lib/base/fields.hpp"
#include "lib/guides/cfd_weights.hpp"

namespace basesweep {
namespace {

constexpr std::uint32_t kPamLength = 3;

// The weights "M" of Hsu et al. 2013, in thousandths, from the guide's 5' end.
constexpr std::array<std::uint32_t, kScoredLength> kHsuWeights = {0,   0,   14,  0,   0,   395, 317, 0,   389, 79,
                                                                  445, 508, 613, 851, 732, 828, 615, 804, 685, 583};

// The weights of one base each, as cfd_weights.tsv has them, in steps of 1e-9.
struct CfdWeights {
  using OfBase = std::array<std::uint32_t, 4>;  // by base code

  std::array<std::array<OfBase, 4>, kScoredLength> mismatch{};
  std::array<OfBase, kScoredLength> dna_bulge{};
  std::array<OfBase, kScoredLength> rna_bulge{};
  std::array<OfBase, 4> pam{};
};

std::uint32_t weight(std::string_view text) {
  double number = 0;
  if (!parse_number(text, number)) throw std::logic_error("cfd_weights.tsv");
  return static_cast<std::uint32_t>(std::llround(number * 1e9));
}

void add_row(std::span<const std::string_view> fields, CfdWeights& weights) {
  const unsigned guide = base_code(fields[1].front());
  const unsigned text = base_code(fields[2].front());
  for (std::uint32_t position = 0; position < kScoredLength; ++position) {
    const std::string_view field = fields[3 + position];
    if (field == ".") continue;
    std::uint32_t& slot = fields[0] == "mismatch"    ? weights.mismatch[position][guide][text]
                          : fields[0] == "dna_bulge" ? weights.dna_bulge[position][text]
                                                     : weights.rna_bulge[position][guide];
    slot = weight(field);
  }
}

CfdWeights read_weights() {
  CfdWeights weights;
  std::string_view rest = kCfdWeights;
  while (!rest.empty()) {
    const std::string_view line = take_to(rest, '\n');
    if (line.empty() || line.front() == '#') continue;
    std::array<std::string_view, 3 + kScoredLength> fields;
    const std::size_t count = split_at_tabs(line, fields);
    if (fields[0] == "pam") {
      weights.pam[base_code(fields[1].front())][base_code(fields[2].front())] = weight(fields[3]);
    } else if (fields[0] != "what") {
      if (count != fields.size()) throw std::logic_error("cfd_weights.tsv");
      add_row(fields, weights);
    }
  }
  return weights;
}

// The base codes that a text may have.
BaseSet text_set(unsigned text) { return text == kOtherText ? kAnyBase : static_cast<BaseSet>(1U << text); }

// The greatest weight of the members of a set.
std::uint32_t greatest(const CfdWeights::OfBase& weights, unsigned set) {
  std::uint32_t found = 0;
  for (unsigned code = 0; code < 4; ++code) {
    if ((set >> code & 1) != 0) found = std::max(found, weights[code]);
  }
  return found;
}

// The greatest weight of two different bases of these sets.
std::uint32_t greatest(const std::array<CfdWeights::OfBase, 4>& weights, unsigned guide, unsigned text) {
  std::uint32_t found = 0;
  for (unsigned code = 0; code < 4; ++code) {
    if ((guide >> code & 1) != 0) found = std::max(found, greatest(weights[code], text & ~(1U << code)));
  }
  return found;
}

ScoreWeights make_weights() {
  const CfdWeights cfd = read_weights();
  ScoreWeights weights{};
  for (std::uint32_t i = 0; i < kScoredLength; ++i) {
    weights.mit[i] = 1000 - kHsuWeights[i];
    for (unsigned set = 0; set < 16; ++set) {
      for (unsigned text = 0; text <= kOtherText; ++text) {
        weights.mismatch[i][set][text] = greatest(cfd.mismatch[i], set, text_set(text));
      }
      weights.rna_bulge[i][set] = greatest(cfd.rna_bulge[i], set);
    }
    for (unsigned text = 0; text <= kOtherText; ++text)
      weights.dna_bulge[i][text] = greatest(cfd.dna_bulge[i], text_set(text));
  }
  for (unsigned second = 0; second < 4; ++second) {
    for (unsigned third = 0; third < 4; ++third) weights.pam[second][third] = cfd.pam[second][third];
  }
  return weights;
}

}  // namespace

bool has_scores(std::uint32_t guide_length, std::span<const std::string> pams, bool pam_5prime) {
  const auto has_three = [](const std::string& pam) { return pam.size() == kPamLength; };
  const auto accepts_ngg = [](const std::string& pam) {
    return pattern_letter_set(pam[0]) == kAnyBase && (pattern_letter_set(pam[1]) & iupac_set('G')) != 0 &&
           (pattern_letter_set(pam[2]) & iupac_set('G')) != 0;
  };
  return guide_length == kScoredLength && !pam_5prime && std::all_of(pams.begin(), pams.end(), has_three) &&
         std::any_of(pams.begin(), pams.end(), accepts_ngg);
}

const ScoreWeights& score_weights() {
  static const ScoreWeights weights = make_weights();
  return weights;
}

std::uint32_t specificity(std::uint64_t off_targets) {
  const std::uint64_t whole = kFullScore + off_targets;
  constexpr std::uint64_t kSquare = std::uint64_t{kFullScore} * kFullScore;
  return static_cast<std::uint32_t>((kSquare + whole / 2) / whole);
}

namespace {

// Appends score / unit with `digits` digits after the point; unit is 10^digits.
void append_decimal(std::uint64_t score, std::uint64_t unit, std::size_t digits, std::string& text) {
  const fmt::format_int whole(score / unit);
  const fmt::format_int rest(unit + score % unit);  // its first digit is left out
  text.append(whole.data(), whole.size()).append(1, '.').append(rest.data() + rest.size() - digits, digits);
}

}  // namespace

void append_score(std::uint64_t score, std::string& text) { append_decimal(score, kFullScore, 6, text); }

void append_percent(std::uint64_t score, std::string& text) { append_decimal(score, kFullScore / 100, 4, text); }

}  // namespace basesweep
