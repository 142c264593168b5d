// NM and MD, as samtools calmd computes them.
#include "lib/writer/differences.hpp"

#include "tests/support/catch.hpp"

using namespace basesweep;

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
