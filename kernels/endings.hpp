// Which entries end in each state of an automaton of Aho and Corasick, whatever its form.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/trie.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep {

// An entry that ends in a state.
struct Ending {
  std::uint32_t entry;  // index in the PatternSet
  std::uint32_t length;
};

// As plain pointers, for the walks.
struct EndingsView {
  const std::uint32_t* begin;  // of state first_output + i: endings [begin[i], begin[i + 1])
  const Ending* endings;       // of a state, longest first, entries of one length in order
  std::uint32_t states;
  std::uint32_t first_output;  // nothing ends in a lower state
  std::uint32_t max_length;    // of all entries; 0: there are none
};

// The trie of entries without IUPAC codes: word i is entries[i].
Trie trie_of(const PatternSet& patterns, const std::vector<std::uint32_t>& entries);

// The nodes where some entry ends, be it that of a suffix.
std::vector<bool> output_nodes(const Trie& trie, const Automaton& automaton);

struct Endings {
  Endings() = default;
  // `is_output`: output_nodes(). `nodes` tells which node each state is. Of the nodes where something ends, those of a
  // suffix come first. Throws Error when there are 2^31 endings or more.
  Endings(const PatternSet& patterns, const std::vector<std::uint32_t>& entries, const Trie& trie,
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
