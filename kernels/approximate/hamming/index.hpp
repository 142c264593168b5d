// The CPU index of `hamming`: the rows of mismatches that the queries share, and each query as a list of offsets into
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/search/pattern_set.hpp"

namespace basesweep::hamming {

// A scan handles this many text positions at a time; it counts and checks them tile by tile.
inline constexpr std::uint32_t kBlockPositions = 3072;
inline constexpr std::uint32_t kBlockWords = kBlockPositions / 64;
inline constexpr std::uint32_t kTilePositions = 512;

// The positions of a pattern that are counted at once.
inline constexpr std::uint32_t kQuad = 4;

// A row of bits for the positions of a block and of the halo before it: bit i is set if position i + shift mismatches
// the set. With eight shifts, a row displaced by whole bytes gives the mismatches of any position of a pattern.
struct Row {
  std::uint32_t set;  // index in Index::sets
  std::uint32_t shift;
};

struct CountedQuery {
  std::uint32_t query;  // index in the PatternSet
  std::uint32_t length;
  std::uint32_t planes;
  std::uint32_t first_count;
  std::uint32_t offsets;      // its first offset, in Index::offsets
  std::uint32_t quads;        // number of quads, of four offsets each
  std::uint32_t blind_quads;  // until this many are counted, random text nearly always has a position left in a tile
};

// The index as plain pointers, for the scan.
struct IndexView {
  const BaseSet* sets;
  const Row* rows;
  const CountedQuery* queries;
  const std::uint32_t* offsets;
  std::uint32_t set_count, row_count, query_count;
  std::uint32_t halo_words;
  std::uint32_t row_words;  // words from one row to the next, a multiple of 8
};

struct Index {
  // Indexes the given queries of the set.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries);

  IndexView view() const {
    return {sets.data(),
            rows.data(),
            queries.data(),
            offsets.data(),
            static_cast<std::uint32_t>(sets.size()),
            static_cast<std::uint32_t>(rows.size()),
            static_cast<std::uint32_t>(queries.size()),
            halo_words,
            row_words};
  }

  std::vector<BaseSet> sets;  // the sets of all positions; the first is any base, which mismatches nowhere
  std::vector<Row> rows;      // first those of all sets with shift 0, in the order of the sets
  std::vector<CountedQuery> queries;
  // For each position of a pattern: bytes from the first row to the mismatches of that position, where bit 0 is for the
  // pattern's LAST position lying on the block's first position. Positions that take any base are left out, positions
  // that mismatch most often come first, and quads are filled up from the first row.
  std::vector<std::uint32_t> offsets;
  std::uint32_t halo_words = 0;
  std::uint32_t row_words = 0;
};

}  // namespace basesweep::hamming
