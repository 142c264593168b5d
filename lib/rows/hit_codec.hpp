// How hits are encoded, see row_codec.hpp.
#pragma once

#include "lib/rows/placed_hit.hpp"
#include "lib/rows/row_codec.hpp"

namespace basesweep {

// For code() of rows with hits: what of a hit there is besides its length and position. `edits`, `hangs`: whether
// it has any, as they were encoded.
template <class Codec>
void code_query(Codec& codec, Coded<Codec, Hit>& hit, bool edits, bool hangs) {
  std::uint32_t query = hit.query;  // a part of an integer, to which nothing can refer
  codec.number(query);
  if constexpr (Codec::kDecodes) {
    hit.query = query & 0x7fff'ffffU;
    if (hit.query != query) throw_row_fault();
  }
  if (edits) {
    codec.number(hit.edits);
    codec.number(hit.indels);
  }
  if (hangs) {
    codec.number(hit.hang_left);
    codec.number(hit.hang_right);
  }
}

constexpr bool has_edits(const Hit& hit) { return (hit.edits | hit.indels) != 0; }
constexpr bool has_hang(const Hit& hit) { return (hit.hang_left | hit.hang_right) != 0; }

// All of a hit but its position in the batch, which is 0 afterwards.
template <class Codec>
void code(Codec& codec, Coded<Codec, PlacedHit>& row) {
  auto& hit = row.hit;
  const auto before_length = codec.before.length;
  const auto [tells, other_length, edits, hangs, first, texts, other_end, standing] = codec.flags(
      tells_record(codec, row), hit.length != before_length, has_edits(hit), has_hang(hit), hit.first != 0,
      !(row.letters.empty() && row.left.empty() && row.right.empty()), row.end != wrapped_sum(row.start, hit.length),
      row.standing.best != 0 || row.standing.next_edits.has_value());
  code_place(codec, row, tells);
  if (other_length) {
    codec.number(hit.length);
    codec.before.length = hit.length;
  } else if constexpr (Codec::kDecodes) {
    hit.length = before_length;
  }
  code_query(codec, hit, edits, hangs);
  if constexpr (Codec::kDecodes) {
    hit.first = first ? 1 : 0;
    row.end = wrapped_sum(row.start, hit.length);
  }
  if (texts) {
    codec.text(row.letters);
    codec.text(row.left);
    codec.text(row.right);
  }
  if (other_end) codec.difference(row.end, row.start);
  if (standing) {
    codec.number(row.standing.best);
    codec.maybe(row.standing.next_edits);
  }
}

}  // namespace basesweep
