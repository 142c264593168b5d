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

constexpr std::uint32_t kGuideLength = 20;
constexpr std::uint32_t kPamLength = 3;
constexpr std::size_t kSets = 16;  // of bases

bool matches(BaseSet guide, BaseSet text) { return is_single_base(text) && (guide & text) != 0; }

// The bases that a letter of the text may be: every one for what is no base.
BaseSet text_set(char letter) {
  const BaseSet set = iupac_set(letter);
  return set == 0 ? kAnyBase : set;
}

// The CFD weights, in steps of 1e-9, by sets of bases: what a letter leaves open counts as the greatest of its weights.
class CfdWeights {
 public:
  static constexpr std::uint64_t kOne = 1'000'000'000;

  CfdWeights() {
    std::string_view rest = kCfdWeights;
    while (!rest.empty()) {
      const std::string_view line = take_to(rest, '\n');
      if (line.empty() || line.front() == '#') continue;
      std::array<std::string_view, 3 + kGuideLength> fields;
      const std::size_t count = split_at_tabs(line, fields);
      if (fields[0] == "pam") {
        pam_[base_code(fields[1].front())][base_code(fields[2].front())] = weight(fields[3]);
      } else if (fields[0] != "what") {
        if (count != fields.size()) throw std::logic_error("cfd_weights.tsv");
        add(fields);
      }
    }
  }

  std::uint64_t mismatch(std::uint32_t position, BaseSet guide, BaseSet text) const {
    std::uint64_t greatest = 0;
    each(guide, [&](unsigned g) {
      each(text, [&](unsigned t) {
        if (g != t) greatest = std::max(greatest, mismatch_[position][g][t]);
      });
    });
    return greatest;
  }
  std::uint64_t dna_bulge(std::uint32_t position, BaseSet text) const { return greatest(dna_bulge_[position], text); }
  std::uint64_t rna_bulge(std::uint32_t position, BaseSet guide) const { return greatest(rna_bulge_[position], guide); }
  std::uint64_t pam(BaseSet second, BaseSet third) const {
    std::uint64_t found = 0;
    each(second, [&](unsigned code) { found = std::max(found, greatest(pam_[code], third)); });
    return found;
  }

 private:
  using OfBase = std::array<std::uint64_t, 4>;  // by base code

  static std::uint64_t weight(std::string_view text) {
    double number = 0;
    if (!parse_number(text, number)) throw std::logic_error("cfd_weights.tsv");
    return static_cast<std::uint64_t>(std::llround(number * kOne));
  }
  template <class Use>
  static void each(BaseSet set, Use use) {
    for (unsigned code = 0; code < 4; ++code) {
      if ((set >> code & 1) != 0) use(code);
    }
  }
  static std::uint64_t greatest(const OfBase& weights, BaseSet set) {
    std::uint64_t found = 0;
    each(set, [&](unsigned code) { found = std::max(found, weights[code]); });
    return found;
  }

  void add(std::span<const std::string_view> fields) {
    const unsigned guide = base_code(fields[1].front());
    const unsigned text = base_code(fields[2].front());
    for (std::uint32_t position = 0; position < kGuideLength; ++position) {
      const std::string_view field = fields[3 + position];
      if (field == ".") continue;
      std::uint64_t& slot = fields[0] == "mismatch"    ? mismatch_[position][guide][text]
                            : fields[0] == "dna_bulge" ? dna_bulge_[position][text]
                                                       : rna_bulge_[position][guide];
      slot = weight(field);
    }
  }

  std::array<std::array<OfBase, 4>, kGuideLength> mismatch_{};
  std::array<OfBase, kGuideLength> dna_bulge_{};
  std::array<OfBase, kGuideLength> rna_bulge_{};
  std::array<OfBase, 4> pam_{};
};

// The weights "M" of Hsu et al. 2013, in thousandths, from the guide's 5' end.
constexpr std::array<std::uint64_t, kGuideLength> kHsuWeights = {0,   0,   14,  0,   0,   395, 317, 0,   389, 79,
                                                                 445, 508, 613, 851, 732, 828, 615, 804, 685, 583};

}  // namespace

bool has_scores(std::uint32_t guide_length, std::span<const std::string> pams, bool pam_5prime) {
  const auto has_three = [](const std::string& pam) { return pam.size() == kPamLength; };
  const auto accepts_ngg = [](const std::string& pam) {
    return pattern_letter_set(pam[0]) == kAnyBase && (pattern_letter_set(pam[1]) & iupac_set('G')) != 0 &&
           (pattern_letter_set(pam[2]) & iupac_set('G')) != 0;
  };
  return guide_length == kGuideLength && !pam_5prime && std::all_of(pams.begin(), pams.end(), has_three) &&
         std::any_of(pams.begin(), pams.end(), accepts_ngg);
}

std::optional<std::uint32_t> mit_score(const GuideAlignment& alignment) {
  if (alignment.bulge != Bulge::none) return std::nullopt;
  constexpr std::uint64_t kOne = 1'000'000'000'000'000;  // steps of 1e-15: products stay below 2^63
  std::uint64_t score = kOne;
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  for (std::uint32_t i = 0; i < kGuideLength; ++i) {
    if (matches(pattern_letter_set(alignment.guide[i]), iupac_set(alignment.text[i]))) continue;
    score = score * (1000 - kHsuWeights[i]) / 1000;
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

std::uint32_t cfd_score(const GuideAlignment& alignment) {
  static const CfdWeights weights;
  constexpr std::uint64_t kOne = CfdWeights::kOne;
  std::uint64_t score = weights.pam(text_set(alignment.pam[1]), text_set(alignment.pam[2]));
  const auto multiply = [&score](std::uint64_t weight) { score = (score * weight + kOne / 2) / kOne; };
  std::uint32_t position = 0;  // of the next base of the guide
  for (std::size_t column = 0; column < alignment.guide.size(); ++column) {
    const char guide = alignment.guide[column];
    const char text = alignment.text[column];
    if (guide == '-') {
      multiply(weights.dna_bulge(position, text_set(text)));
      continue;
    }
    const BaseSet guide_set = pattern_letter_set(guide);
    if (text == '-') {
      multiply(weights.rna_bulge(position, guide_set));
    } else if (!matches(guide_set, iupac_set(text))) {
      multiply(weights.mismatch(position, guide_set, text_set(text)));
    }
    ++position;
  }
  constexpr std::uint64_t kStep = kOne / kFullScore;
  return static_cast<std::uint32_t>((score + kStep / 2) / kStep);
}

std::uint32_t specificity(std::uint64_t off_targets) {
  const std::uint64_t whole = kFullScore + off_targets;
  constexpr std::uint64_t kSquare = std::uint64_t{kFullScore} * kFullScore;
  return static_cast<std::uint32_t>((kSquare + whole / 2) / whole);
}

void append_score(std::uint64_t score, std::string& text) {
  fmt::format_to(std::back_inserter(text), "{}.{:06}", score / kFullScore, score % kFullScore);
}

void append_percent(std::uint64_t score, std::string& text) {
  constexpr std::uint64_t kPercent = kFullScore / 100;
  fmt::format_to(std::back_inserter(text), "{}.{:04}", score / kPercent, score % kPercent);
}

}  // namespace basesweep
