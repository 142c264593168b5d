// Alignment paths: they have the cost of the hit, and the tie rule chooses one of them.
#include "lib/align/trace.hpp"

#include <fmt/format.h>

#include "lib/align/text_sets.hpp"
#include "lib/base/error.hpp"
#include "lib/oracle/approximate.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/oracle/trial/mutate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/trace.hpp"

namespace basesweep::test_trace {

using support::trace;

namespace {

// The sets of queries, which only view them.
std::vector<BaseSet> sets_of(const std::string& letters) {
  std::vector<BaseSet> sets;
  for (const char c : letters) sets.push_back(iupac_set(c));
  return sets;
}

Query query(const std::vector<BaseSet>& sets, Limits limits) { return {0, Strand::plus, true, sets, limits}; }

std::string text_of(std::span<const CigarRun> runs) {
  std::string text;
  for (const CigarRun& run : runs) text += fmt::format("{}{}", run.length, run.op);
  return text;
}

std::string traced(const std::string& pattern, const std::string& text, Limits limits) {
  const std::vector<BaseSet> sets = sets_of(pattern);
  return text_of(trace(query(sets, limits), text));
}

// The path of least (edits, indels) through the full matrix, found from the right end: the diagonal before D before I.
std::vector<CigarRun> full_matrix_path(const std::string& pattern, const std::string& text) {
  const auto matches = [&](std::size_t i, std::size_t j) { return (iupac_set(pattern[i]) & base_set(text[j])) != 0; };
  std::vector<std::vector<Cost>> costs(pattern.size() + 1, std::vector<Cost>(text.size() + 1, Cost{0, 0}));
  const auto with_indel = [](Cost cost) { return Cost{cost.edits + 1, cost.indels + 1}; };
  const auto along = [&](std::size_t i, std::size_t j) {
    const Cost before = costs[i - 1][j - 1];
    return Cost{before.edits + (matches(i - 1, j - 1) ? 0 : 1), before.indels};
  };
  for (std::size_t i = 0; i <= pattern.size(); ++i) {
    for (std::size_t j = 0; j <= text.size(); ++j) {
      if (i + j == 0) continue;
      Cost least = kNoAlignment;
      if (i != 0) least = std::min(least, with_indel(costs[i - 1][j]));
      if (j != 0) least = std::min(least, with_indel(costs[i][j - 1]));
      if (i != 0 && j != 0) least = std::min(least, along(i, j));
      costs[i][j] = least;
    }
  }
  std::vector<CigarRun> runs;
  const auto add = [&](char op) {
    if (runs.empty() || runs.back().op != op) runs.push_back({0, op});
    ++runs.back().length;
  };
  for (std::size_t i = pattern.size(), j = text.size(); i + j != 0;) {
    if (i != 0 && j != 0 && along(i, j) == costs[i][j]) {
      add(matches(--i, --j) ? '=' : 'X');
    } else if (j != 0 && with_indel(costs[i][j - 1]) == costs[i][j]) {
      add('D');
      --j;
    } else {
      add('I');
      --i;
    }
  }
  std::reverse(runs.begin(), runs.end());
  return runs;
}

Limits edits(std::uint32_t k) { return {.edits = k, .mismatches = k, .indels = k}; }

}  // namespace

TEST_CASE("paths by hand") {
  CHECK(traced("ACGT", "ACGT", edits(0)) == "4=");
  CHECK(traced("ACGT", "ACNT", edits(1)) == "2=1X1=");
  CHECK(traced("NCGT", "NCGT", edits(1)) == "1X3=");
  CHECK(traced("ACGT", "AGT", edits(1)) == "1=1I2=");
  CHECK(traced("ACGT", "ACAGT", edits(1)) == "2=1D2=");
  CHECK(traced("ACGT", "CCCC", edits(2)).empty());
  CHECK(traced("ACGT", "AC", edits(1)).empty());
  CHECK(traced("ACGT", "", edits(3)).empty());
  // Indels lie as far left as possible.
  CHECK(traced("CAAAAG", "CAAAG", edits(1)) == "1=1I4=");
  CHECK(traced("CAAAAG", "CAAAAAAG", edits(2)) == "1=2D5=");
  CHECK(traced("CACACAG", "CACAG", edits(2)) == "2I5=");
  // Two mismatches or two indels: fewer indels win.
  CHECK(traced("ACGT", "AGCT", edits(2)) == "1=2X1=");
}

TEST_CASE("limits and clamps change the path") {
  CHECK(traced("ACGT", "AGCT", {.edits = 2, .mismatches = 0, .indels = 2}) == "1=1I1=1D1=");
  CHECK(traced("ACGT", "AGCT", {.edits = 2, .mismatches = 1, .indels = 1}).empty());
  CHECK(traced("AAAC", "AAC", {.edits = 1, .mismatches = 1, .indels = 1, .clamp_left = 2}) == "2=1I1=");
  CHECK(traced("AAAC", "AAC", {.edits = 1, .mismatches = 1, .indels = 1, .clamp_left = 2, .clamp_right = 2}).empty());
  CHECK(traced("ACGT", "AACGT", {.edits = 1, .mismatches = 1, .indels = 1, .clamp_left = 1}) == "1=1D3=");
  CHECK(traced("CCGT", "ACCGT", {.edits = 1, .mismatches = 1, .indels = 1, .clamp_left = 1}).empty());
}

TEST_CASE("long patterns with many edits") {
  trial::Random random(support::test_seed());
  const std::string pattern = trial::random_letters(random, 2048, "ACGT");
  std::string text = pattern;
  for (int i = 0; i < 60; ++i) {
    text.erase(random.below(text.size()), 1);
    text.insert(random.below(text.size()), "G");
  }
  const std::vector<BaseSet> sets = sets_of(pattern);
  const std::vector<CigarRun> runs = trace(query(sets, edits(2047)), text);
  std::uint32_t positions = 0;
  std::uint32_t letters = 0;
  std::uint32_t cost = 0;
  for (const CigarRun& run : runs) {
    if (run.op != 'D') positions += run.length;
    if (run.op != 'I') letters += run.length;
    if (run.op != '=') cost += run.length;
  }
  CHECK(positions == pattern.size());
  CHECK(letters == text.size());
  CHECK(cost <= 120);
}

TEST_CASE("small cases: the first of all paths in the order of the tie rule") {
  const std::uint64_t cases = support::test_cases(20'000);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    trial::Random random(seed);
    const std::string alphabet = random.chance(50) ? "AC" : "ACGT";
    const std::string pattern = trial::random_letters(random, random.between(1, 9), alphabet + "N");
    const std::string text = trial::random_letters(random, random.between(1, 12), random.chance(20) ? "ACN" : alphabet);
    const std::uint32_t most = static_cast<std::uint32_t>(std::min<std::size_t>(pattern.size() - 1, 5));
    Limits limits = edits(static_cast<std::uint32_t>(random.below(most + 1)));
    if (random.chance(30)) limits.mismatches = static_cast<std::uint32_t>(random.below(limits.edits + 1));
    if (random.chance(30)) limits.indels = static_cast<std::uint32_t>(random.below(limits.edits + 1));
    limits.edits = std::min(limits.edits, limits.mismatches + limits.indels);
    if (random.chance(30)) limits.clamp_left = static_cast<std::uint32_t>(random.below(pattern.size() + 1));
    if (random.chance(30)) {
      limits.clamp_right = static_cast<std::uint32_t>(random.below(pattern.size() - limits.clamp_left + 1));
    }
    const oracle::ApproximateQuestion question{
        .exact = {.records = {text}, .patterns = {pattern}, .strands = oracle::Strands::plus},
        .edits = {limits.edits},
        .max_mismatches = limits.mismatches,
        .max_indels = limits.indels,
        .clamp_5prime = limits.clamp_left,
        .clamp_3prime = limits.clamp_right,
        .report = oracle::Report::all};
    std::string expected;
    for (const oracle::ApproximateHit& hit : oracle::search(question)) {
      if (hit.start == 0 && static_cast<std::size_t>(hit.end) == text.size()) expected = oracle::cigar(question, hit);
    }
    const std::string found = traced(pattern, text, limits);
    if (found == expected) continue;
    FAIL("\"" << found << "\", not \"" << expected << "\": pattern = \"" << pattern << "\"; text = \"" << text
              << fmt::format("\"; limits = {{{}, {}, {}, {}, {}}}", limits.edits, limits.mismatches, limits.indels,
                             limits.clamp_left, limits.clamp_right)
              << "\nrepeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1");
  }
}

TEST_CASE("paths of hundreds of edits: the first path of the full matrix") {
  trial::Random random(support::test_seed());
  for (const std::size_t mismatches : {100U, 124U, 130U, 300U}) {
    const std::string pattern = trial::random_letters(random, 600, "ACGT");
    std::string text = pattern;
    for (std::size_t i = 0; i < mismatches; ++i) text[2 * i] = text[2 * i] == 'A' ? 'C' : 'A';
    text.erase(550, 2);
    CHECK(traced(pattern, text, edits(500)) == text_of(full_matrix_path(pattern, text)));
  }
}

TEST_CASE("a cost that no path has is refused") {
  Tracer tracer;
  const std::vector<BaseSet> sets = sets_of("ACGTACGTAC");
  for (const Cost cost : {Cost{1, 1}, Cost{3, 3}, Cost{7, 7}, Cost{2, 1}, Cost{9, 8}})
    CHECK_THROWS_AS(tracer.trace(query(sets, edits(10)), "ACGTACGT", cost), DataError);
}

TEST_CASE("bands of all widths: the first path of the full matrix") {
  const std::uint64_t cases = support::test_cases(2000);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    trial::Random random(seed);
    const std::string alphabet = random.chance(50) ? "AC" : "ACGT";
    const std::string pattern = trial::random_letters(random, random.between(20, 60), alphabet + "N");
    std::string text = pattern;
    const std::uint64_t at = random.below(text.size());
    if (random.chance(50)) {
      text.insert(at, trial::random_letters(random, random.below(40), alphabet));
    } else {
      text.erase(at, random.below(40));
    }
    text = trial::mutate(random, text, random.below(8), alphabet + "N");
    if (text.empty()) continue;
    const Limits limits = edits(static_cast<std::uint32_t>(pattern.size() + text.size()));
    const std::string expected = text_of(full_matrix_path(pattern, text));
    const std::string found = traced(pattern, text, limits);
    if (found == expected) continue;
    FAIL("\"" << found << "\", not \"" << expected << "\": pattern = \"" << pattern << "\"; text = \"" << text
              << "\"\nrepeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1");
  }
}

TEST_CASE("reads: the same path as a query of their bases") {
  const std::uint64_t cases = support::test_cases(3000);
  Tracer tracer;
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    trial::Random random(seed);
    const std::string alphabet = random.chance(30) ? "ACGTNM" : "ACGT";
    const std::string read = trial::random_letters(random, random.between(1, 60), alphabet);
    const std::string text = trial::mutate(random, read, random.below(4), alphabet);
    std::vector<BaseSet> sets = sets_of(read);
    for (BaseSet& position : sets) position = is_single_base(position) ? position : BaseSet{0};
    const Query bases = query(sets, edits(static_cast<std::uint32_t>(read.size())));
    const std::string expected = text_of(trace(bases, text));
    if (expected.empty()) continue;
    Cost cost{0, 0};
    for (const CigarRun& run : trace(bases, text)) {
      if (run.op != '=') cost.edits += run.length;
      if (run.op == 'I' || run.op == 'D') cost.indels += run.length;
    }
    const std::string found = text_of(tracer.trace(read, text, cost));
    if (found == expected) continue;
    FAIL("\"" << found << "\", not \"" << expected << "\": read = \"" << read << "\"; text = \"" << text
              << "\"\nrepeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1");
  }
}

TEST_CASE("without indels: the diagonal, letter by letter") {
  trial::Random random(support::test_seed());
  Tracer tracer;
  for (std::uint64_t i = 0; i < support::test_cases(3000); ++i) {
    const std::string pattern = trial::random_letters(random, random.between(1, 200), "ACGTRYN");
    std::string text = pattern;
    for (char& letter : text) {
      if (random.chance(30)) letter = trial::random_letters(random, 1, "ACGTN")[0];
    }
    const std::vector<BaseSet> sets = sets_of(pattern);
    std::vector<CigarRun> expected;
    Cost cost{0, 0};
    for (std::size_t at = 0; at < text.size(); ++at) {
      const bool match = iupac_set(pattern[at]) != 0 && is_single_base(iupac_set(text[at])) &&
                         (iupac_set(pattern[at]) & iupac_set(text[at])) != 0;
      const char op = match ? '=' : 'X';
      if (!match) ++cost.edits;
      if (expected.empty() || expected.back().op != op) expected.push_back({0, op});
      ++expected.back().length;
    }
    const auto found = tracer.trace(query(sets, edits(cost.edits)), text, cost);
    if (std::vector<CigarRun>(found.begin(), found.end()) == expected) continue;
    FAIL(text_of(found) << ", not " << text_of(expected) << ": " << pattern << " in " << text);
  }
}

}  // namespace basesweep::test_trace
