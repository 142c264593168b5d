// Every algorithm on every device against the oracle: random texts and pattern sets, randomly cut.
#include <fmt/format.h>

#include <algorithm>

#include "lib/oracle/trial/generate.hpp"
#include "tests/conformance/searcher.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tally.hpp"

namespace basesweep::test_random {

namespace {

using trial::Random;

trial::PatternKind random_kind(Random& random) {
  using enum trial::PatternKind;
  return random.pick(std::vector{acgt, acgt, acgt, long_acgt, long_acgt, equal_acgt, equal_acgt, equal_acgt, iupac,
                                 iupac, many_acgt, many_mixed});
}

// Returns how many cases each target has compared.
std::vector<std::uint64_t> compared() {
  std::vector<std::uint64_t> counts;
  for (const support::Target& target : support::targets()) counts.push_back(support::tally().ran_by(target.name));
  return counts;
}

// Searches several texts for one pattern set. Matchers on a GPU take long to make, so they get more texts.
std::string check_set(std::uint64_t seed) {
  Random random(seed);
  const auto shape = [&] { return static_cast<trial::TextShape>(random.below(trial::kTextShapes)); };
  std::vector<std::string> records = trial::random_records(random, shape());
  oracle::Question question = trial::random_question(random, records, {});
  question.patterns = trial::random_patterns(random, random_kind(random), records);
  conformance::Searchers searchers(question);
  for (int text = 0; text < (support::on_gpu() ? 60 : 6); ++text) {
    if (text != 0) question.records = trial::random_records(random, shape());
    if (text != 0) question.skip_soft_masked = random.chance(30);
    if (random.chance(80)) trial::plant(random, question.patterns, question.records);
    const std::string fault = searchers.check(question, random.bits());
    if (!fault.empty()) return fmt::format("text {} of the set: {}", text, fault);
  }
  return "";
}

}  // namespace

TEST_CASE("random texts and patterns: the same hits and counts as the oracle", "[matcher]") {
  const std::uint64_t cases = support::test_cases(support::on_gpu() ? 600 : 1'500);  // for each target
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

}  // namespace basesweep::test_random
