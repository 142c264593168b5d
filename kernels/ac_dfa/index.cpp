#include "kernels/ac_dfa/index.hpp"

#include <algorithm>

#include "kernels/ac_dfa/step.hpp"
#include "kernels/trie.hpp"
#include "lib/error.hpp"

namespace basesweep::ac_dfa {
namespace {

constexpr std::size_t kMostEndings = std::size_t{1} << 31;  // they are counted in 32 bits

}  // namespace

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries) {
  Trie trie(entries.size());
  for (std::size_t place = entries.size(); place-- > 0;) {  // backwards: chains then run forwards
    const Entry& entry = patterns.entries()[entries[place]];
    max_length_ = std::max(max_length_, static_cast<std::uint32_t>(entry.columns.size()));
    trie.add(codes_of(entry), static_cast<std::uint32_t>(place));
  }
  const Automaton automaton(trie);
  states_ = static_cast<std::uint32_t>(automaton.next.size());

  std::vector<bool> is_output(states_);
  for (const std::uint32_t node : automaton.by_depth) {
    is_output[node] = trie.first_word[node] != kNone || is_output[automaton.suffix[node]];
  }
  std::vector<std::uint32_t> nodes = automaton.by_depth;
  first_output_ = static_cast<std::uint32_t>(
      std::stable_partition(nodes.begin(), nodes.end(), [&](std::uint32_t node) { return !is_output[node]; }) -
      nodes.begin());
  std::vector<std::uint32_t> state_of(states_);
  for (std::uint32_t state = 0; state < states_; ++state) state_of[nodes[state]] = state;

  std::vector<std::uint32_t> next(std::size_t{states_} * 4);
  for (std::size_t i = 0; i < next.size(); ++i) next[i] = state_of[automaton.next[nodes[i / 4]][i % 4]];

  ending_begin_.push_back(0);
  for (std::uint32_t state = first_output_; state < states_; ++state) {
    const std::uint32_t node = nodes[state];
    for (std::uint32_t place = trie.first_word[node]; place != kNone; place = trie.next_word[place]) {
      const std::uint32_t entry = entries[place];
      endings_.push_back({entry, static_cast<std::uint32_t>(patterns.entries()[entry].columns.size())});
    }
    if (const std::uint32_t shorter = automaton.suffix[node]; is_output[shorter]) {
      const std::uint32_t i = state_of[shorter] - first_output_;
      for (std::uint32_t e = ending_begin_[i]; e < ending_begin_[i + 1]; ++e) {
        const Ending ending = endings_[e];
        endings_.push_back(ending);
      }
    }
    if (endings_.size() >= kMostEndings) throw Error(kExitFailure, "ac-dfa: too many patterns end in others");
    ending_begin_.push_back(static_cast<std::uint32_t>(endings_.size()));
  }

  if (states_ <= kPairStates) make_pairs(next);
  if (states_ <= kNarrowStates) {
    narrow_.assign(next.begin(), next.end());
  } else {
    wide_ = std::move(next);
  }
}

void Index::make_pairs(const std::vector<std::uint32_t>& next) {
  pairs_.resize(std::size_t{states_} * 16);
  for (std::uint32_t state = 0; state < states_; ++state) {
    for (unsigned pair = 0; pair < 16; ++pair) {
      const std::uint32_t between = next_state(next.data(), state, first_of_pair(pair));
      const std::uint32_t last = next_state(next.data(), between, second_of_pair(pair));
      const bool ending = between >= first_output_ || last >= first_output_;
      pairs_[std::size_t{state} * 16 + pair] = static_cast<std::uint16_t>(last | (ending ? kPairEnding : 0));
    }
  }
}

IndexView Index::view() const {
  const auto or_null = [](const auto& table) { return table.empty() ? nullptr : table.data(); };
  return {or_null(narrow_), or_null(wide_), or_null(pairs_), ending_begin_.data(),
          endings_.data(),  states_,        first_output_,   max_length_};
}

}  // namespace basesweep::ac_dfa
