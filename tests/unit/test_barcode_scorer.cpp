// Costs of barcodes with flanks in ends of reads: those of full matrices, for each instruction set.
#include "lib/search/barcode_scorer.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_barcode_scorer {

namespace {

// The least edits that turn the pattern into a stretch of the text.
std::uint32_t least_edits(const std::string& pattern, const std::string& text) {
  std::vector<std::uint32_t> row(text.size() + 1, 0), next(text.size() + 1);
  for (const char letter : pattern) {
    next[0] = row[0] + 1;
    for (std::size_t j = 1; j <= text.size(); ++j) {
      const BaseSet base = iupac_set(text[j - 1]);
      const bool same = is_single_base(base) && (pattern_letter_set(letter) & base) != 0;
      next[j] = std::min({row[j - 1] + (same ? 0 : 1), row[j] + 1, next[j - 1] + 1});
    }
    row.swap(next);
  }
  return *std::min_element(row.begin(), row.end());
}

}  // namespace

TEST_CASE("barcodes cost what full matrices say") {
  trial::Random random(support::test_seed());
  for (int round = 0; round < 150; ++round) {
    FlankedBarcodes patterns{trial::random_letters(random, random.below(25), "ACGT"),
                             trial::random_letters(random, random.below(25), "ACGTN"),
                             {}};
    const std::size_t longest = random.chance(50) ? 32 : kMaxBarcodeLetters;
    for (std::size_t count = 1 + random.below(70); count-- > 0;)
      patterns.barcodes.push_back(
          trial::random_letters(random, 1 + random.below(longest), random.chance(30) ? "ACGTNRY" : "ACGT"));
    std::vector<std::string> texts(1);
    for (int i = 0; i < 4; ++i) {
      const std::string& barcode = patterns.barcodes[random.below(patterns.barcodes.size())];
      std::string text = trial::random_letters(random, random.below(60), "ACGT") + patterns.left + barcode +
                         patterns.right +
                         trial::random_letters(random, random.below(60), random.chance(20) ? "acgtN" : "ACGT");
      for (std::size_t edits = random.below(6); edits-- > 0 && !text.empty();) text.erase(random.below(text.size()), 1);
      texts.push_back(text);
    }
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    for (const Isa isa : available_isas()) {
      BarcodeScorerOptions options;
      options.device = Device::cpu;
      options.isa = isa;
      const auto scorer = make_barcode_scorer(patterns, options);
      REQUIRE(scorer->count() == patterns.barcodes.size());
      std::vector<std::uint8_t> costs(texts.size() * scorer->count());
      scorer->score(views, costs.data());
      for (std::size_t t = 0; t < texts.size(); ++t) {
        for (std::size_t b = 0; b < patterns.barcodes.size(); ++b) {
          const std::string pattern = patterns.left + patterns.barcodes[b] + patterns.right;
          CAPTURE(pattern, texts[t], to_string(isa));
          REQUIRE(costs[t * scorer->count() + b] == least_edits(pattern, texts[t]));
        }
      }
    }
  }
}

TEST_CASE("barcodes that are too long are refused") {
  CHECK_THROWS_AS(make_barcode_scorer({"", "", {std::string(kMaxBarcodeLetters + 1, 'A')}}), UsageError);
}

}  // namespace basesweep::test_barcode_scorer
