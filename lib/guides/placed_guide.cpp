#include "lib/guides/placed_guide.hpp"

#include <algorithm>

#include "lib/base/dna.hpp"
#include "lib/guides/scores.hpp"
#include "lib/rows/letters.hpp"

namespace basesweep {

GuideAlignment AlignmentText::align(const GuideSet& guides, const GuidePlace& place, std::string_view letters) {
  text_.assign(letters);
  std::replace(text_.begin(), text_.end(), '-', 'N');  // it matches nothing either, and is no bulge
  if (place.strand == Strand::minus) {
    std::reverse(text_.begin(), text_.end());
    std::transform(text_.begin(), text_.end(), text_.begin(), complement_letter);
  }
  const std::size_t pam = guides.pams()[place.pam].size();
  const bool pam_5prime = guides.side() == PamSide::five_prime;
  const std::string_view all = text_;
  const Shape& shape = place.shape;
  GuideAlignment aligned;
  aligned.pam_5prime = pam_5prime;
  aligned.mismatches = shape.mismatches;
  aligned.bulge = shape.bulge;
  aligned.bulge_size = shape.size;
  aligned.pam = pam_5prime ? all.substr(0, pam) : all.substr(all.size() - pam);
  guide_columns_ = guides.guides()[place.guide].letters;
  text_columns_ = pam_5prime ? all.substr(pam) : all.substr(0, all.size() - pam);
  if (shape.bulge != Bulge::none) {
    const std::size_t columns = std::max(guide_columns_.size(), text_columns_.size());
    const std::size_t first = pam_5prime ? shape.at : columns - shape.at - shape.size;
    (shape.bulge == Bulge::dna ? guide_columns_ : text_columns_).insert(first, shape.size, '-');
    aligned.bulge_position = static_cast<std::uint32_t>(first);
  }
  aligned.guide = guide_columns_;
  aligned.text = text_columns_;
  return aligned;
}

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
    for_each_shape(guide, window, guides_.limits(), [&](const Shape& shape) {
      if (shape.bulge != place.shape.bulge || shape.size != place.shape.size) return;
      scores.cfd = std::max(scores.cfd, cfd_score(weights, guide, window, shape, pam));
    });
  }
  if (place.shape.bulge == Bulge::none) scores.mit = mit_score(weights, mismatches_at(guide, window, 0));
  return scores;
}

bool letters_match(char guide, char text) {
  const BaseSet base = text == 'A' || text == 'C' || text == 'G' || text == 'T' || text == 'U' ? iupac_set(text) : 0;
  return (base & iupac_set(guide)) != 0;
}

std::string dna_with_pam(const GuideAlignment& alignment) {
  std::string dna(alignment.text);
  for (std::size_t i = 0; i < dna.size(); ++i) {
    const bool gap = alignment.guide[i] == '-' || dna[i] == '-';
    if (!gap && !letters_match(alignment.guide[i], dna[i])) dna[i] = static_cast<char>(dna[i] | 0x20);
  }
  return dna.insert(alignment.pam_5prime ? 0 : dna.size(), alignment.pam);
}

std::string guide_with_pam(const GuideAlignment& alignment, std::string_view pam) {
  std::string guide(alignment.guide);
  return guide.insert(alignment.pam_5prime ? 0 : guide.size(), pam);
}

}  // namespace basesweep
