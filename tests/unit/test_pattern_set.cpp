// PatternSet: its queries and their order, and the patterns that it refuses.
#include <fmt/format.h>

#include <tuple>

#include "lib/base/error.hpp"
#include "lib/oracle/naive.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/pattern_set.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_pattern_set {

using Catch::Matchers::Equals;

namespace {

PatternSet make(const std::vector<std::string>& letters, StrandChoice strands = StrandChoice::both,
                PalindromeChoice palindromes = PalindromeChoice::once) {
  std::vector<Pattern> patterns;
  for (const std::string& sequence : letters) patterns.push_back({fmt::format("p{}", patterns.size()), sequence});
  return {std::move(patterns), strands, palindromes};
}

std::string strands_of(const PatternSet& set) {
  std::string strands;
  for (const Query& query : set.queries()) strands += strand_letter(query.strand);
  return strands;
}

}  // namespace

TEST_CASE("strands of a palindrome and of another pattern") {
  CHECK(strands_of(make({"GAATTC"})) == "+");
  CHECK(strands_of(make({"GAATTC"}, StrandChoice::both, PalindromeChoice::both)) == "+-");
  CHECK(strands_of(make({"GAATTC"}, StrandChoice::plus, PalindromeChoice::both)) == "+");
  CHECK(strands_of(make({"GAATTC"}, StrandChoice::minus)) == "-");
  CHECK(strands_of(make({"GATTC"})) == "+-");
  CHECK(strands_of(make({"GATTC"}, StrandChoice::plus)) == "+");
  CHECK(strands_of(make({"GATTC"}, StrandChoice::minus)) == "-");
}

TEST_CASE("palindromes of IUPAC sets, position by position") {
  for (const char* letters : {"GANTC", "N", "NN", "RY", "SS", "W", "AU", "ACGU", "KM", "BV", "DH", "CCWGG"}) {
    INFO(letters);
    CHECK(make({letters}).palindromic(0));
  }
  for (const char* letters : {"A", "R", "RR", "GANTT", "NA", "BB", "CCSGA"}) {
    INFO(letters);
    CHECK_FALSE(make({letters}).palindromic(0));
  }
}

TEST_CASE("queries: positions on the forward text, in the order of hits") {
  trial::Random random(5);
  for (int round = 0; round < 300; ++round) {
    const auto letters = trial::random_patterns(random, trial::PatternKind::iupac, {});
    const oracle::Question question = trial::random_question(random, {}, letters);
    const StrandChoice strands[] = {StrandChoice::both, StrandChoice::plus, StrandChoice::minus};
    const PatternSet set = make(letters, strands[static_cast<int>(question.strands)],
                                question.palindromes_twice ? PalindromeChoice::both : PalindromeChoice::once);
    INFO(trial::literal(question));
    std::size_t searched = 0;
    std::size_t longest = 0;
    for (std::size_t p = 0; p < letters.size(); ++p) {
      searched += oracle::is_searched(question, p, '+') + oracle::is_searched(question, p, '-');
      longest = std::max(longest, letters[p].size());
    }
    REQUIRE(set.queries().size() == searched);
    REQUIRE(set.max_length() == longest);
    for (std::size_t e = 0; e < set.queries().size(); ++e) {
      const Query& query = set.queries()[e];
      const std::string& plus = letters[query.pattern];
      const std::string forward = query.strand == Strand::plus ? plus : oracle::reverse_complement(plus);
      REQUIRE(oracle::is_searched(question, query.pattern, strand_letter(query.strand)));
      REQUIRE(query.sets.size() == forward.size());
      for (std::size_t i = 0; i < forward.size(); ++i) REQUIRE(query.sets[i] == iupac_set(forward[i]));
      REQUIRE(query.iupac == trial::has_iupac({plus}));
      if (e == 0) continue;
      const Query& before = set.queries()[e - 1];
      const bool in_order = std::tuple(before.sets.size(), before.strand, before.pattern) <
                            std::tuple(query.sets.size(), query.strand, query.pattern);
      REQUIRE(in_order);
    }
  }
}

TEST_CASE("inosine matches any base") {
  const PatternSet set = make({"AIG"});
  const PatternSet same = make({"ANG"});
  const std::span<const BaseSet> sets = set.queries().front().sets;
  const std::span<const BaseSet> expected = same.queries().front().sets;
  CHECK(std::equal(sets.begin(), sets.end(), expected.begin(), expected.end()));
}

TEST_CASE("a pattern with several sequences has queries for each") {
  const PatternSet set = make({"TTGAA", "GAATTC|TNGGNAG|CCC"});
  CHECK(set.patterns().size() == 2);
  CHECK(strands_of(set) == "+-+-++-");  // by length; GAATTC is a palindrome
  CHECK(set.max_length() == 7);
  CHECK_FALSE(set.palindromic(1));
  CHECK(make({"GAATTC|GATC"}).palindromic(0));
  CHECK_THROWS_WITH(make({"ACGT||A"}), Equals("pattern 'p0': expected a sequence on either side of '|'"));
  CHECK_THROWS_WITH(make({"ACGT|"}), Equals("pattern 'p0': expected a sequence on either side of '|'"));
}

TEST_CASE("a pattern's own limits win over those for all") {
  const auto limits = [](Pattern pattern, const EditOptions& options) {
    return PatternSet({std::move(pattern)}, StrandChoice::plus, PalindromeChoice::once, options)
        .queries()
        .front()
        .limits;
  };
  const Pattern plain{"a", "ACGTACGTAC"};
  Pattern own = plain;
  own.edits = 3;
  own.clamp_5prime = 1;
  own.clamp_3prime = 0;
  EditOptions options{.edits = 1, .clamp_5prime = 2, .clamp_3prime = 4};
  CHECK(limits(plain, options) == Limits{1, 1, 1, 2, 4, 1, 1});
  CHECK(limits(own, options) == Limits{3, 3, 3, 1, 0, 3, 3});
  options = {.rate = 0.2, .max_indels = 1};
  CHECK(limits(plain, options) == Limits{2, 2, 1, 0, 0, 1, 1});
  CHECK(limits(own, options) == Limits{3, 3, 1, 1, 0, 1, 1});
  CHECK(limits(own, {}) == Limits{3, 3, 3, 1, 0, 3, 3});
  CHECK_THROWS_WITH(limits(plain, {}),
                    Equals("pattern 'a': has no number of edits, and there is none for all patterns"));
  own.edits = 10;
  CHECK_THROWS_WITH(limits(own, options), Equals("pattern 'a': 10 edits allowed, but it is only 10 long"));
}

TEST_CASE("patterns that every pattern set refuses") {
  CHECK_THROWS_WITH(make({"ACGT", ""}), Equals("pattern 'p1': is empty"));
  CHECK_THROWS_WITH(make({"ACXT"}), Equals("pattern 'p0': position 3: 'X' is not a nucleotide or IUPAC code"));
  CHECK_THROWS_WITH(make({"A-"}), Equals("pattern 'p0': position 2: '-' is not a nucleotide or IUPAC code"));
  CHECK_THROWS_WITH(PatternSet({{"a", "ACG"}, {"a", "CCC"}}, StrandChoice::both, PalindromeChoice::once),
                    Equals("pattern 'a': the name is used twice"));
  CHECK_THROWS_AS(make({""}), UsageError);
}

}  // namespace basesweep::test_pattern_set
