// Every algorithm on every device against the oracle, with lengths that the random sets lack: patterns of 65,536
// letters and more, and sets of short patterns only, which some algorithms need.
#include <fmt/format.h>

#include <algorithm>

#include "lib/oracle/trial/generate.hpp"
#include "tests/conformance/searcher.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tally.hpp"

namespace basesweep::test_long {

namespace {

using trial::Random;

const std::string kBases = "ACGT";

// Returns patterns with lengths around the limits of algorithms, powers of two and whole words. Each is a part of
// another or nearly equal to one. Some are short, and two of those are equal. `most`: length of the longest.
std::vector<std::string> long_patterns(Random& random, std::size_t most) {
  const std::string longest = trial::random_letters(random, most, kBases);
  const std::string middle = trial::random_letters(random, 4'097, kBases);
  const std::string shorter = trial::random_letters(random, 1'025, kBases);
  std::string late = longest;  // differs in the last letter only
  late.back() = late.back() == 'A' ? 'C' : 'A';
  std::string repeats;
  while (repeats.size() < 1'100) repeats += "ACC";
  return {longest,
          late,
          longest.substr(1),
          middle,
          middle.substr(0, 4'096),
          longest.substr(30'000, 2'047),
          shorter,
          shorter.substr(1),
          shorter.substr(0, 1'023),
          repeats,
          longest.substr(most - 33),
          shorter.substr(500, 12),
          shorter.substr(500, 12),
          middle.substr(2'000, 7)};
}

// Changes one letter: the first, the last, one at a border of words, or any.
void spoil(Random& random, std::string& copy) {
  const std::size_t last = copy.size() - 1;
  std::size_t at = random.below(copy.size());
  if (random.chance(20)) at = 0;
  if (random.chance(20)) at = last;
  if (random.chance(20)) at = std::min(last, at / 32 * 32 + random.below(2) * 31);
  copy[at] = random.chance(20) ? 'N' : copy[at] == 'G' ? 'T' : 'G';
}

// Returns records with `bases` bases in total: patterns and their reverse complements, some with one letter changed.
// The two longest patterns come once each, because more of them would leave no room for others.
std::vector<std::string> records_of(Random& random, const std::vector<std::string>& patterns, std::size_t bases) {
  std::vector<std::string> records{""};
  std::size_t left = bases;
  for (std::size_t copies = 0; left != 0; ++copies) {
    std::string copy = copies < 2 ? patterns[copies] : patterns[random.between(3, patterns.size() - 1)];
    if (random.chance(50)) copy = oracle::reverse_complement(copy);
    if (random.chance(copies < 2 ? 30 : 60)) spoil(random, copy);
    if (random.chance(30)) copy += trial::random_letters(random, random.between(1, 200), kBases);
    if (random.chance(5)) copy += copy + copy;
    if (random.chance(5)) copy += std::string(random.between(1, 3), 'N');
    copy.resize(std::min(copy.size(), left));
    left -= copy.size();
    records.back() += copy;
    if (random.chance(10)) records.emplace_back();
  }
  return records;
}

// Searches texts of 200,000 bases, in batches much smaller than the longest pattern, a little larger, and in one batch.
std::string check_long(std::uint64_t seed, std::size_t most) {
  Random random(seed);
  oracle::Question question;
  question.patterns = long_patterns(random, most);
  conformance::Searchers searchers(question);
  for (const std::uint32_t batch_positions : {4'093U, 65'600U, 1U << 20}) {
    question.records = records_of(random, question.patterns, 200'000);
    const trial::Cuts cut{.cut_seed = random.bits(), .batch_positions = batch_positions};
    const std::string fault = searchers.check(question, random.bits(), &cut);
    if (!fault.empty()) return fmt::format("batches of {}: {}", batch_positions, fault.substr(0, 1'000));
  }
  return "";
}

// Searches random texts for random patterns of 1 to `most` letters.
std::string check_short(std::uint64_t seed, std::size_t most) {
  Random random(seed);
  oracle::Question question = trial::random_question(random, {}, {});
  const std::size_t count = random.chance(50) ? random.between(1, 4) : random.between(5, 150);
  for (std::size_t p = 0; p < count; ++p) {
    const bool again = p != 0 && random.chance(10);
    question.patterns.push_back(again ? random.pick(question.patterns)
                                      : trial::random_letters(random, random.between(1, most), kBases));
  }
  conformance::Searchers searchers(question);
  for (int text = 0; text < 4; ++text) {
    question.records = trial::random_records(random, static_cast<trial::TextShape>(random.below(trial::kTextShapes)));
    trial::plant(random, question.patterns, question.records);
    const std::string fault = searchers.check(question, random.bits());
    if (!fault.empty()) return fmt::format("text {} of the set: {}", text, fault);
  }
  return "";
}

}  // namespace

TEST_CASE("long patterns and short ones: the same hits and counts as the oracle", "[matcher]") {
  for (std::uint64_t i = 0; i < 3; ++i) {
    const std::uint64_t seed = support::test_seed() + i;
    const std::string fault = check_long(seed, 65'536);
    if (!fault.empty()) FAIL(fault << "\nrepeat with BASESWEEP_TEST_SEED=" << seed);
  }
}

TEST_CASE("patterns longer than most algorithms take: the same hits and counts as the oracle", "[matcher]") {
  const std::string fault = check_long(support::test_seed(), 70'001);
  if (!fault.empty()) FAIL(fault << "\nrepeat with BASESWEEP_TEST_SEED=" << support::test_seed());
}

TEST_CASE("patterns of at most 16 and of at most 32 letters: the same hits and counts as the oracle", "[matcher]") {
  const std::uint64_t wanted = support::test_cases(2'000);
  const std::uint64_t before = support::tally().total();
  for (std::uint64_t seed = support::test_seed(); support::tally().total() - before < wanted; ++seed) {
    const std::string fault = check_short(seed, seed % 2 == 0 ? 16 : 32);
    if (!fault.empty()) FAIL(fault << "\nrepeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1");
  }
}

}  // namespace basesweep::test_long
