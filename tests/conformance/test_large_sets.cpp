// Pattern sets so large that tables change form: wider numbers, other memory, other q-grams.
#include <fmt/format.h>

#include "lib/oracle/trial/generate.hpp"
#include "tests/conformance/searcher.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_large_sets {

namespace {

using trial::Random;

struct Size {
  std::size_t patterns, least, most;  // lengths
  oracle::Strands strands;
};

std::string check_size(const Size& size, std::uint64_t seed) {
  Random random(seed);
  oracle::Question question;
  question.strands = size.strands;
  for (std::size_t i = 0; i < size.patterns; ++i) {
    question.patterns.push_back(trial::random_letters(random, random.between(size.least, size.most), "ACGT"));
  }
  conformance::Searchers searchers(question);
  for (const trial::TextShape shape : {trial::TextShape::random, trial::TextShape::n_runs}) {
    question.records = trial::random_records(random, shape);
    question.records.push_back(trial::random_letters(random, 1500, "ACGT"));
    for (int i = 0; i < 10; ++i) trial::plant(random, question.patterns, question.records);
    if (const std::string fault = searchers.check(question, random.bits()); !fault.empty()) {
      return fault.substr(0, 2000);  // leaves out most of the patterns
    }
  }
  return "";
}

}  // namespace

TEST_CASE("large sets of patterns", "[matcher]") {
  using enum oracle::Strands;
  for (const Size& size : {Size{3'000, 8, 8, plus}, Size{1'500, 12, 12, both}, Size{6'000, 16, 16, plus},
                           Size{5'000, 10, 25, both}, Size{20'000, 12, 12, plus}}) {
    INFO(size.patterns << " of " << size.least << " to " << size.most);
    const std::string fault = check_size(size, support::test_seed());
    if (!fault.empty()) FAIL(fault);
  }
}

}  // namespace basesweep::test_large_sets
