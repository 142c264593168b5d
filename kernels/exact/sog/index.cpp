#include "kernels/exact/sog/index.hpp"

#include <algorithm>

#include "kernels/automata/trie.hpp"
#include "kernels/tables/staged.hpp"

namespace basesweep::sog {

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, std::uint32_t wanted)
    : starts(patterns, queries) {
  const std::uint32_t max_gram = std::min(starts.shortest, kMaxGram);
  gram = wanted == 0 ? max_gram : std::min(wanted, max_gram);
  places = std::min(starts.shortest - gram + 1, kMaxPlaces);

  V.assign(std::size_t{1} << 2 * gram, static_cast<std::uint8_t>((1U << places) - 1));
  for (const std::uint32_t e : queries) {
    const std::vector<std::uint8_t> codes = codes_of(patterns.queries()[e]);
    for (std::uint32_t i = 0; i < places; ++i) V[qgram_of(codes, i, gram)] &= static_cast<std::uint8_t>(~(1U << i));
  }
}

}  // namespace basesweep::sog
