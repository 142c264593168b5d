// The index of `ac_dfa`: the complete automaton as flat arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/automata/endings.hpp"
#include "kernels/tuning.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep::ac_dfa {

// The number of states that 16 bits can count.
inline constexpr std::uint32_t kNarrowStates = 1U << 16;
// The pair table is made for at most this many rows. Its cells could number twice as many, but above this size (512
// KB) the table leaves the second level of cache, and the narrow table, a quarter of the size, is as fast: measured on
// a CPU with 512 KB a core.
inline constexpr std::uint32_t kPairRows = 1U << 14;
// Set in a cell of the pair table where a query ends at either position.
inline constexpr std::uint16_t kPairEnding = 1U << 15;

// The automaton as plain pointers. State 0 is the root. States where nothing ends come first, so that one comparison
// with `first_output` says whether something ends. If leaves have links instead of rows, they come last. Within each of
// these groups states are numbered by depth: the states that random text visits lie side by side.
struct IndexView {
  const std::uint16_t* narrow;  // next state at [4 state + code]; null when there are more than kNarrowStates states
  const std::uint32_t* wide;    // the same in 32 bits; null when `narrow` is not
  const std::uint16_t* pairs;   // two positions at once, see pair_cell(); null when there are more than kPairRows rows
  const std::uint32_t* links;   // state rows + i moves as state links[i] does, which has a row; null: all have rows
  std::uint32_t rows;           // states with rows, which are the first
  EndingsView endings;
};

class Index {
 public:
  struct Layout {
    bool links = false;  // leaves have links instead of rows
    StateOrder order = StateOrder::depth;
  };

  // Indexes the given queries of the set; none may have IUPAC codes. Throws Error when the automaton would have 2^31 or
  // more states or endings.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, const Layout& layout);

  IndexView view() const;
  std::uint32_t leaves() const { return leaves_; }

 private:
  void make_pairs(const std::vector<std::uint32_t>& next);

  Endings endings_;
  std::vector<std::uint16_t> narrow_;
  std::vector<std::uint32_t> wide_;
  std::vector<std::uint16_t> pairs_;
  std::vector<std::uint32_t> links_;
  std::uint32_t leaves_ = 0;
  std::uint32_t rows_ = 0;
};

}  // namespace basesweep::ac_dfa
