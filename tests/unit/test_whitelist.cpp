// Lists of barcodes: lookup and correction compared with a plain search, what is refused, and the memory that they
// take.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "lib/include/basesweep/error.hpp"
#include "lib/structure/whitelist.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_whitelist {

using Catch::Matchers::ContainsSubstring;

namespace {

std::string random_bases(std::mt19937& random, std::size_t length) {
  std::string bases(length, 'A');
  for (char& base : bases) base = "ACGT"[random() % 4];
  return bases;
}

std::string joined(const std::set<std::string>& barcodes) {
  std::string text;
  for (const std::string& barcode : barcodes) text += barcode + "\n";
  return text;
}

// The barcodes that differ from the word in one base, with the place.
std::vector<std::pair<std::string, std::size_t>> plain_neighbours(const std::set<std::string>& barcodes,
                                                                  const std::string& word) {
  std::vector<std::pair<std::string, std::size_t>> found;
  for (std::size_t i = 0; i < word.size(); ++i) {
    for (const char base : {'A', 'C', 'G', 'T'}) {
      std::string other = word;
      other[i] = base;
      if (base != word[i] && barcodes.count(other) != 0) found.emplace_back(other, i);
    }
  }
  return found;
}

}  // namespace

TEST_CASE("Lists of the same barcodes have the same checksum", "[whitelist]") {
  const auto checksum = [](const char* text) { return Whitelist::parse(text, "list", 2).checksum(); };
  const std::uint64_t one = checksum("ACGT\nTTTT\nACG\n");
  CHECK(checksum("TTTT-1\n\nACG\nACGT\nTTTT\n") == one);
  for (const char* const other : {"ACGT\nTTTT\n", "ACGT\nTTTT\nACC\n", "ACGT\nTTTT\nACG\nA\n"})
    CHECK(checksum(other) != one);
}

TEST_CASE("Barcodes and their neighbours are found as a plain search finds them") {
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + support::test_cases(100); ++seed) {
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const std::size_t length = seed % 5 == 0 ? 31 : 3 + random() % 6;
    std::set<std::string> barcodes;
    for (std::size_t count = 1 + random() % 300; count != 0; --count)
      barcodes.insert(random_bases(random, length - (seed % 3 == 0 ? random() % 2 : 0)));
    const Whitelist list = Whitelist::parse(joined(barcodes), "list", 1 + static_cast<int>(random() % 3));
    REQUIRE(list.size() == barcodes.size());
    std::set<std::string> listed;
    for (std::size_t i = 0; i < list.size(); ++i) listed.insert(list[i]);
    REQUIRE(listed == barcodes);
    WhitelistCounts counts(list);
    std::map<std::string, std::uint32_t> seen;
    for (const std::string& barcode : barcodes) {
      for (std::size_t count = random() % 3 == 0 ? random() % 200 : 0; count != 0; --count) {
        counts.add(barcode);
        ++seen[barcode];
      }
    }
    for (int trial = 0; trial < 100; ++trial) {
      std::string word = *std::next(barcodes.begin(), static_cast<std::ptrdiff_t>(random() % barcodes.size()));
      for (std::uint32_t edit = random() % 3; edit != 0; --edit) word[random() % word.size()] = "ACGTN"[random() % 5];
      std::string quality(word.size(), '!');
      for (char& one : quality) one = static_cast<char>('!' + random() % 41);
      CAPTURE(seed, word, quality);
      const std::uint32_t exact = list.find(word);
      REQUIRE((exact != Whitelist::kNone) == (barcodes.count(word) != 0));
      if (exact != Whitelist::kNone) REQUIRE(list[exact] == word);
      std::vector<Whitelist::Neighbour> found;
      list.find_neighbours(word, found);
      const auto expected = plain_neighbours(barcodes, word);
      REQUIRE(found.size() == expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        REQUIRE(list[found[i].number] == expected[i].first);
        REQUIRE(found[i].position == expected[i].second);
      }
      const BarcodeMatch match = BarcodeCorrector(list, &counts).match(word, quality);
      if (exact != Whitelist::kNone) {
        REQUIRE(match == BarcodeMatch{exact, BarcodeFit::exact});
      } else if (expected.size() < 2) {
        REQUIRE(match.fit == (expected.empty() ? BarcodeFit::none : BarcodeFit::corrected));
        if (!expected.empty()) REQUIRE(list[match.number] == expected[0].first);
      } else {
        double sum = 0;
        std::vector<double> likelihoods;
        for (const auto& [barcode, at] : expected) {
          likelihoods.push_back((seen[barcode] + 1) * std::pow(10, -0.1 * (quality[at] - '!')));
          sum += likelihoods.back();
        }
        const auto best = std::max_element(likelihoods.begin(), likelihoods.end());
        const bool clear = *best >= 0.975 * sum;
        REQUIRE(match.fit == (clear ? BarcodeFit::corrected : BarcodeFit::ambiguous));
        if (clear) REQUIRE(list[match.number] == expected[static_cast<std::size_t>(best - likelihoods.begin())].first);
        REQUIRE(BarcodeCorrector(list, nullptr).match(word, quality).fit == BarcodeFit::ambiguous);
      }
    }
  }
}

TEST_CASE("Lists have one barcode a line, whatever follows it") {
  const auto listed = [](const std::string& text, int threads) {
    const Whitelist list = Whitelist::parse(text, "list", threads);
    std::set<std::string> barcodes;
    for (std::size_t i = 0; i < list.size(); ++i) barcodes.insert(list[i]);
    return joined(barcodes);
  };
  for (const int threads : {1, 2, 8}) {
    CHECK(listed("ACGT-1\r\nCCGT\tTTTT\n\nggtu,x\nACGT\n", threads) == "ACGT\nCCGT\nGGTT\n");
    CHECK_THROWS_WITH(listed("ACGT\n\nACNT\nAXGT\n", threads),
                      ContainsSubstring("list: line 3: expected a barcode, position 3: 'N' is not A, C, G or T"));
    CHECK_THROWS_WITH(listed("ACGT\n" + std::string(32, 'A') + "\n", threads),
                      ContainsSubstring("list: line 2: the barcode has 32 bases: at most 31"));
    CHECK_THROWS_AS(listed("\n\n", threads), DataError);
  }
}

TEST_CASE("A list takes at most 12 bytes per barcode") {
  std::mt19937 random(3);
  std::set<std::string> barcodes;
  while (barcodes.size() < 20000) barcodes.insert(random_bases(random, 16));
  const Whitelist list = Whitelist::parse(joined(barcodes), "list", 2);
  CHECK(list.memory_bytes() <= 12 * list.size());
}

}  // namespace basesweep::test_whitelist
