// What it costs to turn an entry into text: dynamic programming in the band that the entry's indels leave open.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "lib/pattern_set.hpp"

namespace basesweep {

// Of an alignment. Ordered by edits, then indels.
struct Cost {
  std::uint32_t edits;
  std::uint32_t indels;
  auto operator<=>(const Cost&) const = default;
};

inline constexpr Cost kNoAlignment{std::numeric_limits<std::uint32_t>::max(),
                                   std::numeric_limits<std::uint32_t>::max()};

// The entry read from its right end, to be held against mirrored text.
Entry mirrored(const Entry& entry);

// The columns of an entry between its clamps, where edits may lie, and how many of them may be indels.
std::span<const BaseSet> core(const Entry& entry);
std::uint32_t core_indels(const Entry& entry);

// Costs of prefixes against prefixes, one row for each column of the entry; in a row, diagonal d of -indels..indels
// holds the first i columns against the first i + d of the text.
//
// Costs by (edits, indels) add up, so that one number a cell does, edits in its high bits. Their least under limits on
// mismatches or indels alone does not: then a cell has a layer for each number of indels and keeps the least
// mismatches. Either way a step costs `mismatch_`, or `indel_` and goes `climb_` layers up.
class CostBand {
 public:
  enum class Kind { sums, layers };

  void shape(Kind kind, std::uint32_t indels);
  // Cells in a row, and the cell of a diagonal in a layer.
  std::size_t cells() const { return (layers_ + 1) * stride_; }
  std::size_t at(std::uint32_t layer, std::int64_t diagonal) const {
    return (layer + 1) * stride_ + static_cast<std::size_t>(diagonal + indels_ + 1);
  }
  // Row 0: text without columns.
  void first_row(std::int32_t* row) const;
  // The row after `before`. `text` is the letter on diagonal -indels of that row; those of all diagonals are read.
  // Returns the least cost in the row.
  std::int32_t next_row(BaseSet column, const BaseSet* text, const std::int32_t* before, std::int32_t* row) const;

  // What a cell says, within `limits`; kNoAlignment where there is nothing.
  Cost cost(const std::int32_t* row, std::int64_t diagonal, const Limits& limits) const;
  // A row whose least cost is higher leads to nothing within `limits`.
  std::int32_t most(const Limits& limits) const;

  std::uint32_t climb() const { return climb_; }
  std::int32_t mismatch() const { return mismatch_; }
  std::int32_t indel() const { return indel_; }

 private:
  std::int32_t next_sums(BaseSet column, const BaseSet* text, const std::int32_t* before, std::int32_t* row) const;
  std::int32_t next_layers(BaseSet column, const BaseSet* text, const std::int32_t* before, std::int32_t* row) const;

  std::size_t layers_ = 1;
  std::size_t stride_ =
      0;  // of a layer: diagonals, and one at either side that leads nowhere. Layer -1 leads nowhere too
  std::int64_t indels_ = 0;
  std::uint32_t climb_ = 0;
  std::int32_t mismatch_ = 0;
  std::int32_t indel_ = 0;
};

// Costs of an entry against text that is fixed at its left end. Keeps its memory from one text to the next.
class CostScan {
 public:
  // `text`: what follows the fixed end; may be longer or shorter than what the entry can be turned into.
  void run(const Entry& entry, std::span<const BaseSet> text);

  // costs()[i] is that of the first least_length() + i letters.
  std::span<const Cost> costs() const { return costs_; }
  std::uint32_t least_length() const { return least_length_; }
  // The first by (edits, indels, length): 0 and kNoAlignment where there is none.
  struct Best {
    std::uint32_t length;
    Cost cost;
  };
  Best best() const;

 private:
  void run_core(const Entry& entry, std::span<const BaseSet> text);
  void count_mismatches(const Entry& entry, std::span<const BaseSet> text);

  std::vector<Cost> costs_;
  std::uint32_t least_length_ = 0;
  CostBand band_;
  std::vector<BaseSet> padded_;
  std::vector<std::int32_t> rows_[2];
};

}  // namespace basesweep
