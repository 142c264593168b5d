#include "kernels/papers/set_horspool/index.hpp"

#include <algorithm>
#include <cassert>

#include "kernels/automata/trie.hpp"

namespace basesweep::set_horspool {

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries) {
  assert(!queries.empty());
  Trie trie(queries.size());
  std::vector<std::vector<std::uint8_t>> reversed;
  for (const std::uint32_t e : queries) {
    std::vector<std::uint8_t> codes = codes_of(patterns.queries()[e]);
    std::reverse(codes.begin(), codes.end());
    reversed.push_back(std::move(codes));
  }
  for (std::size_t place = queries.size();
       place-- > 0;) {  // backwards, so that the queries of a node come out in order
    trie.add(reversed[place], static_cast<std::uint32_t>(place));
  }

  const auto length = [](const auto& codes) { return static_cast<std::uint32_t>(codes.size()); };
  shortest = length(reversed.front());
  for (const auto& codes : reversed) {
    shortest = std::min(shortest, length(codes));
    longest = std::max(longest, length(codes));
  }
  shift.assign(4, shortest);
  for (const auto& codes : reversed) {
    for (std::uint32_t d = shortest; d-- > 1;) shift[codes[d]] = std::min(shift[codes[d]], d);
  }

  const std::vector<std::uint32_t> nodes = trie.by_depth();
  std::vector<std::uint32_t> number(nodes.size());
  for (std::uint32_t n = 0; n < nodes.size(); ++n) number[nodes[n]] = n;
  ending_begin.push_back(0);
  for (const std::uint32_t node : nodes) {
    for (const std::uint32_t child : trie.children[node]) {
      const bool ends = child != kNone && trie.first_word[child] != kNone;
      cells.push_back(child == kNone ? 0 : number[child] | (ends ? kEnds : 0));
    }
    for (std::uint32_t place = trie.first_word[node]; place != kNone; place = trie.next_word[place]) {
      endings.push_back(queries[place]);
    }
    ending_begin.push_back(static_cast<std::uint32_t>(endings.size()));
  }
}

}  // namespace basesweep::set_horspool
