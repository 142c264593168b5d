// The alignment of a hit: from its cost back to its path.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/align/cost.hpp"
#include "lib/align/cost_band.hpp"
#include "lib/search/hit.hpp"

namespace basesweep {

// A run of one operation, as in SAM: = match, X mismatch, I pattern without text, D text without pattern, S pattern
// that hangs over the record's end.
struct CigarRun {
  std::uint32_t length;
  char op;
  bool operator==(const CigarRun&) const = default;
};

// Calls use(i) for each i below `size` with differs(i), in ascending order. Most i do not differ, or no pattern can be
// foreseen, so all are compared without a branch.
template <class Differs, class Use>
void for_each_difference(std::size_t size, Differs differs, Use use) {
  constexpr std::size_t kAtOnce = 64;
  for (std::size_t begin = 0; begin < size; begin += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, size - begin);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < count; ++i) bits |= std::uint64_t{differs(begin + i)} << i;
    for (; bits != 0; bits &= bits - 1) use(begin + static_cast<std::size_t>(std::countr_zero(bits)));
  }
}

// Whether a text may have the length, edits and overhang of this hit, so that trace() can be called with it: either the
// alignment is found, or trace() throws DataError. Hits that were found can; those of files might not.
bool can_be_aligned(const Query& query, const Hit& hit);

// Finds the alignment of a whole query to a whole text that has the least (edits, indels) within the query's limits. Of
// several it takes the one that is found by walking back from the right end and preferring the diagonal, then D, then
// I, so that indels lie as far left as possible. Keeps its memory from one hit to the next.
class Tracer {
 public:
  Tracer();
  ~Tracer();

  // `letters`: the text, forward strand, upper case; letters that are not A, C, G or T match nothing. `cost`: the cost
  // of the hit, which must be right; DataError where it is not. The result lives until the next call.
  std::span<const CigarRun> trace(const Query& query, std::string_view letters, Cost cost);
  // The same for a hit, which may hang over. `letters`: of the hit, inside the record.
  std::span<const CigarRun> trace(const Query& query, std::string_view letters, const Hit& hit);
  // The same for a read. `read`: along the forward strand, upper case. A, C, G and T match themselves and other letters
  // match nothing. The only limit is the number of edits.
  std::span<const CigarRun> trace(std::string_view read, std::string_view letters, Cost cost);

 private:
  struct StepBands;

  void compare(std::string_view read, std::string_view letters);
  void add(char op, std::uint32_t length = 1);
  bool walk_sums(const Query& query, std::int64_t diagonal, Cost cost);
  template <std::size_t kCells>
  bool walk_steps(std::span<const BaseSet> positions, std::int64_t diagonal, Cost cost);
  bool walk_costs(BandKind kind, const Query& query, std::int64_t diagonal, Cost cost);
  void fill(BandKind kind, std::span<const BaseSet> positions);
  void walk(std::span<const BaseSet> positions, std::int64_t diagonal, Cost cost);
  std::int32_t* row(std::size_t i) { return cells_.data() + i * band_.cells(); }

  std::vector<CigarRun> runs_;
  Query read_{};
  std::vector<BaseSet> read_sets_;
  std::string matches_;
  std::vector<BaseSet> text_;  // with room for all diagonals on either side
  std::int64_t indels_ = 0;    // diagonals on either side of the middle one
  std::unique_ptr<StepBands> steps_;
  CostBand<OneText> band_;
  std::vector<std::int32_t> cells_;  // all rows of the band
};

}  // namespace basesweep
