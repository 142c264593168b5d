// How guides of a text are encoded, see row_codec.hpp.
#pragma once

#include "lib/guides/joined_rows.hpp"
#include "lib/rows/row_codec.hpp"

namespace basesweep {

template <class Codec>
void code(Codec& codec, Coded<Codec, JoinedRow>& row) {
  auto& near = row.near;
  const auto [tells, minus, has_near, near_minus] =
      codec.flags(tells_record(codec, row), row.strand == Strand::minus, row.has_near, near.strand == Strand::minus);
  code_place(codec, row, tells);
  codec.difference(row.end, row.start);
  codec.number(row.site);
  codec.text(row.guide);
  codec.text(row.pam);
  for (auto& count : row.counts) codec.number(count);
  codec.number(row.mit);
  codec.number(row.cfd);
  codec.number(row.exact_cfd);
  if constexpr (Codec::kDecodes) {
    row.strand = minus ? Strand::minus : Strand::plus;
    row.has_near = has_near;
    near.strand = near_minus ? Strand::minus : Strand::plus;
  }
  if (!has_near) return;
  codec.number(near.mismatches);
  codec.number(near.record);
  codec.text(near.record_name);
  codec.number(near.start);
  codec.difference(near.end, near.start);
  codec.text(near.letters);
}

}  // namespace basesweep
