#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "kernels/approximate/neighbors/index.hpp"
#include "kernels/approximate/neighbors/words.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/pattern_set.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_neighbors {

namespace {

using namespace neighbors;

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

std::vector<basesweep::Pattern> guides(int count, const std::string& pam) {
  std::mt19937 random(7);
  std::vector<basesweep::Pattern> patterns;
  for (int i = 0; i < count; ++i) {
    std::string guide;
    for (int b = 0; b < 20; ++b) guide += "ACGT"[random() % kBases];
    patterns.push_back({std::to_string(i), guide + pam});
  }
  return patterns;
}

std::optional<TablePlan> plan_of(const std::string& pam, std::uint32_t clamp_3prime, std::uint32_t indels) {
  basesweep::EditOptions edits;
  edits.edits = 4;
  edits.max_indels = indels;
  edits.clamp_3prime = clamp_3prime;
  const basesweep::PatternSet set(guides(1000, pam), basesweep::StrandChoice::both, basesweep::PalindromeChoice::once,
                                  edits);
  std::vector<std::uint32_t> queries(set.queries().size());
  std::iota(queries.begin(), queries.end(), 0U);
  return plan(set, queries, basesweep::Device::cpu, 1e8, std::uint64_t{1} << 30);
}

}  // namespace

TEST_CASE("seeds beside a PAM that all guides share are looked up only there") {
  const auto clamped = plan_of("NGG", 3, 0);
  const auto free = plan_of("NGG", 0, 0);
  REQUIRE(clamped);
  REQUIRE(free);
  CHECK(clamped->gated);
  CHECK(clamped->tables > 1);
  CHECK_FALSE(free->gated);
  CHECK(clamped->seconds_per_base < 0.5 * free->seconds_per_base);
  CHECK_FALSE(plan_of("NGG", 3, 1)->gated);  // with indels, a clamped base lies at no fixed place beside a seed
  CHECK_FALSE(plan_of("", 3, 0)->gated);     // each guide has other bases there
}

TEST_CASE("the words of a seed with mismatches: none has one at an exact position") {
  std::mt19937 random(6);
  for (int i = 0; i < 100; ++i) {
    const std::uint32_t gram = kMinGram + random() % 4;
    const std::uint32_t max = random() % 4;
    const std::uint32_t exact = random() % (1U << gram);
    PositionSets sets = 0;
    for (std::uint32_t j = 0; j < gram; ++j) {
      sets |= PositionSets{random() % 10 == 0 ? 1 + random() % 15 : 1U << random() % kBases} << 4 * j;
    }
    std::map<std::uint32_t, std::uint32_t> found;
    bool twice = false;
    for_each_neighbor(sets, exact, gram, max, [&](std::uint32_t key, std::uint32_t mismatches) {
      twice = twice || !found.emplace(key, mismatches).second;
    });
    CHECK(!twice);
    std::map<std::uint32_t, std::uint32_t> expected;
    for (std::uint32_t key = 0; key < 1U << 2 * gram; ++key) {
      std::uint32_t different = 0;
      for (std::uint32_t j = 0; j < gram; ++j) different |= (~set_at(sets, j) >> Word{key, gram}.code(j) & 1) << j;
      const auto mismatches = static_cast<std::uint32_t>(std::popcount(different));
      if (mismatches <= max && (different & exact) == 0) expected.emplace(key, mismatches);
    }
    CHECK(found == expected);
  }
}

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

}  // namespace basesweep::test_neighbors
