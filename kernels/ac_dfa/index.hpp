// What `ac_dfa` prepares from the patterns: the complete automaton as flat arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/endings.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep::ac_dfa {

// States that 16 bits can number.
inline constexpr std::uint32_t kNarrowStates = 1U << 16;
// States up to which the pair table is made. Its cells have 15 bits for the state, but from here on (512 KB) the second
// level of cache is what counts, and a table a quarter of the size is as fast: measured on a CPU with 512 KB a core.
inline constexpr std::uint32_t kPairStates = 1U << 14;
// The bit of a cell of the pair table that tells that an entry ends on the way.
inline constexpr std::uint16_t kPairEnding = 1U << 15;

// The automaton as plain pointers. State 0 is the root. States are numbered by depth, those where nothing ends first,
// so that the ones random text visits lie side by side and one comparison with `first_output` finds a hit.
struct IndexView {
  const std::uint16_t* narrow;  // next state at [4 state + code]; null when there are more than kNarrowStates states
  const std::uint32_t* wide;    // the same in 32 bits, null otherwise
  const std::uint16_t* pairs;  // two columns at once, see pair_cell(); null when there are more than kPairStates states
  EndingsView endings;
};

class Index {
 public:
  // Takes the given entries of the set; none may have IUPAC codes. Throws Error when the automaton would have 2^31
  // states or more, or as many endings.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries);

  IndexView view() const;

 private:
  void make_pairs(const std::vector<std::uint32_t>& next);

  Endings endings_;
  std::vector<std::uint16_t> narrow_;
  std::vector<std::uint32_t> wide_;
  std::vector<std::uint16_t> pairs_;
};

}  // namespace basesweep::ac_dfa
