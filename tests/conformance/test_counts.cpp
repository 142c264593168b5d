// Counts of text that is one hit after the other: small counters fill up many times.
#include <fmt/format.h>

#include "tests/conformance/searcher.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_counts {

namespace {

std::string repeat(const std::string& unit, std::size_t length) {
  std::string text;
  while (text.size() < length) text += unit;
  return text;
}

std::uint64_t count_in(const std::string& text, const std::string& pattern) {
  std::uint64_t count = 0;
  for (auto at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("counts of repeats: every position is a hit", "[matcher]") {
  // A block of a GPU takes some 2^18 positions of a text of this length, so that each state is counted over 2^16 times.
  constexpr std::size_t kLength = 300'000;
  const std::string text = repeat("A", 2 * kLength) + repeat("AC", 2 * kLength) + repeat("ACGT", kLength);
  const std::vector<std::string> sequences = {"AAAAAAAA", "ACACACAC", "CACACACA", "ACGTACGT", "GTACGTAC", "CACAC"};
  for (const bool same_lengths : {true, false}) {
    std::vector<Pattern> patterns;
    for (const std::string& sequence : sequences) {
      if (!same_lengths || sequence.size() == 8) patterns.push_back({fmt::format("p{}", patterns.size()), sequence});
    }
    const PatternSet set(patterns, StrandChoice::plus, PalindromeChoice::once);
    for (const support::Target& target : support::targets()) {
      INFO(target.name << (same_lengths ? ", patterns of one length" : ""));
      const auto matcher = conformance::make_matcher(target, set, true, Output::counts);
      if (matcher == nullptr) continue;
      trial::Cuts cuts;
      cuts.batch_positions = 1U << 21;
      const trial::Batches batches =
          trial::make_batches({text}, cuts, {.isa = target.isa}, set.max_length(), matcher->memory());
      REQUIRE(batches.size() == 1);
      const MatchResult found = trial::match(*matcher, *batches[0]);
      REQUIRE(found.counts.size() == set.queries().size());
      for (std::size_t q = 0; q < found.counts.size(); ++q) {
        const std::string& sequence = set.patterns()[set.queries()[q].pattern].sequence;
        CHECK(fmt::format("{} {}", sequence, found.counts[q]) ==
              fmt::format("{} {}", sequence, count_in(text, sequence)));
      }
    }
  }
}

}  // namespace basesweep::test_counts
