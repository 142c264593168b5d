#include "kernels/ac_dfa/index.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "kernels/ac_dfa/step.hpp"
#include "lib/error.hpp"

namespace basesweep::ac_dfa {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kLimit = std::size_t{1} << 31;  // states and endings are counted in 32 bits

// The trie of all entries, then the automaton, still in the order in which nodes were made.
struct Automaton {
  std::vector<std::array<std::uint32_t, 4>> next{{kNone, kNone, kNone, kNone}};
  std::vector<std::uint32_t> first_entry{kNone};  // that ends in a node; further ones are chained by next_entry
  std::vector<std::uint32_t> suffix;              // the node of the longest proper suffix
  std::vector<std::uint32_t> by_depth;
};

void insert(Automaton& trie, const std::vector<BaseSet>& columns, std::uint32_t place,
            std::vector<std::uint32_t>& next_entry) {
  std::uint32_t node = 0;
  for (const BaseSet set : columns) {
    const unsigned code = single_base(set);
    if (trie.next[node][code] == kNone) {
      if (trie.next.size() >= kLimit) throw Error(kExitFailure, "ac-dfa: the patterns need 2^31 states or more");
      trie.next[node][code] = static_cast<std::uint32_t>(trie.next.size());
      trie.next.push_back({kNone, kNone, kNone, kNone});
      trie.first_entry.push_back(kNone);
    }
    node = trie.next[node][code];
  }
  next_entry[place] = trie.first_entry[node];
  trie.first_entry[node] = place;
}

// Fills in the moves that the trie lacks: those of the longest suffix. Breadth first, so that a suffix comes before.
void complete(Automaton& automaton) {
  automaton.suffix.assign(automaton.next.size(), 0);
  automaton.by_depth.reserve(automaton.next.size());
  automaton.by_depth.push_back(0);
  for (std::size_t i = 0; i < automaton.by_depth.size(); ++i) {
    const std::uint32_t node = automaton.by_depth[i];
    for (unsigned code = 0; code < 4; ++code) {
      std::uint32_t& child = automaton.next[node][code];
      const std::uint32_t fallback = node == 0 ? 0 : automaton.next[automaton.suffix[node]][code];
      if (child == kNone) {
        child = fallback;
      } else {
        automaton.suffix[child] = fallback;
        automaton.by_depth.push_back(child);
      }
    }
  }
}

}  // namespace

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries) {
  Automaton automaton;
  std::vector<std::uint32_t> next_entry(entries.size());
  for (std::size_t place = entries.size(); place-- > 0;) {  // backwards: chains then run forwards
    const std::vector<BaseSet>& columns = patterns.entries()[entries[place]].columns;
    max_length_ = std::max(max_length_, static_cast<std::uint32_t>(columns.size()));
    insert(automaton, columns, static_cast<std::uint32_t>(place), next_entry);
  }
  complete(automaton);
  states_ = static_cast<std::uint32_t>(automaton.next.size());

  std::vector<bool> is_output(states_);
  for (const std::uint32_t node : automaton.by_depth) {
    is_output[node] = automaton.first_entry[node] != kNone || is_output[automaton.suffix[node]];
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
    for (std::uint32_t place = automaton.first_entry[node]; place != kNone; place = next_entry[place]) {
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
    if (endings_.size() >= kLimit) throw Error(kExitFailure, "ac-dfa: too many patterns end in others");
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
