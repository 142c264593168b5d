// How places of guides are encoded, see row_codec.hpp.
#pragma once

#include "lib/guides/placed_guide.hpp"
#include "lib/rows/row_codec.hpp"

namespace basesweep {

template <class Codec>
void code(Codec& codec, Coded<Codec, Feature>& feature) {
  codec.number(feature.begin);
  codec.difference(feature.end, feature.begin);
  codec.number(feature.kind);
  codec.number(feature.name);
}

template <class Codec>
void code(Codec& codec, Coded<Codec, GuideShape>& shape) {
  const auto [dna, rna] = codec.flags(shape.bulge == Bulge::dna, shape.bulge == Bulge::rna);
  if constexpr (Codec::kDecodes) {
    if (dna && rna) throw_row_fault();
    shape.bulge = dna ? Bulge::dna : rna ? Bulge::rna : Bulge::none;
  }
  if (dna || rna) {
    codec.number(shape.size);
    codec.number(shape.at);
  }
  codec.number(shape.mismatches);
}

// All of a place but its border, which is 0 afterwards, and PlacedGuide::first, which only a whole output has.
template <class Codec>
void code(Codec& codec, Coded<Codec, PlacedGuide>& row) {
  auto& place = row.place;
  const auto [tells, minus, scored, mit, features] =
      codec.flags(tells_record(codec, row), place.strand == Strand::minus, row.scores.has_value(),
                  row.scores && row.scores->mit, !row.features.empty());
  code_place(codec, row, tells);
  codec.difference(row.end, row.start);
  codec.text(row.letters);
  codec.number(place.guide);
  codec.number(place.pam);
  code(codec, place.shape);
  if constexpr (Codec::kDecodes) {
    place.strand = minus ? Strand::minus : Strand::plus;
    if (mit && !scored) throw_row_fault();
    if (scored) row.scores.emplace();
    if (mit) row.scores->mit.emplace();
  }
  if (scored) codec.number(row.scores->cfd);
  if (mit) codec.number(*row.scores->mit);
  if (features) codec.list(row.features);
}

}  // namespace basesweep
