// The index of `bitsliced`: the seed of each query, by which the text is filtered.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/approximate/bitsliced/step.hpp"
#include "lib/search/query.hpp"

namespace basesweep::bitsliced {

// The text that alignments through a surviving seed may touch: they end at positions [first_end, last_end], and none
// starts before `begin`.
struct Reach {
  std::uint32_t begin, first_end;
  std::uint64_t last_end;
};

// The part of a query that the filter searches for. Where it matches with at most `edits` edits, the text around is
// verified.
struct Seed {
  std::uint32_t rows;
  std::uint32_t edits;
  std::uint32_t end;   // positions of the query up to the end of the seed
  std::uint32_t tail;  // positions of the query after it
  bool whole;  // the seed is the whole query, below rows that take any base if it is shorter; its matches are ends
  double survivors;  // expected share of the positions of random text
  BaseSet sets[kMaxRows];

  // The reach of survivors that end at positions [first, last].
  BASESWEEP_HD Reach reach(std::uint64_t first, std::uint64_t last) const {
    const std::uint64_t left = std::uint64_t{end} + edits;
    const std::uint64_t from = first + tail;
    return {static_cast<std::uint32_t>(first + 1 > left ? first + 1 - left : 0),
            static_cast<std::uint32_t>(from > edits ? from - edits : 0), last + tail + edits};
  }
};

// The seeds that a device's search offers, and the device's costs.
struct Costs {
  std::vector<std::uint32_t> rows;  // numbers of rows to choose from, ascending; the last is kMaxRows
  double verify;  // cost of verifying a position of text; the unit is a row of the filter at a position
};

// The expected cost of a query's seed, at a position of random text: its rows, and the text that is verified around
// what survives them.
double cost_of(const Seed& seed, const Query& query, const Costs& costs);

// The seed with the lowest expected cost on random text, or nothing if each leaves too many survivors.
std::optional<Seed> choose_seed(const Query& query, const Costs& costs);

}  // namespace basesweep::bitsliced
