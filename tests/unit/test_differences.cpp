// NM and MD, as samtools calmd computes them.
#include "lib/writer/differences.hpp"

#include <string>
#include <utility>

#include "lib/oracle/trial/generate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_differences {

namespace {

std::string found(const std::string& query, const std::string& letters, const std::vector<CigarRun>& cigar) {
  Differences differences{7, "before"};
  find_differences(query, letters, cigar, differences);
  return std::to_string(differences.count) + " " + differences.text;
}

}  // namespace

TEST_CASE("differences") {
  CHECK(found("ACGT", "ACGT", {{4, '='}}) == "0 4");
  CHECK(found("ACGT", "AGCT", {{1, '='}, {2, 'X'}, {1, '='}}) == "2 1G0C1");
  CHECK(found("ACGT", "TCGA", {{1, 'X'}, {2, '='}, {1, 'X'}}) == "2 0T2A0");
  CHECK(found("ACGT", "ACTTGT", {{2, '='}, {2, 'D'}, {2, '='}}) == "2 2^TT2");
  CHECK(found("ACGGT", "ACT", {{2, '='}, {2, 'I'}, {1, '='}}) == "2 3");
  CHECK(found("AACGT", "ACT", {{1, 'I'}, {2, '='}, {1, 'I'}, {1, '='}}) == "2 3");
  CHECK(found("ACT", "GACT", {{1, 'D'}, {3, '='}}) == "1 0^G3");
}

TEST_CASE("differences of IUPAC letters: equal codes match, but N does not") {
  CHECK(found("ANRA", "ANRA", {{1, '='}, {2, 'X'}, {1, '='}}) == "1 1N2");
  // The pattern's code includes the text's base.
  CHECK(found("ARNA", "AGCA", {{4, '='}}) == "2 1G0C1");
}

TEST_CASE("M for = and X") {
  std::vector<CigarRun> joined = {{9, 'S'}};
  join_matches(std::vector<CigarRun>{{2, '='}, {1, 'X'}, {3, 'D'}, {1, 'X'}, {4, '='}, {1, 'I'}, {2, '='}}, joined);
  CHECK(joined == std::vector<CigarRun>{{3, 'M'}, {3, 'D'}, {5, 'M'}, {1, 'I'}, {2, 'M'}});
}

TEST_CASE("differences without indels: one run of M says the same as = and X, at any length") {
  trial::Random random(support::test_seed());
  for (std::uint64_t i = 0; i < support::test_cases(2000); ++i) {
    const std::string query = trial::random_letters(random, random.between(1, 200), "ACGTACGTACGTRN");
    std::string letters = query;
    const int percent = random.chance(50) ? 50 : 3;
    for (char& letter : letters) {
      if (random.chance(percent)) letter = trial::random_letters(random, 1, "ACGTN")[0];
    }
    std::string text;
    int count = 0;
    int matched = 0;
    std::vector<CigarRun> runs;
    for (std::size_t at = 0; at < query.size(); ++at) {
      const bool same = query[at] == letters[at] && query[at] != 'N';
      matched += same ? 1 : 0;
      if (!same) text += std::to_string(std::exchange(matched, 0)) + letters[at];
      if (!same) ++count;
      const char op = same ? '=' : 'X';
      if (runs.empty() || runs.back().op != op) runs.push_back({0, op});
      ++runs.back().length;
    }
    const std::string expected = std::to_string(count) + " " + text + std::to_string(matched);
    CHECK(found(query, letters, runs) == expected);
    CHECK(found(query, letters, {{static_cast<std::uint32_t>(query.size()), 'M'}}) == expected);
  }
}

}  // namespace basesweep::test_differences
