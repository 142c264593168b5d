// What `set_horspool` prepares from the patterns: the trie of the reversed entries, and the shift of the whole set.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/pattern_set.hpp"

namespace basesweep::set_horspool {

// The bit of a cell that tells that an entry ends in the node it leads to, read leftwards: starts there.
inline constexpr std::uint32_t kEnds = 1U << 31;

// As plain pointers. Nodes are numbered by depth, so that the ones where random text stays lie side by side.
struct IndexView {
  const std::uint32_t* cells;         // [4 node + code]: the child, which is never node 0, and kEnds; 0: there is none
  const std::uint32_t* shift;         // by the code of a window's last column
  const std::uint32_t* ending_begin;  // of a node: endings [ending_begin[node], ending_begin[node + 1])
  const std::uint32_t* endings;       // entries, equal ones of a node in order
  std::uint32_t shortest, longest;    // columns of an entry
};

struct Index {
  // Takes the given entries of the set, at least one; none may have IUPAC codes. Throws Error when the trie would have
  // 2^31 nodes or more.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries);

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
