// The alignment of a hit.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/align/cost.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep {

// `length` columns of one kind, as in SAM: = match, X mismatch, I a column of the pattern without text, D text without
// a column of the pattern.
struct CigarRun {
  std::uint32_t length;
  char op;
  bool operator==(const CigarRun&) const = default;
};

// Finds the least-cost alignment, by (edits, indels) within an entry's limits, of all of the entry to all of some text.
// Walks back from the right end and takes the diagonal where it can, else D, else I, so that indels lie as far left as
// they can. Keeps its memory from one hit to the next.
class Tracer {
 public:
  // `letters`: the text, forward strand, upper case; what is not A, C, G, T matches nothing. `cost`: what the hit
  // costs, which must be true. The result lives until the next call.
  std::span<const CigarRun> trace(const Entry& entry, std::string_view letters, Cost cost);
  // Likewise of a read, as the forward strand reads it, upper case; A, C, G and T match their like, and nothing else
  // matches. There is no limit but the number of edits.
  std::span<const CigarRun> trace(std::string_view read, std::string_view letters, Cost cost);

 private:
  void compare(std::string_view read, std::string_view letters);
  void add(char op, std::uint32_t length = 1);
  void fill(CostBand::Kind kind, std::span<const BaseSet> columns);
  void walk(std::span<const BaseSet> columns, std::int64_t diagonal, Cost cost);
  std::int32_t* row(std::size_t i) { return cells_.data() + i * band_.cells(); }

  std::vector<CigarRun> runs_;
  Entry read_{};
  std::string matches_;
  std::vector<BaseSet> text_;  // with room for all diagonals on either side
  std::int64_t indels_ = 0;    // diagonals on either side of that of no indels
  CostBand band_;
  std::vector<std::int32_t> cells_;  // all rows of the band that paths with so many indels stay in
};

}  // namespace basesweep
