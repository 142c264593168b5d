// Where the seeds of `neighbors` lie in a query, and how many words they stand for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/approximate/neighbors/index.hpp"

namespace basesweep::neighbors {

// Positions [begin, end) of a query with at most `max` mismatches or edits: as long as the gram, or, in a query that
// may have indels, at least as long.
struct SeedWindow {
  std::uint32_t begin, end;
  std::uint32_t max;
  double words;  // that it stands for
};

// The most windows of use for a query: it has no room for more, or no mismatch would be left for them.
std::uint32_t most_windows(const Query& query, std::uint32_t gram);

// Whether the entries of a seed hold bases in front of its gram, and not those behind it: where the query has more.
bool near_is_left(const Query& query, const SeedWindow& window);

// The most bases of an entry for edits, if the query may have `max` edits.
std::uint32_t near_rows(std::uint32_t max);

struct SeedWindows {
  std::vector<SeedWindow> windows;  // empty: the gram is longer than the query
  double entries = 0;               // the words of all windows
  double passing = 0;               // of them, how many are expected to pass the comparison with random text
};

// Whether no mismatch may lie at a position: it is clamped, and the query has no indels.
bool is_exact(const Query& query, std::uint32_t position);
bool has_exact_positions(const Query& query);

// A seed is looked up only where the text has some of `sets` at the positions of the query outside of the seed: the
// part of random text where this holds.
double part_looked_up(std::span<const BaseSet> sets, const SeedWindow& window);

// Chooses disjoint windows with few entries to be compared, such that text with at most k mismatches to the query, or
// edits, has at most `max` in at least one window. `gate_sets`: for each position the bases that part_looked_up() goes
// by; empty: seeds are looked up everywhere.
SeedWindows seed_windows(const Query& query, std::uint32_t gram, std::span<const BaseSet> gate_sets = {});

}  // namespace basesweep::neighbors
