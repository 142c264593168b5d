#include "kernels/exact/ac_nfa/index.hpp"

#include <algorithm>
#include <bit>

#include "kernels/automata/trie.hpp"
#include "lib/base/error.hpp"

namespace basesweep::ac_nfa {
namespace {

constexpr std::size_t kNarrowNodes = std::size_t{1} << 16;
constexpr std::size_t kMaxNodes = std::size_t{1} << 29;

// The nodes by number, before they are packed into words.
struct Nodes {
  std::vector<std::uint8_t> letters;
  std::vector<std::uint32_t> link;
};

Nodes number_nodes(const Trie& trie, const Automaton& automaton) {
  const std::vector<std::uint32_t>& order = automaton.by_depth;
  std::vector<std::uint32_t> number(order.size());
  for (std::uint32_t n = 0; n < order.size(); ++n) number[order[n]] = n;
  Nodes nodes;
  for (const std::uint32_t node : order) {
    unsigned letters = 0;
    for (unsigned code = 0; code < 4; ++code)
      letters |= static_cast<unsigned>(trie.children[node][code] != kNone) << code;
    nodes.letters.push_back(static_cast<std::uint8_t>(letters));
    nodes.link.push_back(number[automaton.suffix[node]]);
  }
  return nodes;
}

// Makes each link skip the nodes that have no letter which the node itself lacks. Skipping loses nothing: a link is
// followed for a letter that the node lacks, and skipped nodes lack it too. Nor need they be visited one by one: the
// nodes that a skipped node's own link skips have no letter but that node's. Links lead to lower numbers, so the links
// followed here are final.
void shorten_links(Nodes& nodes) {
  for (std::size_t n = 1; n < nodes.link.size(); ++n) {
    std::uint32_t to = nodes.link[n];
    while (to != 0 && (nodes.letters[to] & ~nodes.letters[n]) == 0) to = nodes.link[to];
    nodes.link[n] = to;
  }
}

// The greatest number of nodes that must be looked at on a chain of links: up to the last one, other than the root,
// with a letter that no node before it has.
std::uint32_t max_levels(const Nodes& nodes) {
  std::uint32_t most = 1;
  for (std::uint32_t n = 1; n < nodes.link.size(); ++n) {
    unsigned seen = 0;
    std::uint32_t level = 1;
    for (std::uint32_t at = n; at != 0 && seen != 15; at = nodes.link[at], ++level) {
      if ((nodes.letters[at] & ~seen) != 0) most = std::max(most, level);
      seen |= nodes.letters[at];
    }
  }
  return most;
}

}  // namespace

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, NfaWalk walk) : walk_(walk) {
  const Trie trie = trie_of(patterns, queries);
  if (trie.children.size() >= kMaxNodes) throw Error(kExitFailure, "ac-nfa: the patterns need 2^29 nodes or more");
  const Automaton automaton(trie);
  endings_ = Endings(patterns, queries, trie, automaton, output_nodes(trie, automaton), automaton.by_depth);
  Nodes nodes = number_nodes(trie, automaton);
  const bool plain = walk == NfaWalk::charan_4 || walk == NfaWalk::charan_5 || walk == NfaWalk::staged;
  if (!plain) shorten_links(nodes);
  levels_ = max_levels(nodes);

  const bool narrow = nodes.letters.size() <= kNarrowNodes;
  std::uint32_t child = 1;  // the first child that no earlier node has
  for (std::uint32_t n = 0; n < nodes.letters.size(); ++n) {
    const bool ends = endings_.any(n);
    const unsigned low = nodes.letters[n] | static_cast<unsigned>(ends) << 4;
    if (narrow) {
      if (n % kNodesOfBase == 0) first_child_.push_back(static_cast<std::uint16_t>(child));
      const auto past = static_cast<std::uint16_t>(child - first_child_.back());  // without children both may be 2^16
      narrow_.push_back(low | std::uint32_t{past} << 5 | nodes.link[n] << 16);
    } else {
      wide_.push_back(low | std::uint64_t{child} << 5 | std::uint64_t{nodes.link[n]} << 34);
    }
    child += static_cast<std::uint32_t>(std::popcount(nodes.letters[n]));
  }
}

IndexView Index::view() const {
  const bool narrow = wide_.empty();
  return {narrow ? narrow_.data() : nullptr,
          first_child_.data(),
          narrow ? nullptr : wide_.data(),
          endings_.view(),
          walk_,
          levels_};
}

}  // namespace basesweep::ac_nfa
