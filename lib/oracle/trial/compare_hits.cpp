#include "lib/oracle/trial/compare_hits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>
#include <utility>

namespace trial {

using namespace basesweep;

namespace {

std::string show(const oracle::Hit& hit) {
  return fmt::format("record {}, [{}, {}), pattern {}, strand {}", hit.record, hit.start, hit.end, hit.pattern,
                     hit.strand);
}

// The hit that an occurrence of a batch stands for, worked out from the definition of segments alone.
oracle::Hit place(const PackedBatch& batch, const PatternSet& set, Occurrence occurrence) {
  const std::vector<Segment>& segments = batch.segments();
  const auto after =
      std::upper_bound(segments.begin(), segments.end(), occurrence_position(occurrence),
                       [](std::uint32_t position, const Segment& segment) { return position < segment.position; });
  if (after == segments.begin()) throw std::logic_error("an occurrence before the first segment");
  const Segment& segment = *std::prev(after);
  const Query& query = set.queries().at(occurrence_query(occurrence));
  const std::int64_t start = segment.offset + (occurrence_position(occurrence) - segment.position);
  return {segment.record, start, start + static_cast<std::int64_t>(query.sets.size()), strand_letter(query.strand),
          query.pattern};
}

}  // namespace

PatternSet pattern_set(const oracle::Question& question) {
  std::vector<Pattern> patterns;
  for (const std::string& letters : question.patterns)
    patterns.push_back({fmt::format("p{}", patterns.size()), letters});
  const StrandChoice strands[] = {StrandChoice::both, StrandChoice::plus, StrandChoice::minus};
  return {std::move(patterns), strands[static_cast<int>(question.strands)],
          question.palindromes_twice ? PalindromeChoice::both : PalindromeChoice::once};
}

std::string compare_hits(Matcher& matcher, const Batches& batches, const PatternSet& set,
                         const std::vector<oracle::Hit>& expected) {
  std::vector<oracle::Hit> found;
  const std::vector<MatchResult> results = match_all(matcher, batches);
  for (std::size_t b = 0; b < batches.size(); ++b) {
    for (const Occurrence occurrence : results[b].occurrences) found.push_back(place(*batches[b], set, occurrence));
  }
  const std::size_t common = std::min(found.size(), expected.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (found[i] == expected[i]) continue;
    return fmt::format("hit {}: found {}, expected {}", i, show(found[i]), show(expected[i]));
  }
  if (found.size() > common) return "one hit too many: " + show(found[common]);
  if (expected.size() > common) return "missing: " + show(expected[common]);
  return "";
}

std::string compare_counts(Matcher& matcher, const Batches& batches, const PatternSet& set,
                           const std::vector<oracle::Hit>& expected) {
  std::vector<std::uint64_t> counts(set.queries().size());
  for (const MatchResult& result : match_all(matcher, batches)) {
    if (result.counts.size() != counts.size()) return fmt::format("{} counts", result.counts.size());
    for (std::size_t e = 0; e < counts.size(); ++e) counts[e] += result.counts[e];
  }
  std::map<std::pair<std::size_t, char>, std::uint64_t> wanted;
  for (const oracle::Hit& hit : expected) ++wanted[{hit.pattern, hit.strand}];
  for (std::size_t e = 0; e < counts.size(); ++e) {
    const Query& query = set.queries()[e];
    const char strand = strand_letter(query.strand);
    if (counts[e] == wanted[{query.pattern, strand}]) continue;
    return fmt::format("pattern {}, strand {}: counted {}, expected {}", query.pattern, strand, counts[e],
                       wanted[{query.pattern, strand}]);
  }
  return "";
}

}  // namespace trial
