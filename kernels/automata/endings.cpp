#include "kernels/automata/endings.hpp"

#include <algorithm>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMaxEndings = std::size_t{1} << 31;  // they are counted in 32 bits

}  // namespace

Trie trie_of(const PatternSet& patterns, const std::vector<std::uint32_t>& queries) {
  Trie trie(queries.size());
  for (std::size_t word = queries.size(); word-- > 0;) {  // backwards, so that chains of equal words run forwards
    trie.add(codes_of(patterns.queries()[queries[word]]), static_cast<std::uint32_t>(word));
  }
  return trie;
}

std::vector<bool> output_nodes(const Trie& trie, const Automaton& automaton) {
  std::vector<bool> is_output(automaton.suffix.size());
  for (const std::uint32_t node : automaton.by_depth) {
    is_output[node] = trie.first_word[node] != kNone || is_output[automaton.suffix[node]];
  }
  return is_output;
}

Endings::Endings(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, const Trie& trie,
                 const Automaton& automaton, const std::vector<bool>& is_output,
                 const std::vector<std::uint32_t>& nodes)
    : begin{0}, states(static_cast<std::uint32_t>(nodes.size())) {
  const auto first = std::find_if(nodes.begin(), nodes.end(), [&](std::uint32_t node) { return is_output[node]; });
  first_output = static_cast<std::uint32_t>(first - nodes.begin());
  std::vector<std::uint32_t> place_of(states);  // an output node's index in `begin`
  for (std::uint32_t state = first_output; state < states; ++state) {
    const std::uint32_t node = nodes[state];
    place_of[node] = state - first_output;
    for (std::uint32_t word = trie.first_word[node]; word != kNone; word = trie.next_word[word]) {
      const auto length = static_cast<std::uint32_t>(patterns.queries()[queries[word]].sets.size());
      endings.push_back({queries[word], length});
      max_length = std::max(max_length, length);
    }
    if (const std::uint32_t shorter = automaton.suffix[node]; is_output[shorter]) {
      for (std::uint32_t e = begin[place_of[shorter]]; e < begin[place_of[shorter] + 1]; ++e) {
        const Ending ending = endings[e];
        endings.push_back(ending);
      }
    }
    if (endings.size() >= kMaxEndings) throw Error(kExitFailure, "too many patterns end in others");
    begin.push_back(static_cast<std::uint32_t>(endings.size()));
  }
}

}  // namespace basesweep
