// Where the seeds of `neighbors` lie, and what a search costs.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/approximate/neighbors/index.hpp"

namespace basesweep::neighbors {

// Positions [begin, begin + gram) of a query with at most `max` mismatches.
struct SeedWindow {
  std::uint32_t begin;
  std::uint32_t max;
};

struct SeedWindows {
  std::vector<SeedWindow> windows;  // empty: the gram is longer than the query
  double entries = 0;               // the words that the windows stand for, those of each window counted
};

// Chooses disjoint windows with few entries, such that text with at most k mismatches to the query has at most `max` in
// at least one window.
SeedWindows seed_windows(const Query& query, std::uint32_t gram);

// Queries of the same shape have the same windows: they allow as many mismatches and, position by position, equally
// many bases.
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
