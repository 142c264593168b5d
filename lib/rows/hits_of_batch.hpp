// The hits of a batch as rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/align/standings.hpp"
#include "lib/rows/placed_hit.hpp"
#include "lib/search/hit.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {

// Calls use(PlacedHit) for the hits of a batch, which must be ordered by position. `flank`: bases on both sides that
// come with the letters, fewer at the ends of a record. `standings`: of the batch's records; null: not known.
template <class Use>
void for_each_hit(const PackedBatch& batch, std::span<const Hit> hits, bool with_letters, Use use,
                  std::uint32_t flank = 0, const BatchStandings* standings = nullptr) {
  if (hits.empty()) return;
  const std::vector<Segment>& segments = batch.segments();
  std::size_t segment = batch.segment_at(hits.front().position);
  PlacedHit placed;
  const auto enter = [&](const Segment& own) {
    placed.record_name = batch.name(own);
    placed.record = own.reference;
    placed.source = own.source;
    placed.circular_length = own.circular_length;
    placed.odd_record = own.record % 2 != 0;
  };
  enter(segments[segment]);
  std::string letters;
  for (const Hit& hit : hits) {
    while (segment + 1 < segments.size() && segments[segment + 1].position <= hit.position) enter(segments[++segment]);
    const Segment& own = segments[segment];
    placed.start = own.offset + (hit.position - own.position);
    placed.end = placed.start + hit.length;
    placed.hit = hit;
    if (with_letters) {
      const std::uint32_t end = hit.position + hit.length;
      const std::uint32_t left = std::min(flank, hit.position - own.position);
      const std::uint32_t right = std::min(flank, own.end - end);
      letters.resize(std::size_t{left} + hit.length + right);
      batch.copy_letters(hit.position - left, end + right, letters.data());
      const std::string_view all = letters;
      placed.left = all.substr(0, left);
      placed.letters = all.substr(left, hit.length);
      placed.right = all.substr(left + hit.length);
    }
    if (standings != nullptr) placed.standing = standings->of(own.record, hit.query);
    use(std::as_const(placed));
  }
}

}  // namespace basesweep
