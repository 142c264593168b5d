// What `hamming` prepares from the patterns for the CPU.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/pattern_set.hpp"

namespace basesweep::hamming {

// Text columns handled at a time, and those of them that a scan looks at before it asks whether any is left.
inline constexpr std::uint32_t kBlockColumns = 3072;
inline constexpr std::uint32_t kBlockWords = kBlockColumns / 64;
inline constexpr std::uint32_t kChunkColumns = 512;

// Columns of a pattern that are counted at once.
inline constexpr std::uint32_t kQuad = 4;

// A row of bits for the columns of a block and of the halo before it: bit i says that column i + shift mismatches the
// set. With eight shifts, rows displaced by whole bytes give the mismatches of any column of a pattern.
struct Row {
  std::uint32_t set;  // its number in Index::sets
  std::uint32_t shift;
};

struct CountedEntry {
  std::uint32_t entry;  // index in the PatternSet
  std::uint32_t length;
  std::uint32_t planes;
  std::uint32_t first_count;
  std::uint32_t offsets;      // first of its offsets in Index::offsets
  std::uint32_t quads;        // four offsets each
  std::uint32_t blind_quads;  // so many leave nearly always some position of a chunk of random text
};

// As plain pointers, for the scan.
struct IndexView {
  const BaseSet* sets;
  const Row* rows;
  const CountedEntry* entries;
  const std::uint32_t* offsets;
  std::uint32_t set_count, row_count, entry_count;
  std::uint32_t halo_words;
  std::uint32_t row_words;  // from a row to the next, a multiple of 8
};

struct Index {
  // Takes the given entries of the set.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries);

  IndexView view() const {
    return {sets.data(),
            rows.data(),
            entries.data(),
            offsets.data(),
            static_cast<std::uint32_t>(sets.size()),
            static_cast<std::uint32_t>(rows.size()),
            static_cast<std::uint32_t>(entries.size()),
            halo_words,
            row_words};
  }

  std::vector<BaseSet> sets;  // that columns ask for; the first is any base, which mismatches nowhere
  std::vector<Row> rows;      // those of all sets with shift 0, in their order, then the others
  std::vector<CountedEntry> entries;
  // Bytes from the first row to where the mismatches of a pattern column with the block's first column begin, given
  // that the pattern's LAST column lies there. Columns that take any base are left out, the pickiest come first, and
  // quads are filled up from the first row.
  std::vector<std::uint32_t> offsets;
  std::uint32_t halo_words = 0;
  std::uint32_t row_words = 0;
};

}  // namespace basesweep::hamming
