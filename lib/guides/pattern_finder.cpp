#include "lib/guides/pattern_finder.hpp"

#include <algorithm>
#include <exception>
#include <tuple>
#include <utility>

#include "lib/align/text_sets.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {
namespace {

PatternSet patterns_of(const GuideSet& guides) {
  const bool pam_last = guides.side() == PamSide::three_prime;
  std::vector<Pattern> patterns;
  for (std::size_t guide = 0; guide < guides.guides().size(); ++guide) {
    const std::string& letters = guides.guides()[guide].letters;
    for (const std::string& pam : guides.pams()) {
      Pattern& pattern = patterns.emplace_back();
      pattern.name = std::to_string(patterns.size());
      pattern.sequence = pam_last ? letters + pam : pam + letters;
      const auto clamped = static_cast<std::uint32_t>(pam.size());
      (pam_last ? pattern.clamp_3prime : pattern.clamp_5prime) = clamped;
    }
  }
  return PatternSet(std::move(patterns), StrandChoice::both, PalindromeChoice::both,
                    EditOptions{.edits = guides.limits().mismatches, .max_indels = 0});
}

// Whether the PAM matches beside the border, inside one segment, letters A, C, G and T only. `text`: memory.
bool matches(const ForwardPam& pam, const PackedBatch& batch, std::uint32_t border, bool guide_left,
             std::vector<BaseSet>& text) {
  const auto length = static_cast<std::uint32_t>(pam.sets.size());
  if (!guide_left && border < length) return false;
  const std::uint32_t begin = guide_left ? border : border - length;
  const Segment& segment = batch.segments()[batch.segment_at(begin)];
  if (begin < segment.position || begin + length > segment.end) return false;
  read_sets(batch, begin, begin + length, text);
  return std::equal(pam.sets.begin(), pam.sets.end(), text.begin(),
                    [](BaseSet set, BaseSet letter) { return (set & letter) != 0; });
}

}  // namespace

PatternFinder::PatternFinder(const GuideSet& guides, const Make& make, MakeOther make_other)
    : guides_(guides),
      bits_(guide_bits(guides)),
      pams_{forward_pams(guides, Strand::plus), forward_pams(guides, Strand::minus)},
      patterns_(patterns_of(guides)),
      matcher_(make(patterns_)),
      make_other_(std::move(make_other)) {}

void PatternFinder::find(const PackedBatch& batch, const Loop& loop, const Use& use) const {
  MatchResult found;
  std::exception_ptr failure;
  // A matcher on the CPU is done when this returns.
  matcher_->submit(batch, [&](MatchResult&& result, std::exception_ptr error) {
    found = std::move(result);
    failure = std::move(error);
  });
  if (failure) std::rethrow_exception(failure);
  if (found.too_many) {
    std::call_once(once_, [this] { other_ = make_other_(); });
    return other_->find(batch, loop, use);
  }
  std::vector<GuidePlace> places;
  for (const Occurrence end : found.occurrences) {
    if (const auto place = place_at(batch, occurrence_query(end), occurrence_position(end))) places.push_back(*place);
  }
  const auto rank = [](const GuidePlace& place) { return std::tuple(place.guide, place.border, place.strand); };
  std::sort(places.begin(), places.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  // With several PAMs that match, a place was found as often.
  places.erase(
      std::unique(places.begin(), places.end(), [&](const auto& a, const auto& b) { return rank(a) == rank(b); }),
      places.end());
  for (auto first = places.begin(); first != places.end();) {
    const auto end = std::find_if(first, places.end(), [&](const auto& one) { return one.guide != first->guide; });
    use({first, end});
    first = end;
  }
}

// The place of a guide whose pattern ends at position `last`; nothing if N or the end of a record forbids it.
std::optional<GuidePlace> PatternFinder::place_at(const PackedBatch& batch, std::uint32_t query,
                                                  std::uint32_t last) const {
  const Query& found = patterns_.queries()[query];
  const auto length = static_cast<std::uint32_t>(found.sets.size());
  if (last + 1 < length) return std::nullopt;
  const auto guide = static_cast<std::uint32_t>(found.pattern / guides_.pams().size());
  const bool left = guide_is_left(guides_.side(), found.strand);
  const std::uint32_t begin = last + 1 - length;
  const std::uint32_t guide_length = bits_[guide].length;
  const std::uint32_t border = left ? begin + guide_length : begin + length - guide_length;
  const std::vector<ForwardPam>& pams = pams_[found.strand == Strand::plus ? 0 : 1];
  auto& text = per_thread<std::vector<BaseSet>>();
  const auto pam = std::find_if(pams.begin(), pams.end(),
                                [&](const ForwardPam& one) { return matches(one, batch, border, left, text); });
  if (pam == pams.end()) return std::nullopt;
  const Segment& segment = batch.segments()[batch.segment_at(left ? border : border - 1)];
  const GuideWindow window = window_at(batch, segment, border, left, found.strand);
  GuideShape shape;
  if (!best_shape(bits_[guide], window, guides_.limits(), guides_.side(), shape)) return std::nullopt;
  return GuidePlace{border, guide, shape, found.strand, pam->pam};
}

}  // namespace basesweep
