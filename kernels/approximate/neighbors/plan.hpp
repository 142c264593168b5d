// Which seeds a set of queries has for a gram, and in which tables they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/approximate/neighbors/index.hpp"
#include "kernels/approximate/neighbors/seed_windows.hpp"

namespace basesweep::neighbors {

// Queries of the same shape have the same windows: they allow as many mismatches or edits, have the same clamps and,
// position by position, equally many bases.
class QueryShapes {
 public:
  QueryShapes(const PatternSet& patterns, const std::vector<std::uint32_t>& queries);

  struct QueryShape {
    const Query* example;
    std::uint64_t queries;  // how many have it
    // By position: the bases that its queries have where they are clamped, any elsewhere.
    std::vector<BaseSet> clamped;

    void add(const Query& query);
  };
  const std::vector<QueryShape>& all() const { return all_; }
  // The index in all() of the i-th of the queries.
  std::uint32_t of(std::size_t i) const { return of_[i]; }
  // Whether one of the queries may have indels. Their tables have no gates.
  bool edits() const;

 private:
  std::vector<QueryShape> all_;
  std::vector<std::uint32_t> of_;
};

// The seeds of all shapes.
struct Layout {
  // `gated`: tables may have gates.
  Layout(const QueryShapes& shapes, std::uint32_t gram, bool gated);

  std::vector<SeedWindows> windows;               // by shape; no windows: the gram is longer than the query
  std::vector<std::vector<std::uint8_t>> tables;  // by shape and window: index in `gates`
  std::vector<Gate> gates;                        // one for each table; at least one

  bool gated() const { return gates.size() != 1 || gates[0].count != 0; }
};

// The part of random text where a gate lets grams be looked up.
double part_looked_up(const Gate& gate);

}  // namespace basesweep::neighbors
