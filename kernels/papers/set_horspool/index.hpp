// The index of `set_horspool`: the trie of the reversed queries, and the shifts (Kouzinopoulos and others 2015, section
// 2.1.2).
#pragma once

#include <cstdint>
#include <vector>

#include "lib/search/pattern_set.hpp"

namespace basesweep::set_horspool {

// Set in a cell if a query ends in the node that it leads to. The text is read leftwards, so the query starts there.
inline constexpr std::uint32_t kEnds = 1U << 31;

// The index as plain pointers. Nodes are numbered by depth, so that those where random text stays lie side by side.
struct IndexView {
  const std::uint32_t* cells;         // [4 node + code]: the child and kEnds; 0: no child
  const std::uint32_t* shift;         // [code of a window's last base], in positions
  const std::uint32_t* ending_begin;  // a node has endings [ending_begin[node], ending_begin[node + 1])
  const std::uint32_t* endings;       // indices in the PatternSet; the queries of a node are equal, and in order
  std::uint32_t shortest, longest;    // lengths of the shortest and the longest query
};

struct Index {
  // Indexes the given queries of the set, at least one; none may have IUPAC codes. Throws Error when the trie would
  // have 2^31 nodes or more.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries);

  IndexView view() const {
    return {cells.data(), shift.data(), ending_begin.data(), endings.data(), shortest, longest};
  }

  std::vector<std::uint32_t> cells;
  std::vector<std::uint32_t> shift;
  std::vector<std::uint32_t> ending_begin;
  std::vector<std::uint32_t> endings;
  std::uint32_t shortest = 0;
  std::uint32_t longest = 0;
};

}  // namespace basesweep::set_horspool
