#include "lib/guides/bulge_rows.hpp"

#include "lib/search/packed_batch.hpp"

namespace basesweep {

BulgeRows::BulgeRows(const GuideSet& guides) : guides_(guides), bits_(guide_bits(guides)) {}

void BulgeRows::append(const PackedBatch& batch, const Segment& segment, const GuidePlace& place,
                       std::vector<GuidePlace>& rows) const {
  const bool left = guide_is_left(guides_.side(), place.strand);
  const GuideWindow window = window_at(batch, segment, place.border, left, place.strand);
  const auto same_bulge = [](const GuideShape& a, const GuideShape& b) {
    return a.bulge == b.bulge && a.size == b.size;
  };
  // Alignments with the same bulge come one after another.
  const std::size_t begin = rows.size();
  for_each_shape(bits_[place.guide], window, guides_.limits(), [&](const GuideShape& shape) {
    if (rows.size() == begin || !same_bulge(rows.back().shape, shape)) {
      rows.push_back(place);
      rows.back().shape = shape;
    } else if (rank_of(shape, guides_.side()) < rank_of(rows.back().shape, guides_.side())) {
      rows.back().shape = shape;
    }
  });
}

}  // namespace basesweep
