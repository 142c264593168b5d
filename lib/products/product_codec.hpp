// How products are encoded, see lib/rows/row_codec.hpp.
#pragma once

#include <cstdint>
#include <limits>

#include "lib/products/placed_product.hpp"
#include "lib/rows/hit_codec.hpp"
#include "lib/rows/row_codec.hpp"

namespace basesweep {

// For code() of products: all of a hit but its position. `edits`: see code_query().
template <class Codec>
void code_site(Codec& codec, Coded<Codec, Hit>& hit, bool edits) {
  codec.number(hit.length);
  code_query(codec, hit, edits, false);  // sites of primers do not hang over an end
}

// The same for one that starts at or after `begin`.
template <class Codec>
void code_site_from(Codec& codec, Coded<Codec, Hit>& hit, std::uint32_t begin, bool edits) {
  std::uint32_t position = hit.position - begin;
  codec.number(position);
  if constexpr (Codec::kDecodes) hit.position = position;
  code_site(codec, hit, edits);
}

// Whether the sites of a decoded product lie in it, and its letters are all of it or none.
inline bool is_whole(const PlacedProduct& row) {
  const auto end_of = [](const Hit& hit) { return std::uint64_t{hit.position} + hit.length; };
  const std::uint64_t size = end_of(row.right);
  return size <= std::numeric_limits<std::uint32_t>::max() && end_of(row.left) <= size &&
         (!row.probe || end_of(*row.probe) <= size) && (row.letters.empty() || row.letters.size() == size);
}

// All of a product but the sizes that its Join allows. The places of its hits in the batch become those from its start
// on.
template <class Codec>
void code(Codec& codec, Coded<Codec, PlacedProduct>& row) {
  auto& join = row.join;
  const auto [tells, minus, left_edits, right_edits, probe, letters, two, single] = codec.flags(
      tells_record(codec, row), join.strand == Strand::minus, has_edits(row.left), has_edits(row.right),
      row.probe.has_value(), !row.letters.empty(), join.first != join.second, join.ends != PrimerEnds::forward_reverse);
  code_place(codec, row, tells);
  const std::uint32_t begin = row.left.position;
  code_site(codec, row.left, left_edits);
  code_site_from(codec, row.right, begin, right_edits);
  if constexpr (Codec::kDecodes) {
    if (probe) row.probe.emplace();
    join.strand = minus ? Strand::minus : Strand::plus;
  }
  if (probe) code_site_from(codec, *row.probe, begin, true);
  codec.number(join.first);
  if (two) {
    codec.number(join.second);
  } else if constexpr (Codec::kDecodes) {
    join.second = join.first;
  }
  if (single) {
    auto ends = static_cast<std::uint8_t>(join.ends);
    codec.number(ends);
    if constexpr (Codec::kDecodes) {
      join.ends = static_cast<PrimerEnds>(ends);
      if (join.ends != PrimerEnds::forward_forward && join.ends != PrimerEnds::reverse_reverse) throw_row_fault();
    }
  }
  if (letters) codec.text(row.letters);
  if constexpr (Codec::kDecodes) {
    if (!is_whole(row)) throw_row_fault();
    row.end = wrapped_sum(row.start, std::int64_t{row.right.position} + row.right.length);
  }
}

}  // namespace basesweep
