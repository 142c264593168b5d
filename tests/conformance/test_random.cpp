// Every algorithm on every device against the oracle: random texts and pattern sets, cut at random.
#include <fmt/format.h>

#include "tests/conformance/searcher.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/tally.hpp"

namespace {

using support::Random;

support::PatternKind random_kind(Random& random) {
  if (random.chance(50)) return support::PatternKind::acgt;
  if (random.chance(75)) return support::PatternKind::iupac;
  return random.chance(50) ? support::PatternKind::many_acgt : support::PatternKind::many_mixed;
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
  const std::uint64_t wanted = support::test_cases(support::on_gpu() ? 20'000 : 30'000);
  const std::uint64_t before = support::tally().total();
  for (std::uint64_t seed = support::test_seed(); support::tally().total() - before < wanted; ++seed) {
    const std::string fault = check_set(seed);
    if (fault.empty()) continue;
    FAIL(fault << "\nrepeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1");
  }
}
