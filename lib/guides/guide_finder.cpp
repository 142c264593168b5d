#include "lib/guides/guide_finder.hpp"

#include <algorithm>

#include "lib/search/packed_batch.hpp"

namespace basesweep {

Interval positions_of(const GuidePlace& place, const GuideSet& guides) {
  const std::uint32_t text =
      place.shape.text_length(static_cast<std::uint32_t>(guides.guides()[place.guide].letters.size()));
  const auto pam = static_cast<std::uint32_t>(guides.pams()[place.pam].size());
  return positions_beside(place.border, guide_is_left(guides.side(), place.strand), text, pam);
}

GuideWindow window_at(const PackedBatch& batch, const Segment& segment, std::uint32_t border, bool left,
                      Strand strand) {
  const PlainWindow bases = bases_at(batch.view(), border, left, strand);
  GuideWindow window{bases.lo, bases.hi, 0, 0};
  window.available = std::min<std::uint32_t>(left ? border - segment.position : segment.end - border, 64);
  const std::uint32_t begin = left ? border - window.available : border;
  const std::uint32_t end = begin + window.available;
  const std::vector<LetterRun>& letters = batch.letters();
  auto run = std::partition_point(letters.begin(), letters.end(), [=](const LetterRun& r) { return r.end <= begin; });
  for (; run != letters.end() && run->begin < end; ++run) {
    const std::uint32_t from = std::max(run->begin, begin);
    const std::uint32_t to = std::min(run->end, end);
    const std::uint32_t first = left ? border - to : from - border;
    window.other |= low_bits(to - from) << first;
  }
  return window;
}

}  // namespace basesweep
