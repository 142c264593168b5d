#include "kernels/exact/ac_dfa/index.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "kernels/exact/ac_dfa/step.hpp"
#include "kernels/text.hpp"

namespace basesweep::ac_dfa {
namespace {

// Nodes without children, which all end a query. The root is none, even if there are no queries.
std::vector<bool> leaves_of(const Trie& trie) {
  std::vector<bool> is_leaf(trie.children.size());
  for (std::size_t node = 1; node < is_leaf.size(); ++node) {
    const auto& children = trie.children[node];
    is_leaf[node] = std::all_of(children.begin(), children.end(), [](std::uint32_t child) { return child == kNone; });
  }
  return is_leaf;
}

}  // namespace

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, const Layout& layout) {
  const Trie trie = trie_of(patterns, queries);
  const Automaton automaton(trie);
  const std::vector<bool> is_output = output_nodes(trie, automaton);
  const std::vector<bool> is_leaf = leaves_of(trie);
  std::vector<std::uint32_t> nodes = automaton.by_depth;
  if (layout.order == StateOrder::insertion) std::iota(nodes.begin(), nodes.end(), 0U);
  std::stable_partition(nodes.begin(), nodes.end(), [&](std::uint32_t node) { return !is_output[node]; });
  leaves_ = static_cast<std::uint32_t>(std::count(is_leaf.begin(), is_leaf.end(), true));
  rows_ = static_cast<std::uint32_t>(nodes.size());
  if (layout.links) {
    std::stable_partition(nodes.begin(), nodes.end(), [&](std::uint32_t node) { return !is_leaf[node]; });
    rows_ -= leaves_;
  }
  endings_ = Endings(patterns, queries, trie, automaton, is_output, nodes);

  std::vector<std::uint32_t> state_of(nodes.size());
  for (std::uint32_t state = 0; state < nodes.size(); ++state) state_of[nodes[state]] = state;
  std::vector<std::uint32_t> next(std::size_t{rows_} * 4);
  for (std::size_t i = 0; i < next.size(); ++i) next[i] = state_of[automaton.next[nodes[i / 4]][i % 4]];
  for (std::uint32_t state = rows_; state < nodes.size(); ++state) {
    std::uint32_t node = automaton.suffix[nodes[state]];
    while (is_leaf[node]) node = automaton.suffix[node];
    links_.push_back(state_of[node]);
  }
  if (rows_ <= kPairRows) make_pairs(next);
  if (nodes.size() <= kNarrowStates) {
    narrow_.assign(next.begin(), next.end());
  } else {
    wide_ = std::move(next);
  }
}

void Index::make_pairs(const std::vector<std::uint32_t>& next) {
  const LinkedDfa<std::uint32_t, std::uint32_t> dfa{{next.data(), endings_.first_output}, links_.data(), rows_};
  pairs_.resize(next.size() * 4);
  for (std::uint32_t row = 0; row < rows_; ++row) {
    for (unsigned pair = 0; pair < 16; ++pair) {
      const std::uint32_t between = dfa.next(row, first_of_pair(pair), 0);
      const std::uint32_t last = dfa.next(dfa.go_on(between), second_of_pair(pair), 0);
      const bool ending = dfa.has_ending(between) || dfa.has_ending(last);
      pairs_[std::size_t{row} * 16 + pair] = static_cast<std::uint16_t>(dfa.go_on(last) | (ending ? kPairEnding : 0));
    }
  }
}

IndexView Index::view() const {
  const auto or_null = [](const auto& table) { return table.empty() ? nullptr : table.data(); };
  return {or_null(narrow_), or_null(wide_), or_null(pairs_), or_null(links_), rows_, endings_.view()};
}

}  // namespace basesweep::ac_dfa
