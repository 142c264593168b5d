#include "kernels/exact/ac_dfa/index.hpp"

#include <algorithm>

#include "kernels/exact/ac_dfa/step.hpp"
#include "kernels/text.hpp"

namespace basesweep::ac_dfa {

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries) {
  const Trie trie = trie_of(patterns, queries);
  const Automaton automaton(trie);
  const std::vector<bool> is_output = output_nodes(trie, automaton);
  std::vector<std::uint32_t> nodes = automaton.by_depth;
  std::stable_partition(nodes.begin(), nodes.end(), [&](std::uint32_t node) { return !is_output[node]; });
  endings_ = Endings(patterns, queries, trie, automaton, is_output, nodes);

  std::vector<std::uint32_t> state_of(nodes.size());
  for (std::uint32_t state = 0; state < nodes.size(); ++state) state_of[nodes[state]] = state;
  std::vector<std::uint32_t> next(nodes.size() * 4);
  for (std::size_t i = 0; i < next.size(); ++i) next[i] = state_of[automaton.next[nodes[i / 4]][i % 4]];
  if (nodes.size() <= kPairStates) make_pairs(next);
  if (nodes.size() <= kNarrowStates) {
    narrow_.assign(next.begin(), next.end());
  } else {
    wide_ = std::move(next);
  }
}

void Index::make_pairs(const std::vector<std::uint32_t>& next) {
  const Dfa<std::uint32_t> dfa{next.data(), endings_.first_output};
  pairs_.resize(next.size() * 4);
  for (std::uint32_t state = 0; state < endings_.states; ++state) {
    for (unsigned pair = 0; pair < 16; ++pair) {
      const std::uint32_t between = dfa.next(state, first_of_pair(pair), 0);
      const std::uint32_t last = dfa.next(between, second_of_pair(pair), 0);
      const bool ending = dfa.has_ending(between) || dfa.has_ending(last);
      pairs_[std::size_t{state} * 16 + pair] = static_cast<std::uint16_t>(last | (ending ? kPairEnding : 0));
    }
  }
}

IndexView Index::view() const {
  const auto or_null = [](const auto& table) { return table.empty() ? nullptr : table.data(); };
  return {or_null(narrow_), or_null(wide_), or_null(pairs_), endings_.view()};
}

}  // namespace basesweep::ac_dfa
