// Finds, quickly, the queries that may hang over the ends of records. Records may be short and many, so this looks at
// every border with every query; few pass.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp
class PatternSet;   // lib/search/pattern_set.hpp
struct Query;       // lib/search/query.hpp
struct Segment;     // lib/search/segment.hpp

// Which end of a record, and of the queries that hang over it.
enum class Border : std::uint8_t { left, right };

// A query that may hang over a border: `inside` of its positions can be aligned to the text at the border, and the
// others lie outside the record.
struct PossibleHang {
  std::uint32_t query;
  std::uint32_t inside;
  auto operator<=>(const PossibleHang&) const = default;
};

// How many positions of the query must lie inside, when it hangs over this border, so that `bases` of them are not N
// and no clamped one is outside. More than the query's length if it has too few.
std::uint32_t min_inside(const Query& query, std::uint32_t bases, Border border);

// Judges by the planes alone, as matchers do: no alignment within a query's overhang is missed, and few others pass.
//
// Seen from a border, the positions inside are a prefix of the query (or of its mirror), which is aligned to text that
// ends with the record (or its mirror). One pass of Myers's algorithm (1999; blocks of 64 positions as in its section
// 4) over the text at the border gives the fewest edits of all prefixes: the last column of the matrix. Four queries
// are computed side by side.
class OverhangFilter {
 public:
  explicit OverhangFilter(const PatternSet& patterns);

  // Appends what may hang over the border of a segment, which begins (left) or ends (right) its record.
  void find(const PackedBatch& batch, const Segment& segment, Border border, std::vector<PossibleHang>& out) const;

 private:
  static constexpr std::size_t kLanes = 4;
  using Lanes = std::uint64_t __attribute__((vector_size(kLanes * sizeof(std::uint64_t))));

  // Queries that are computed side by side.
  struct Group {
    std::uint32_t queries[kLanes];
    std::size_t lanes;
    std::uint32_t reach;        // text that an alignment takes at most
    std::vector<Lanes> equal;   // for each word of 64 positions: the positions that match A, C, T, G (by base code)
    std::vector<Lanes> limits;  // for each number of positions inside, from 1: 1 + the edits allowed; 0: not allowed
  };

  static void add_groups(const PatternSet& patterns, Border border, std::vector<Group>& to);
  static void find(const Group& group, std::span<const std::uint8_t> text, std::vector<PossibleHang>& out);

  std::vector<Group> groups_[2];  // by border
  std::uint32_t reach_[2] = {0, 0};
};

}  // namespace basesweep
