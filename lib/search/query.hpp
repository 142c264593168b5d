// Queries: what matchers search for.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/search/strand.hpp"

namespace basesweep {

// How much an approximate hit may differ from its query.
struct Limits {
  std::uint32_t edits = 0;        // at most this many mismatches and indels together; less than the query's length
  std::uint32_t mismatches = 0;   // at most this many mismatches; mismatches <= edits
  std::uint32_t indels = 0;       // at most this many indels; indels <= edits <= mismatches + indels
  std::uint32_t clamp_left = 0;   // this many bases of the query's left end (on the forward text) match without edit
  std::uint32_t clamp_right = 0;  // the same for its right end
  // Bounds of each kind of indel: text bases without a base of the query, and bases of the query without a text base.
  std::uint32_t dna_bulges = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t rna_bulges = std::numeric_limits<std::uint32_t>::max();
  bool operator==(const Limits&) const = default;
};

// How far a query may hang over the ends of a record. Its bases outside match anything there, and the number of edits
// that is allowed shrinks with its part inside.
struct Overhang {
  std::uint32_t left = 0;   // fewest bases inside, without codes N, when the left end hangs over; 0: it may not
  std::uint32_t right = 0;  // the same for the right end
  std::vector<std::uint32_t> edits{};  // element i: most edits with i positions inside; empty without overhang

  bool any() const { return left != 0 || right != 0; }
};

// A pattern in one orientation, as it reads on the forward text: the pattern for strand +, its reverse complement for
// strand -. A pattern with several sequences has queries for each.
struct Query {
  std::uint32_t pattern;  // index into PatternSet::patterns(), 0-based
  Strand strand;
  bool iupac;  // some set holds more than one base
  // The bases that match, for each position of the query, left to right on the forward text. Views what the PatternSet
  // of the query, or whoever made it, holds.
  std::span<const BaseSet> sets;
  Limits limits;  // all 0 in an exact search
  Overhang overhang{};
};

}  // namespace basesweep
