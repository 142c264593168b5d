// A list of the queries that end in each state of an automaton of Aho and Corasick. All forms of the automaton use it.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/automata/trie.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// A query that ends in a state.
struct Ending {
  std::uint32_t query;  // index in the PatternSet
  std::uint32_t length;
};

// The list as plain pointers, for the walks.
struct EndingsView {
  const std::uint32_t* begin;  // state first_output + i has endings [begin[i], begin[i + 1])
  const Ending* endings;       // those of a state longest first, and of one length in order of queries
  std::uint32_t states;        // how many the automaton has
  std::uint32_t first_output;  // nothing ends in a lower state
  std::uint32_t max_length;    // the longest query's; 0: there are no queries
};

// Makes the trie of queries without IUPAC codes. Word i is queries[i].
Trie trie_of(const PatternSet& patterns, const std::vector<std::uint32_t>& queries);

// For each node, true if some query ends there, as the node's word or as a suffix of it.
std::vector<bool> output_nodes(const Trie& trie, const Automaton& automaton);

struct Endings {
  Endings() = default;
  // `is_output`: output_nodes(). `nodes`: the node of each state, in any order. States from the first output
  // node on may have no endings. Throws Error when there are 2^31 endings or more.
  Endings(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, const Trie& trie,
          const Automaton& automaton, const std::vector<bool>& is_output, const std::vector<std::uint32_t>& nodes);

  bool any(std::uint32_t state) const {
    return state >= first_output && begin[state - first_output] != begin[state - first_output + 1];
  }
  EndingsView view() const { return {begin.data(), endings.data(), states, first_output, max_length}; }

  std::vector<std::uint32_t> begin;
  std::vector<Ending> endings;
  std::uint32_t states = 0;
  std::uint32_t first_output = 0;
  std::uint32_t max_length = 0;
};

}  // namespace basesweep
