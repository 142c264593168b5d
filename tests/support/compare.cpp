#include "tests/support/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>
#include <utility>

namespace support {

using namespace basesweep;

namespace {

std::string show(const oracle::Hit& hit) {
  return fmt::format("record {}, [{}, {}), pattern {}, strand {}", hit.record, hit.start, hit.end, hit.pattern,
                     hit.strand);
}

// The place of a batch's hit in the input, by the definition of pieces.
oracle::Hit place(const PackedBatch& batch, const PatternSet& set, BatchHit hit) {
  const std::vector<Piece>& pieces = batch.pieces();
  const auto after = std::upper_bound(pieces.begin(), pieces.end(), hit_column(hit),
                                      [](std::uint32_t column, const Piece& piece) { return column < piece.column; });
  if (after == pieces.begin()) throw std::logic_error("a hit before the first piece");
  const Piece& piece = *std::prev(after);
  const Entry& entry = set.entries().at(hit_entry(hit));
  const std::int64_t start = piece.offset + (hit_column(hit) - piece.column);
  return {piece.record, start, start + static_cast<std::int64_t>(entry.columns.size()), strand_letter(entry.strand),
          entry.pattern};
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
    for (const BatchHit hit : results[b].hits) found.push_back(place(*batches[b], set, hit));
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
  std::vector<std::uint64_t> counts(set.entries().size());
  for (const MatchResult& result : match_all(matcher, batches)) {
    if (result.counts.size() != counts.size()) return fmt::format("{} counts", result.counts.size());
    for (std::size_t e = 0; e < counts.size(); ++e) counts[e] += result.counts[e];
  }
  std::map<std::pair<std::size_t, char>, std::uint64_t> wanted;
  for (const oracle::Hit& hit : expected) ++wanted[{hit.pattern, hit.strand}];
  for (std::size_t e = 0; e < counts.size(); ++e) {
    const Entry& entry = set.entries()[e];
    const char strand = strand_letter(entry.strand);
    if (counts[e] == wanted[{entry.pattern, strand}]) continue;
    return fmt::format("pattern {}, strand {}: counted {}, expected {}", entry.pattern, strand, counts[e],
                       wanted[{entry.pattern, strand}]);
  }
  return "";
}

}  // namespace support
