// The index of `ac_nfa`: the automaton with failure links, one word per node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/automata/endings.hpp"
#include "kernels/tuning.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep::ac_nfa {

// The number of narrow nodes that share a first_child. They have at most 4 * 512 children, which 11 bits number.
inline constexpr std::uint32_t kNodesOfBase = 512;

// The automaton as plain pointers. Nodes are numbered by depth, within a depth in the order of their parents, then of
// letters. So the children of a node lie side by side, and so do those of consecutive nodes. A node's bits, from the
// lowest on:
//
//            letters   something ends here   first child                              failure link
//   narrow   4         1                     11, from first_child[number / 512] on    16
//   wide     4         1                     29                                       30
//
// Bit c of `letters` is set if the node has a child for code c. Children are in the order of codes.
struct IndexView {
  const std::uint32_t* narrow;       // null when there are more than 2^16 nodes
  const std::uint16_t* first_child;  // the first child of each 512 narrow nodes
  const std::uint64_t* wide;         // null when `narrow` is not
  EndingsView endings;
  NfaWalk walk;  // the one that the links are for
  // The number of nodes to look at, the state's own and those its failure links lead to, until only the root can have a
  // child for a letter; at least 1.
  std::uint32_t levels;

  std::span<const std::uint32_t> narrow_words() const { return {narrow, endings.states}; }
  std::span<const std::uint16_t> first_children() const {
    return {first_child, (endings.states + kNodesOfBase - 1) / kNodesOfBase};
  }
  std::span<const std::uint64_t> wide_words() const { return {wide, endings.states}; }
};

class Index {
 public:
  // Indexes the given queries of the set; none may have IUPAC codes. Throws Error when there would be 2^29 or more
  // nodes, or 2^31 or more endings.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, NfaWalk walk);

  IndexView view() const;

 private:
  Endings endings_;
  std::vector<std::uint32_t> narrow_;
  std::vector<std::uint16_t> first_child_;
  std::vector<std::uint64_t> wide_;
  NfaWalk walk_;
  std::uint32_t levels_ = 1;
};

}  // namespace basesweep::ac_nfa
