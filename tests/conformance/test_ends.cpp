// Approximate matchers on single batches find the same ends as the full dynamic programming matrix.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "lib/oracle/trial/compare_ends.hpp"
#include "lib/oracle/trial/mutate.hpp"
#include "lib/oracle/trial/random.hpp"
#include "tests/conformance/searcher.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/tally.hpp"

namespace basesweep::test_ends {

namespace {

using trial::Random;

struct Case {
  std::string text;  // A, C, G, T
  std::vector<std::string> patterns;
  EditOptions edits;
};

std::string literal(const Case& c) {
  std::string patterns;
  for (const std::string& p : c.patterns) patterns += fmt::format("\"{}\", ", p);
  return fmt::format("text = \"{}\"; patterns = {{{}}}; edits = {}, max_indels = {}", c.text, patterns,
                     c.edits.edits.value_or(0), c.edits.max_indels ? std::to_string(*c.edits.max_indels) : "any");
}

std::string letters(Random& random, std::size_t length, const std::string& alphabet) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += alphabet[random.below(alphabet.size())];
  return text;
}

constexpr std::size_t kMaxLength = 2048;    // all but pigeonhole and bitsliced take it
constexpr std::uint64_t kCasesForAll = 50;  // enough for each target to get one
constexpr std::size_t kLongText = 1'000'000;

std::string random_text(Random& random) {
  // Only the strips of a GPU are longer than the texts below.
  if (random.below(100) == 0 && support::on_gpu()) {
    return letters(random, random.between(kLongText, 2 * kLongText), "ACGT");
  }
  const std::size_t length = random.chance(10)  ? random.between(0, 40)
                             : random.chance(4) ? random.between(20'000, 80'000)
                                                : random.between(1, 3000);
  if (random.chance(20)) {
    const std::string unit = letters(random, random.between(1, 6), "ACGT");
    std::string text;
    while (text.size() < length) text += random.chance(3) ? letters(random, 1, "ACGT") : unit;
    return text.substr(0, length);
  }
  return letters(random, length, random.chance(20) ? "AC" : "ACGT");
}

std::size_t random_length(Random& random, std::uint32_t edits, std::size_t positions) {
  std::size_t length = 0;
  if (positions >= kLongText) {
    length = random.between(12, 40);
  } else if (positions < 5000 && random.below(200) == 0) {
    length = random.chance(30) ? kMaxLength : random.between(1100, kMaxLength);
  } else if (random.chance(25)) {
    length = random.pick(std::vector<std::size_t>{1, 2, 11, 12, 13, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129});
  } else if (random.chance(4)) {
    length = random.between(200, 1100);
  } else {
    length = random.chance(70) ? random.between(12, 40) : random.between(1, 100);
  }
  return std::max<std::size_t>(length, edits + 1);
}

Case random_case(Random& random) {
  Case c;
  c.edits.edits = static_cast<std::uint32_t>(random.chance(80)   ? random.below(5)
                                             : random.chance(80) ? random.below(11)
                                                                 : random.below(100));
  if (random.chance(25)) c.edits.max_indels = 0;
  c.text = random_text(random);
  const bool long_text = c.text.size() >= kLongText;
  if (long_text) c.edits.edits = std::min(*c.edits.edits, 4U);  // with more, almost every position is an end
  const std::size_t count = long_text           ? random.between(1, 2)
                            : random.chance(50) ? 1
                            : random.chance(80) ? random.between(2, 8)
                                                : random.between(9, 120);
  const bool iupac = random.chance(30);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t length = random_length(random, *c.edits.edits, c.text.size());
    std::string pattern = random.chance(70) || c.text.empty() ? letters(random, length, "ACGT")
                                                              : c.text.substr(random.below(c.text.size()), length);
    while (pattern.size() < length) pattern += 'A';
    const std::string planted = trial::mutate(random, pattern, random.below(*c.edits.edits + 2));
    if (iupac && random.chance(60)) {
      for (std::size_t n = random.between(1, 4); n-- != 0;) {
        pattern[random.below(length)] = "ACGTRYSWKMBDHVN"[random.below(15)];
      }
    }
    for (int copies = 0; copies < 2 && c.text.size() >= planted.size() && random.chance(70); ++copies) {
      // Often at the ends of words, strips and batches.
      std::size_t at = random.below(c.text.size() - planted.size() + 1);
      if (random.chance(30)) at = at / 64 * 64;
      if (random.chance(10)) at = c.text.size() - planted.size();
      if (random.chance(10)) at = 0;
      c.text.replace(at, planted.size(), planted);
    }
    c.patterns.push_back(std::move(pattern));
  }
  return c;
}

std::string check_case(std::uint64_t seed) {
  Random random(seed);
  Case c = random_case(random);
  std::vector<Pattern> patterns;
  for (const std::string& p : c.patterns) patterns.push_back({fmt::format("p{}", patterns.size()), p});
  const PatternSet set(patterns, random.chance(60) ? StrandChoice::both : StrandChoice::plus, PalindromeChoice::once,
                       c.edits);
  const trial::Ends expected = trial::expected_ends(set, c.text);
  for (const support::Target& target : support::approximate_targets()) {
    std::string fault;
    try {
      const auto matcher =
          conformance::make_matcher(target, set, conformance::may_decline(target, c.edits), Output::occurrences);
      if (matcher == nullptr) continue;
      const auto batch = trial::text_batch(c.text, set, matcher->memory());
      fault = trial::compare_ends(*matcher, target.algorithm, *batch, set, expected);
    } catch (const std::exception& error) {
      fault = std::string("exception: ") + error.what();
    }
    if (!fault.empty()) return target.name + ": " + fault + "\n" + literal(c);
    support::tally().ran(target.name);
  }
  return "";
}

// Sets so large, or of so large an input, that tables of long grams pay: their lists of entries are long.
constexpr std::int64_t kLargeInput = 100'000'000'000;

struct LargeSet {
  std::string text;
  std::vector<Pattern> patterns;
};

LargeSet large_set(Random& random, std::size_t positions, int count, std::size_t max_length, std::uint32_t edits) {
  LargeSet large;
  large.text = letters(random, positions, "ACGT");
  large.text.replace(positions / 2, 200, std::string(200, 'A'));
  for (int n = 0; n < count; ++n) {
    const std::size_t length = random.chance(80) ? 20 : random.between(12, max_length);
    std::string pattern = random.chance(50) ? letters(random, length, "ACGT")
                                            : large.text.substr(random.below(positions - length + 1), length);
    pattern = trial::mutate(random, pattern, random.below(edits + 2)) + "ACGTACGTACGT";
    pattern.resize(length);
    if (random.chance(30)) pattern += "NGG";
    if (random.chance(2)) pattern.assign(length, 'A');
    // Hits at the ends of the text too.
    if (random.chance(5)) large.text.replace(0, length - 1, pattern, 1, length - 1);
    if (random.chance(5)) large.text.replace(positions - length + 1, length - 1, pattern, 0, length - 1);
    large.patterns.push_back({fmt::format("p{}", n), pattern});
  }
  return large;
}

// A base that the letter of a pattern stands for.
char letter_of(Random& random, char letter) {
  while (true) {
    const char base = "ACGT"[random.below(4)];
    if ((pattern_letter_set(letter) & pattern_letter_set(base)) != 0) return base;
  }
}

void check_ends(Matcher& matcher, const support::Target& target, const PatternSet& set, const std::string& text,
                const trial::Ends& expected) {
  const auto batch = trial::text_batch(text, set, matcher.memory());
  CHECK(trial::compare_ends(matcher, target.algorithm, *batch, set, expected) == "");
  support::tally().ran(target.name);
}

}  // namespace

TEST_CASE("large sets with mismatches: the same ends as a count at each position", "[ends]") {
  const std::uint64_t cases = support::test_cases(6);
  for (std::uint64_t i = 0; i < cases; ++i) {
    Random random(support::test_seed() + i);
    EditOptions edits;
    edits.edits = static_cast<std::uint32_t>(random.between(2, 7));
    edits.max_indels = 0;
    const auto [text, patterns] = large_set(random, 6'000, 400, 70, *edits.edits);
    const PatternSet set(patterns, StrandChoice::both, PalindromeChoice::once, edits);
    const trial::Ends expected = trial::expected_mismatches(set, text);
    for (const support::Target& target : support::approximate_targets()) {
      if (!trial::counts_mismatches(target.algorithm, set.queries()[0])) continue;
      INFO(target.name << ", case " << i);
      const auto matcher = conformance::make_matcher(target, set, false, Output::occurrences, kLargeInput);
      check_ends(*matcher, target, set, text, expected);
    }
  }
}

TEST_CASE("a short pattern among long ones, at the first and last positions of a text", "[ends]") {
  Random random(support::test_seed());
  constexpr std::size_t kShort = 20;
  EditOptions edits;
  edits.edits = 3;
  edits.max_indels = 0;
  std::vector<Pattern> patterns{{"short", letters(random, kShort, "ACGT")}};
  while (patterns.size() < 200) patterns.push_back({fmt::format("p{}", patterns.size()), letters(random, 60, "ACGT")});
  const PatternSet set(patterns, StrandChoice::both, PalindromeChoice::once, edits);
  for (std::size_t start = 0; start < 16; ++start) {
    for (const std::size_t mismatched : {std::size_t{0}, kShort / 2}) {  // only the other half of it is a seed
      std::string planted = patterns[0].sequence;
      for (const std::size_t i : {1, 4, 7}) planted[mismatched + i] = planted[mismatched + i] == 'A' ? 'C' : 'A';
      std::string text = letters(random, 300, "ACGT");
      text.replace(start, kShort, planted);
      text.replace(text.size() - start - kShort, kShort, planted);
      const trial::Ends expected = trial::expected_mismatches(set, text);
      for (const support::Target& target : support::approximate_targets()) {
        if (!trial::counts_mismatches(target.algorithm, set.queries()[0])) continue;
        INFO(target.name << ", start " << start);
        const auto matcher = conformance::make_matcher(target, set, false, Output::occurrences, kLargeInput);
        check_ends(*matcher, target, set, text, expected);
      }
    }
  }
}

TEST_CASE("large sets with clamps: no end is lost where clamped bases match", "[ends][clamps]") {
  const std::uint64_t cases = support::test_cases(10);
  for (std::uint64_t i = 0; i < cases; ++i) {
    Random random(support::test_seed() + i);
    EditOptions edits;
    edits.edits = static_cast<std::uint32_t>(random.between(1, 6));
    edits.max_indels = 0;
    // Clamped ends that all patterns share, as PAMs, have gates; others have not.
    const std::string shared_5prime = random.pick(std::vector<std::string>{"", "", "TTTV", "GNAC", "ACGTTGCAACGT"});
    const std::string shared_3prime =
        random.pick(std::vector<std::string>{"", "NGG", "NGG", "NNGRRT", "GGATCCGAATTCA"});
    edits.clamp_5prime = static_cast<std::uint32_t>(shared_5prime.size() + (random.chance(20) ? random.below(5) : 0));
    edits.clamp_3prime = static_cast<std::uint32_t>(shared_3prime.size() + (random.chance(20) ? random.below(5) : 0));
    auto [text, patterns] = large_set(random, 6'000, 400, 40, *edits.edits);
    for (Pattern& pattern : patterns) {
      pattern.sequence = shared_5prime + pattern.sequence + shared_3prime;
      if (random.chance(1)) pattern.clamp_3prime = 0;
      if (!random.chance(20)) continue;
      // A hit that obeys the clamps, some of them at the ends of the text.
      std::string planted;
      for (const char letter : pattern.sequence) planted += letter_of(random, letter);
      const std::size_t unclamped = planted.size() - edits.clamp_5prime - edits.clamp_3prime;
      for (std::uint32_t n = 0; n < *edits.edits; ++n) {
        planted[edits.clamp_5prime + random.below(unclamped)] = "ACGT"[random.below(4)];
      }
      const std::size_t last = text.size() - planted.size();
      text.replace(random.chance(10) ? 0 : random.chance(10) ? last : random.below(last), planted.size(), planted);
    }
    const PatternSet set(patterns, StrandChoice::both, PalindromeChoice::once, edits);
    const trial::Ends expected = trial::expected_mismatches(set, text);
    for (const support::Target& target : support::approximate_targets()) {
      if (!trial::counts_mismatches(target.algorithm, set.queries()[0])) continue;
      INFO(target.name << ", case " << i << ": " << *edits.edits << " edits, clamps " << edits.clamp_5prime << " and "
                       << edits.clamp_3prime);
      const auto matcher = conformance::make_matcher(target, set, true, Output::occurrences, kLargeInput);
      if (matcher == nullptr) continue;
      check_ends(*matcher, target, set, text, expected);
    }
  }
}

// With so little memory the table has words of 4 bases, each with more than a hundred entries. Some of these pass at
// every position of the poly-A.
TEST_CASE("large sets in small tables: long lists of entries", "[ends]") {
  const std::uint64_t cases = support::test_cases(3);
  for (std::uint64_t i = 0; i < cases; ++i) {
    Random random(support::test_seed() + i);
    EditOptions edits;
    edits.edits = 2;
    edits.max_indels = 0;
    std::vector<Pattern> patterns;
    while (patterns.size() < 5'000)
      patterns.push_back({fmt::format("p{}", patterns.size()), letters(random, 12, "ACGT")});
    for (std::size_t n = 0; n < 50; ++n)
      patterns[n].sequence = std::string(n % 12, 'A') + "C" + std::string(11 - n % 12, 'A');
    const std::string text = letters(random, 1'500 + random.below(64), "ACGT") + std::string(200, 'A') +
                             letters(random, random.below(64), "ACGT");
    const PatternSet set(patterns, StrandChoice::both, PalindromeChoice::once, edits);
    const trial::Ends expected = trial::expected_mismatches(set, text);
    for (const support::Target& target : support::approximate_targets()) {
      if (target.algorithm != Algorithm::neighbors) continue;
      INFO(target.name << ", case " << i);
      std::string said;
      MatcherOptions options;
      options.algorithm = target.algorithm;
      options.device = target.device;
      options.isa = target.isa;
      options.table_bytes = 400'000;
      options.log = [&](const std::string& line) { said += line + "\n"; };
      const auto matcher = make_matcher(set, options);
      check_ends(*matcher, target, set, text, expected);
      CHECK(said.find(" words of 4 bases") != std::string::npos);  // a GPU makes its table when it is needed
    }
  }
}

TEST_CASE("large sets with indels: the same ends as the full matrix", "[ends]") {
  const std::uint64_t cases = support::test_cases(10);
  for (std::uint64_t i = 0; i < cases; ++i) {
    Random random(support::test_seed() + i);
    EditOptions edits;
    const auto k = static_cast<std::uint32_t>(random.between(1, 5));
    auto [text, patterns] = large_set(random, 2'000, 60, 40, k);
    if (random.chance(50)) {
      edits.edits = k;
    } else {
      edits.rate = static_cast<double>(k) / 24;  // so that short patterns have fewer edits
    }
    const PatternSet set(patterns, StrandChoice::both, PalindromeChoice::once, edits);
    const trial::Ends expected = trial::expected_ends(set, text);
    for (const support::Target& target : support::approximate_targets()) {
      if (target.algorithm != Algorithm::neighbors) continue;
      INFO(target.name << ", case " << i << ", k = " << k);
      const auto matcher = conformance::make_matcher(target, set, true, Output::occurrences, kLargeInput);
      if (matcher == nullptr) continue;
      check_ends(*matcher, target, set, text, expected);
    }
  }
}

TEST_CASE("random texts and patterns: the same ends as the full matrix", "[ends]") {
  const std::uint64_t cases = support::test_cases(support::on_gpu() ? 1500 : 2000);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    const std::string fault = check_case(seed);
    if (fault.empty()) continue;
    FAIL(fault << "\nrepeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1");
  }
  if (cases < kCasesForAll) return;
  for (const support::Target& target : support::approximate_targets()) {
    INFO(target.name);
    CHECK(support::tally().ran_by(target.name) > 0);
  }
}

}  // namespace basesweep::test_ends
