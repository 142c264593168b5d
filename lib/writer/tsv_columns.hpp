// The columns of TSV. A new one is a function that appends its value, and a line in tsv_columns().
#pragma once

#include <span>
#include <vector>

#include "lib/align/trace.hpp"
#include "lib/search/pattern_set.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// The parts that a line is made of. The letters of the hit are always there.
struct TsvLine {
  const PlacedHit& hit;
  const Query& query;
  const HitDetails& details;
  std::span<const CigarRun> cigar{};  // along the forward strand; empty in an exact search
};

struct TsvColumn {
  const char* name;
  void (*append)(const TsvLine& line, Text& text);  // without a tab
};

// The columns after record, start, end, pattern and strand, in order. `merge` finds those that it needs by their names.
std::vector<TsvColumn> tsv_columns(const PatternSet& patterns, const HitDetails& details);

}  // namespace basesweep
