// The cost of aligning a query to text: dynamic programming in a band as wide as the query's indels allow.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "lib/search/query.hpp"

namespace basesweep {

// The cost of an alignment. Ordered by edits, then indels.
struct Cost {
  std::uint32_t edits;
  std::uint32_t indels;  // among the edits
  auto operator<=>(const Cost&) const = default;
};

inline constexpr Cost kNoAlignment{std::numeric_limits<std::uint32_t>::max(),
                                   std::numeric_limits<std::uint32_t>::max()};

// The query with its positions and clamps in reverse order (not complemented), to be aligned to reversed text. `sets`,
// as many as the query has, holds its sets and must outlive it.
Query mirrored(const Query& query, std::span<BaseSet> sets);

// The positions of a query between its clamps: only there may edits lie.
std::span<const BaseSet> core(const Query& query);
// How many indels the core may have.
std::uint32_t core_indels(const Query& query);

// The rows of the matrix of costs, one for each position of the query. Row i, diagonal d (of -indels..indels) is the
// cost of aligning the first i positions to the first i + d letters of the text.
//
// There are two kinds. Without limits on single kinds of edits, the least (edits, indels) of a cell follows from
// those of its neighbours, so a cell is one number: edits in the high bits, indels in the low ones (`sums`). With such
// limits it does not: the cheapest way to a cell may use up an indel that is needed later. Then a row has a layer for
// each number of indels, and a cell keeps the fewest mismatches with that many indels (`layers`). In both kinds a
// mismatch adds mismatch(), and an indel adds indel() and moves climb() layers up.
class CostBand {
 public:
  enum class Kind { sums, layers };

  // Sets the kind and the width of the band. To be called before anything else.
  void shape(Kind kind, std::uint32_t indels);
  // Cells of a row.
  std::size_t cells() const { return (layers_ + 1) * stride_; }
  // Index in a row of the cell of a diagonal in a layer.
  std::size_t at(std::uint32_t layer, std::int64_t diagonal) const {
    return (layer + 1) * stride_ + static_cast<std::size_t>(diagonal + indels_ + 1);
  }
  // Fills row 0: no position of the query, so d letters of text are d indels.
  void first_row(std::int32_t* row) const;
  // Fills the row after `before` and returns its least cost. `text` points to the letter on diagonal -indels of the new
  // row; the letters of all diagonals are read.
  std::int32_t next_row(BaseSet position, const BaseSet* text, const std::int32_t* before, std::int32_t* row) const;

  // The cost in a cell if it is within `limits`, otherwise kNoAlignment.
  Cost cost(const std::int32_t* row, std::int64_t diagonal, const Limits& limits) const;
  // If the least cost of a row is higher than this, no alignment within `limits` goes through the row.
  std::int32_t max_cost(const Limits& limits) const;

  std::uint32_t climb() const { return climb_; }
  std::int32_t mismatch() const { return mismatch_; }
  std::int32_t indel() const { return indel_; }

 private:
  std::int32_t next_sums(BaseSet position, const BaseSet* text, const std::int32_t* before, std::int32_t* row) const;
  std::int32_t next_layers(BaseSet position, const BaseSet* text, const std::int32_t* before, std::int32_t* row) const;

  std::size_t layers_ = 1;
  // Cells of a layer: its diagonals and a border cell of infinite cost at either end. Before the first layer there is
  // one of border cells only.
  std::size_t stride_ = 0;
  std::int64_t indels_ = 0;
  std::uint32_t climb_ = 0;
  std::int32_t mismatch_ = 0;
  std::int32_t indel_ = 0;
};

// The costs of aligning a query to all intervals of text with the same left end. Keeps its memory from one run to the
// next.
class CostScan {
 public:
  // `text`: the letters from the left end on, as sets. It may be longer or shorter than what the query can align to.
  void run(const Query& query, std::span<const BaseSet> text);

  // costs()[i] is the cost for the first min_length() + i letters, or kNoAlignment.
  std::span<const Cost> costs() const { return costs_; }
  std::uint32_t min_length() const { return min_length_; }
  // The length with the least (edits, indels, length); {0, kNoAlignment} when there is no alignment.
  struct Best {
    std::uint32_t length;
    Cost cost;
  };
  Best best() const;

 private:
  void run_core(const Query& query, std::span<const BaseSet> text);
  void count_mismatches(const Query& query, std::span<const BaseSet> text);

  std::vector<Cost> costs_;
  std::uint32_t min_length_ = 0;
  CostBand band_;
  std::vector<BaseSet> padded_;
  std::vector<std::int32_t> rows_[2];
};

}  // namespace basesweep
