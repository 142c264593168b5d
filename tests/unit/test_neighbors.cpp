#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "kernels/approximate/neighbors/words.hpp"
#include "tests/support/catch.hpp"

namespace {

using namespace basesweep::neighbors;

constexpr std::uint32_t kBases = 4;

// The letters (codes) of a word, the first one first.
std::vector<std::uint32_t> letters_of(std::uint32_t key, std::uint32_t gram) {
  std::vector<std::uint32_t> letters(gram);
  for (std::uint32_t i = 0; i < gram; ++i) letters[i] = Word{key, gram}.code(i);
  return letters;
}

// The fewest edits between a part of the word that it begins with and the whole seed, or between the whole word and a
// part of the seed that it begins with. The full matrix.
std::uint32_t fewest_edits(const std::vector<std::uint32_t>& word, const std::vector<std::uint32_t>& seed_sets) {
  const std::size_t rows = seed_sets.size();
  std::vector<std::uint32_t> column(rows + 1);
  for (std::size_t j = 0; j <= rows; ++j) column[j] = static_cast<std::uint32_t>(j);
  std::uint32_t fewest = column[rows];
  for (std::size_t c = 1; c <= word.size(); ++c) {
    std::vector<std::uint32_t> next(rows + 1);
    next[0] = static_cast<std::uint32_t>(c);
    for (std::size_t j = 1; j <= rows; ++j) {
      const bool same = (seed_sets[j - 1] >> word[c - 1] & 1) != 0;
      next[j] = std::min({column[j - 1] + (same ? 0U : 1U), column[j] + 1, next[j - 1] + 1});
    }
    column = next;
    fewest = std::min(fewest, column[rows]);
  }
  return std::min(fewest, *std::min_element(column.begin(), column.end()));
}

}  // namespace

TEST_CASE("the words of a seed with indels: each once, those and no others that its beginning has with few edits") {
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) {
    const std::uint32_t gram = kMinGram + random() % 4;
    Seed seed{};
    seed.max = static_cast<std::uint8_t>(random() % (kMaxSeedEdits + 1));
    seed.rows = static_cast<std::uint8_t>(gram + random() % (seed.max + 1));
    seed.backward = random() % 2 != 0;
    std::vector<std::uint32_t> sets;
    for (std::uint32_t j = 0; j < seed.rows; ++j) {
      sets.push_back(random() % 10 == 0 ? 1 + random() % 15 : 1U << random() % kBases);
      seed.sets |= PositionSets{sets[j]} << 4 * j;
    }
    std::map<std::uint32_t, std::uint32_t> found;
    bool twice = false;
    for_each_word_with_edits(seed, gram, [&](std::uint32_t key, std::uint32_t edits) {
      twice = twice || !found.emplace(key, edits).second;
    });
    CHECK(!twice);
    std::map<std::uint32_t, std::uint32_t> expected;
    for (std::uint32_t key = 0; key < 1U << 2 * gram; ++key) {
      std::vector<std::uint32_t> word = letters_of(key, gram);
      if (seed.backward) std::reverse(word.begin(), word.end());
      const std::uint32_t edits = fewest_edits(word, sets);
      if (edits <= seed.max) expected.emplace(key, edits);
    }
    CHECK(found == expected);
  }
}
