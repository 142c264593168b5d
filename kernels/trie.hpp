// The trie of many words of A, C, G, T, and the automaton of Aho and Corasick made from it. Host only.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "lib/pattern_set.hpp"

namespace basesweep {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Nodes are numbered as they are made; 0 is the root.
struct Trie {
  explicit Trie(std::size_t words) : next_word(words, kNone) {}

  // Adds word number `word`, given by its codes. Words that end in one node are chained, the last added first. Throws
  // Error at 2^31 nodes.
  void add(std::span<const std::uint8_t> codes, std::uint32_t word);
  // All nodes, the root first, by depth; those of one depth in the order of their parents, then of codes.
  std::vector<std::uint32_t> by_depth() const;

  std::vector<std::array<std::uint32_t, 4>> children{{kNone, kNone, kNone, kNone}};  // by code
  std::vector<std::uint32_t> first_word{kNone};                                      // that ends in a node
  std::vector<std::uint32_t> next_word;                                              // that ends where a word does
};

// The codes of an entry without IUPAC codes.
std::vector<std::uint8_t> codes_of(const Entry& entry);

// Every node has a move for every code: to the trie's child, else where the longest suffix that has one moves (Aho and
// Corasick 1975).
struct Automaton {
  explicit Automaton(const Trie& trie);

  std::vector<std::array<std::uint32_t, 4>> next;
  std::vector<std::uint32_t> suffix;    // the node of the longest proper suffix; the root's is the root
  std::vector<std::uint32_t> by_depth;  // as Trie::by_depth()
};

}  // namespace basesweep
