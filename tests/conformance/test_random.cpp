// Every algorithm on every device against the oracle: random texts and pattern sets, cut at random.
#include <fmt/format.h>

#include <algorithm>

#include "tests/conformance/searcher.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/tally.hpp"

namespace {

using support::Random;

support::PatternKind random_kind(Random& random) {
  using enum support::PatternKind;
  return random.pick(std::vector{acgt, acgt, acgt, long_acgt, long_acgt, equal_acgt, equal_acgt, equal_acgt, iupac,
                                 iupac, many_acgt, many_mixed});
}

// How often each target was compared.
std::vector<std::uint64_t> compared() {
  std::vector<std::uint64_t> counts;
  for (const support::Target& target : support::targets()) counts.push_back(support::tally().ran_by(target.name));
  return counts;
}

// One pattern set, several texts; a GPU's matchers are dear, so they get more.
std::string check_set(std::uint64_t seed) {
  Random random(seed);
  const auto shape = [&] { return static_cast<support::TextShape>(random.below(support::kTextShapes)); };
  std::vector<std::string> records = support::random_records(random, shape());
  oracle::Question question = support::random_question(random, records, {});
  question.patterns = support::random_patterns(random, random_kind(random), records);
  conformance::Searchers searchers(question);
  for (int text = 0; text < (support::on_gpu() ? 60 : 6); ++text) {
    if (text != 0) question.records = support::random_records(random, shape());
    if (text != 0) question.skip_soft_masked = random.chance(30);
    if (random.chance(80)) support::plant(random, question.patterns, question.records);
    const std::string fault = searchers.check(question, random.bits());
    if (!fault.empty()) return fmt::format("text {} of the set: {}", text, fault);
  }
  return "";
}

}  // namespace

TEST_CASE("random texts and patterns: hits and counts are the oracle's", "[matcher]") {
  const std::uint64_t cases = support::test_cases(support::on_gpu() ? 600 : 1'500);  // of each target
  const std::vector<std::uint64_t> before = compared();
  const auto more_wanted = [&] {
    const std::vector<std::uint64_t> now = compared();
    return !std::equal(now.begin(), now.end(), before.begin(),
                       [cases](std::uint64_t n, std::uint64_t b) { return n >= b + cases; });
  };
  for (std::uint64_t seed = support::test_seed(); more_wanted(); ++seed) {
    const std::string fault = check_set(seed);
    if (fault.empty()) continue;
    FAIL(fault << "\nrepeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1");
  }
}
