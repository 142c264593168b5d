// What `ac_nfa` prepares from the patterns: the automaton with failure links, in nodes of one word each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/endings.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep::ac_nfa {

// Where a node's failure link leads: to the node of its longest proper suffix; or past those on the way that have no
// letter which the node lacks, to the first that has one, else to the root.
enum class Links { suffix, helpful };

// Narrow nodes that have a common first_child: they have at most 4 * 512 children, which 11 bits number.
inline constexpr std::uint32_t kNodesOfBase = 512;

// The automaton as plain pointers. Nodes are numbered by depth, those of one depth in the order of their parents, then
// of letters, so that the children of a node, and of one node after another, lie side by side. A node's bits, from the
// lowest on:
//
//            letters   something ends here   first child                              failure link
//   narrow   4         1                     11, from first_child[number / 512] on    16
//   wide     4         1                     29                                       30
//
// Bit c of `letters` is set where the node has a child for code c. Children come in the order of codes.
struct IndexView {
  const std::uint32_t* narrow;       // null when there are more than 2^16 nodes
  const std::uint16_t* first_child;  // the first of all children of 512 nodes that are narrow
  const std::uint64_t* wide;         // null when there are not
  EndingsView endings;
  // Nodes to look at, a state's own and those its failure links lead to, before only the root can have a child for a
  // letter; at least 1.
  std::uint32_t levels;

  std::span<const std::uint32_t> narrow_words() const { return {narrow, endings.states}; }
  std::span<const std::uint16_t> first_children() const {
    return {first_child, (endings.states + kNodesOfBase - 1) / kNodesOfBase};
  }
  std::span<const std::uint64_t> wide_words() const { return {wide, endings.states}; }
};

class Index {
 public:
  // Takes the given entries of the set; none may have IUPAC codes. Throws Error when there would be 2^29 nodes or more,
  // or 2^31 endings.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries, Links links);

  IndexView view() const;

 private:
  Endings endings_;
  std::vector<std::uint32_t> narrow_;
  std::vector<std::uint16_t> first_child_;
  std::vector<std::uint64_t> wide_;
  std::uint32_t levels_ = 1;
};

}  // namespace basesweep::ac_nfa
