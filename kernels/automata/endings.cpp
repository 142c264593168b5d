#include "kernels/automata/endings.hpp"

#include <algorithm>

#include "lib/base/error.hpp"
#include "lib/search/pattern_set.hpp"

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

  std::vector<std::uint32_t> count(states);  // of a node's endings: its own, and those of its suffix
  for (const std::uint32_t node : automaton.by_depth) {
    if (node != 0) count[node] = count[automaton.suffix[node]];
    for (std::uint32_t word = trie.first_word[node]; word != kNone; word = trie.next_word[word]) ++count[node];
  }
  std::size_t all = 0;
  std::vector<std::uint32_t> begin_of(states);  // where a node's endings begin
  for (std::uint32_t state = first_output; state < states; ++state) {
    begin_of[nodes[state]] = static_cast<std::uint32_t>(all);
    all += count[nodes[state]];
    if (all >= kMaxEndings) throw Error(kExitFailure, "too many patterns end in others");
    begin.push_back(static_cast<std::uint32_t>(all));
  }

  endings.resize(all);
  for (const std::uint32_t node : automaton.by_depth) {
    if (!is_output[node]) continue;
    auto place = endings.begin() + begin_of[node];
    for (std::uint32_t word = trie.first_word[node]; word != kNone; word = trie.next_word[word]) {
      const auto length = static_cast<std::uint32_t>(patterns.queries()[queries[word]].sets.size());
      *place++ = {queries[word], length};
      max_length = std::max(max_length, length);
    }
    if (node == 0) continue;
    const std::uint32_t shorter = automaton.suffix[node];
    std::copy_n(endings.begin() + begin_of[shorter], count[shorter], place);
  }
}

}  // namespace basesweep
