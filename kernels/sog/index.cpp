#include "kernels/sog/index.hpp"

#include <algorithm>

#include "kernels/staged.hpp"
#include "kernels/trie.hpp"

namespace basesweep::sog {

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries, std::uint32_t wanted)
    : starts(patterns, entries) {
  const std::uint32_t most = std::min(starts.shortest, kMostGram);
  gram = wanted == 0 ? most : std::min(wanted, most);
  places = std::min(starts.shortest - gram + 1, kMostPlaces);

  V.assign(std::size_t{1} << 2 * gram, static_cast<std::uint8_t>((1U << places) - 1));
  for (const std::uint32_t e : entries) {
    const std::vector<std::uint8_t> codes = codes_of(patterns.entries()[e]);
    for (std::uint32_t i = 0; i < places; ++i) V[qgram_of(codes, i, gram)] &= static_cast<std::uint8_t>(~(1U << i));
  }
}

}  // namespace basesweep::sog
