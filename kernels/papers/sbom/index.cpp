#include "kernels/papers/sbom/index.hpp"

#include <algorithm>

#include "kernels/automata/trie.hpp"

namespace basesweep::sbom {

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries) : starts(patterns, queries) {
  Trie trie(queries.size());
  for (std::size_t place = 0; place < queries.size(); ++place) {
    std::vector<std::uint8_t> codes = codes_of(patterns.queries()[queries[place]]);
    codes.resize(starts.shortest);
    std::reverse(codes.begin(), codes.end());
    trie.add(codes, static_cast<std::uint32_t>(place));
  }

  // Navarro and Raffinot's Build_Oracle_Multiple: by depth, each node also becomes the move of all states on its
  // parent's supply path that have none for its base.
  const std::vector<std::uint32_t> nodes = trie.by_depth();
  auto moves = trie.children;
  std::vector<std::uint32_t> supply(nodes.size(), kNone);
  for (const std::uint32_t node : nodes) {
    for (unsigned code = 0; code < 4; ++code) {
      const std::uint32_t child = trie.children[node][code];
      if (child == kNone) continue;
      std::uint32_t down = supply[node];
      for (; down != kNone && moves[down][code] == kNone; down = supply[down]) moves[down][code] = child;
      supply[child] = down == kNone ? 0 : moves[down][code];
    }
  }

  std::vector<std::uint32_t> number(nodes.size());
  for (std::uint32_t n = 0; n < nodes.size(); ++n) number[nodes[n]] = n;
  next.reserve(4 * nodes.size());
  for (const std::uint32_t node : nodes) {
    for (const std::uint32_t to : moves[node]) next.push_back(to == kNone ? 0 : number[to]);
  }
}

}  // namespace basesweep::sbom
