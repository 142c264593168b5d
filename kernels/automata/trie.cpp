#include "kernels/automata/trie.hpp"

#include "lib/base/error.hpp"
#include "lib/search/query.hpp"

namespace basesweep {

void Trie::add(std::span<const std::uint8_t> codes, std::uint32_t word) {
  constexpr std::size_t kMaxNodes = std::size_t{1} << 31;
  std::uint32_t node = 0;
  for (const std::uint8_t code : codes) {
    if (children[node][code] == kNone) {
      if (children.size() >= kMaxNodes) throw Error(kExitFailure, "the patterns need 2^31 states or more");
      children[node][code] = static_cast<std::uint32_t>(children.size());
      children.push_back({kNone, kNone, kNone, kNone});
      first_word.push_back(kNone);
    }
    node = children[node][code];
  }
  next_word[word] = first_word[node];
  first_word[node] = word;
}

std::vector<std::uint32_t> Trie::by_depth() const {
  std::vector<std::uint32_t> nodes{0};
  nodes.reserve(children.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const std::uint32_t child : children[nodes[i]]) {
      if (child != kNone) nodes.push_back(child);
    }
  }
  return nodes;
}

std::vector<std::uint8_t> codes_of(const Query& query) {
  std::vector<std::uint8_t> codes;
  codes.reserve(query.sets.size());
  for (const BaseSet set : query.sets) codes.push_back(static_cast<std::uint8_t>(single_base(set)));
  return codes;
}

Automaton::Automaton(const Trie& trie)
    : next(trie.children), suffix(trie.children.size(), 0), by_depth(trie.by_depth()) {
  for (const std::uint32_t node : by_depth) {
    for (unsigned code = 0; code < 4; ++code) {
      std::uint32_t& child = next[node][code];
      const std::uint32_t fallback = node == 0 ? 0 : next[suffix[node]][code];
      if (child == kNone) {
        child = fallback;
      } else {
        suffix[child] = fallback;
      }
    }
  }
}

}  // namespace basesweep
