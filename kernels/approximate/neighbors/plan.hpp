// Where the seeds of `neighbors` lie, and what a search costs.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/approximate/neighbors/index.hpp"

namespace basesweep::neighbors {

// Positions [begin, end) of a query with at most `max` mismatches or edits: as long as the gram, or, in a query that
// may have indels, at least as long.
struct SeedWindow {
  std::uint32_t begin, end;
  std::uint32_t max;
};

// Whether the entries of a seed hold bases in front of its gram, and not those behind it: where the query has more.
bool near_is_left(const Query& query, const SeedWindow& window);

// The most bases of an entry for edits, if the query may have `max` edits.
std::uint32_t near_rows(std::uint32_t max);

struct SeedWindows {
  std::vector<SeedWindow> windows;  // empty: the gram is longer than the query
  double entries = 0;               // the words that the windows stand for, those of each window counted
  double passing = 0;               // of them, how many are expected to pass the comparison with random text
};

// Chooses disjoint windows with few entries, such that text with at most k mismatches to the query, or edits, has at
// most `max` in at least one window.
SeedWindows seed_windows(const Query& query, std::uint32_t gram);

// Queries of the same shape have the same windows: they allow as many mismatches or edits and, position by position,
// equally many bases.
class Shapes {
 public:
  Shapes(const PatternSet& patterns, const std::vector<std::uint32_t>& queries);

  struct Shape {
    const Query* example;
    std::uint64_t queries;  // how many have it
  };
  const std::vector<Shape>& all() const { return all_; }
  // The index in all() of the i-th of the queries.
  std::uint32_t of(std::size_t i) const { return of_[i]; }

 private:
  std::vector<Shape> all_;
  std::vector<std::uint32_t> of_;
};

}  // namespace basesweep::neighbors
