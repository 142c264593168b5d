// The trie of many words of A, C, G, T, and the automaton of Aho and Corasick that is made from it. Host only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace basesweep {

struct Query;  // lib/search/query.hpp

// For Room::max_positions: an automaton has a state for nearly every position of its patterns, and building it takes up
// to 100 bytes for each.
inline constexpr std::size_t kMaxAutomatonPositions = std::size_t{1} << 26;

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Nodes are numbered as they are made; 0 is the root.
struct Trie {
  explicit Trie(std::size_t words) : next_word(words, kNone) {}

  // Adds word number `word`, given by its codes. Words that end in the same node are chained, the last added first.
  // Throws Error at 2^31 nodes.
  void add(std::span<const std::uint8_t> codes, std::uint32_t word);
  // All nodes in order of depth, then of their parents, then of codes. The root is first.
  std::vector<std::uint32_t> by_depth() const;

  std::vector<std::array<std::uint32_t, 4>> children{{kNone, kNone, kNone, kNone}};  // [node][code]
  std::vector<std::uint32_t> first_word{kNone};  // [node]: the first word that ends there
  std::vector<std::uint32_t> next_word;          // [word]: the next word that ends in the same node
};

// The codes of a query without IUPAC codes.
std::vector<std::uint8_t> codes_of(const Query& query);

// Every node has a move for every code: to its child in the trie if it has one, else to where the node of its longest
// proper suffix moves (Aho and Corasick 1975).
struct Automaton {
  explicit Automaton(const Trie& trie);

  std::vector<std::array<std::uint32_t, 4>> next;
  std::vector<std::uint32_t> suffix;    // the node of a node's longest proper suffix; for the root, the root
  std::vector<std::uint32_t> by_depth;  // the result of Trie::by_depth()
};

}  // namespace basesweep
