#include "lib/guides/placed_guide.hpp"

#include <algorithm>
#include <array>

#include "lib/base/dna.hpp"
#include "lib/guides/scores.hpp"
#include "lib/rows/letters.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {
namespace {

template <class Set>
constexpr std::array<BaseSet, 256> sets_of_letters(Set set_of) {
  std::array<BaseSet, 256> sets{};
  for (std::size_t byte = 0; byte < sets.size(); ++byte) sets[byte] = set_of(static_cast<char>(byte));
  return sets;
}

constexpr auto kGuideSets = sets_of_letters([](char letter) { return iupac_set(letter); });
constexpr auto kTextSets = sets_of_letters([](char letter) {
  return letter == 'A' || letter == 'C' || letter == 'G' || letter == 'T' || letter == 'U' ? iupac_set(letter)
                                                                                           : BaseSet{0};
});

}  // namespace

bool is_scored(const GuideSet& guides, const Guide& guide) {
  return has_scores(static_cast<std::uint32_t>(guide.letters.size()), guides.pams(),
                    guides.side() == PamSide::five_prime);
}

PlaceScorer::PlaceScorer(const GuideSet& guides) : guides_(guides), bits_(guide_bits(guides)) {
  for (const Guide& guide : guides.guides()) scored_.push_back(is_scored(guides, guide));
}

std::optional<PlaceScores> PlaceScorer::score(const PackedBatch& batch, const Segment& segment, const GuidePlace& place,
                                              GuideRowOf row) const {
  if (!scored_[place.guide]) return std::nullopt;
  const ScoreWeights& weights = score_weights();
  const GuideBits& guide = bits_[place.guide];
  const bool left = guide_is_left(guides_.side(), place.strand);
  const GuideWindow window = window_at(batch, segment, place.border, left, place.strand);
  const PackedView view = batch.view();
  const std::uint32_t pam = pam_weight(weights, view.lo, view.hi, place.border, left, place.strand == Strand::minus);
  PlaceScores scores{std::nullopt, 0};
  if (row == GuideRowOf::place) {
    scores.cfd = greatest_cfd(weights, guide, window, guides_.limits(), pam);
  } else {
    for_each_shape(guide, window, guides_.limits(), [&](const GuideShape& shape) {
      if (shape.bulge != place.shape.bulge || shape.size != place.shape.size) return;
      scores.cfd = std::max(scores.cfd, cfd_score(weights, guide, window, shape, pam));
    });
  }
  if (place.shape.bulge == Bulge::none) scores.mit = mit_score(weights, mismatches_at(guide, window, 0));
  return scores;
}

bool letters_match(char guide, char text) {
  return (kTextSets[static_cast<unsigned char>(text)] & kGuideSets[static_cast<unsigned char>(guide)]) != 0;
}

void draw_place(const GuideSet& guides, const PlacedGuide& placed, AlignedLetters& to) {
  to.text.resize(placed.letters.size());
  put_matched(to.text.data(), placed.letters, placed.place.strand);
  std::replace(to.text.begin(), to.text.end(), '-', 'N');  // it matches nothing either, and is no bulge
  const std::string& pam = guides.pams()[placed.place.pam];
  const bool pam_5prime = guides.side() == PamSide::five_prime;
  const GuideShape& shape = placed.place.shape;
  to.pattern = guides.guides()[placed.place.guide].letters;
  if (shape.bulge != Bulge::none) {
    const std::size_t columns = std::max(to.pattern.size(), to.text.size() - pam.size());
    const std::size_t first = pam_5prime ? shape.at : columns - shape.at - shape.size;
    shape.bulge == Bulge::dna ? to.pattern.insert(first, shape.size, '-')
                              : to.text.insert(first + (pam_5prime ? pam.size() : 0), shape.size, '-');
  }
  to.pattern.insert(pam_5prime ? 0 : to.pattern.size(), pam);
}

void lower_mismatches(const GuideSet& guides, const GuidePlace& place, AlignedLetters& to) {
  const std::size_t columns = to.text.size() - guides.pams()[place.pam].size();  // of the guide
  const std::size_t first = guides.side() == PamSide::five_prime ? to.text.size() - columns : 0;
  for (std::size_t i = first; i < first + columns; ++i) {
    char& letter = to.text[i];
    const bool gap = to.pattern[i] == '-' || letter == '-';
    const bool mismatch = !gap & !letters_match(to.pattern[i], letter);
    letter = static_cast<char>(letter | (mismatch ? 0x20 : 0));
  }
}

}  // namespace basesweep
