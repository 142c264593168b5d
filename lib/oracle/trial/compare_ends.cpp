#include "lib/oracle/trial/compare_ends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "lib/oracle/ends.hpp"
#include "lib/oracle/naive.hpp"
#include "lib/oracle/trial/batches.hpp"

namespace trial {

using namespace basesweep;

namespace {

std::vector<std::uint32_t> at_most(const std::vector<std::size_t>& counts, std::size_t max) {
  std::vector<std::uint32_t> ends;
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    if (counts[i] <= max) ends.push_back(i);
  }
  return ends;
}

// The query's letters as they read on the forward text.
std::string forward_letters(const PatternSet& set, const Query& query) {
  const std::string& letters = set.patterns()[query.pattern].sequence;
  return query.strand == Strand::plus ? letters : oracle::reverse_complement(letters);
}

// The ends of a query with mismatches at which the clamped bases match.
std::vector<std::uint32_t> with_clamps(const std::string& letters, const Limits& limits, const std::string& text,
                                       const std::vector<std::uint32_t>& ends) {
  const std::size_t behind = letters.size() - limits.clamp_left;
  const auto left = oracle::mismatches(letters.substr(0, limits.clamp_left), text);
  const auto right = oracle::mismatches(letters.substr(letters.size() - limits.clamp_right), text);
  std::vector<std::uint32_t> kept;
  for (const std::uint32_t end : ends) {
    const bool left_matches = limits.clamp_left == 0 || left[end - behind] == 0;
    if (left_matches && (limits.clamp_right == 0 || right[end] == 0)) kept.push_back(end);
  }
  return kept;
}

// The first fault of the ends that were found for one query; "" when they are exactly the expected ones, or lack none
// but some that are not needed.
std::string compare(const std::vector<std::uint32_t>& found, const std::vector<std::uint32_t>& expected,
                    const std::vector<std::uint32_t>& needed) {
  if (found == expected) return "";
  for (const std::uint32_t end : found) {
    if (!std::binary_search(expected.begin(), expected.end(), end))
      return fmt::format("position {} is not an end", end);
  }
  for (const std::uint32_t end : needed) {
    if (std::find(found.begin(), found.end(), end) == found.end()) return fmt::format("missing: position {}", end);
  }
  const bool in_order = std::adjacent_find(found.begin(), found.end(), std::greater_equal<>()) == found.end();
  return in_order ? "" : "not sorted, or an end comes twice";
}

}  // namespace

Ends expected_mismatches(const PatternSet& set, const std::string& text) {
  Ends ends;
  for (const Query& query : set.queries()) {
    std::vector<std::uint32_t>& all = ends.with_mismatches.emplace_back();
    std::vector<std::uint32_t>& needed = ends.with_clamps.emplace_back();
    if (query.limits.indels != 0) continue;
    const std::string letters = forward_letters(set, query);
    all = at_most(oracle::mismatches(letters, text), query.limits.edits);
    needed = with_clamps(letters, query.limits, text, all);
  }
  return ends;
}

Ends expected_ends(const PatternSet& set, const std::string& text) {
  Ends ends = expected_mismatches(set, text);
  for (const Query& query : set.queries()) {
    ends.with_edits.push_back(at_most(oracle::fewest_edits(forward_letters(set, query), text), query.limits.edits));
  }
  return ends;
}

std::unique_ptr<PackedBatch> text_batch(const std::string& text, const PatternSet& set,
                                        std::pmr::memory_resource* memory) {
  std::vector<std::uint64_t> lo(text.size() / 64 + 1);
  std::vector<std::uint64_t> hi(text.size() / 64 + 1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    lo[i / 64] |= std::uint64_t{base_code(text[i]) & 1} << (i % 64);
    hi[i / 64] |= std::uint64_t{base_code(text[i]) >> 1} << (i % 64);
  }
  const auto positions = static_cast<std::uint32_t>(text.size());
  auto batch = std::make_unique<PackedBatch>(positions, set.max_length(), memory);
  batch->begin_segment("r", 0, 0, 0);
  batch->append(lo.data(), hi.data(), 0, positions);
  batch->finish(0, positions);
  return batch;
}

bool counts_mismatches(Algorithm algorithm, const Query& query) {
  return algorithm == Algorithm::hamming || (algorithm == Algorithm::neighbors && query.limits.indels == 0);
}

std::string compare_ends(Matcher& matcher, Algorithm algorithm, const PackedBatch& batch, const PatternSet& set,
                         const Ends& expected) {
  const std::vector<Occurrence> found = match(matcher, batch).occurrences;
  if (!std::is_sorted(found.begin(), found.end())) return "not sorted";
  std::vector<std::vector<std::uint32_t>> ends(set.queries().size());
  for (const Occurrence end : found) ends.at(occurrence_query(end)).push_back(occurrence_position(end));
  for (std::uint32_t e = 0; e < ends.size(); ++e) {
    const Query& query = set.queries()[e];
    const bool only_mismatches = counts_mismatches(algorithm, query);
    std::string fault;
    if (!only_mismatches) fault = compare(ends[e], expected.with_edits[e], expected.with_edits[e]);
    const bool may_be_fewer = algorithm == Algorithm::automatic && query.limits.indels == 0;
    if (only_mismatches || (may_be_fewer && !fault.empty())) {
      fault = compare(ends[e], expected.with_mismatches[e], expected.with_clamps[e]);
    }
    if (!fault.empty()) return fmt::format("query {}: {}", e, fault);
  }
  return "";
}

}  // namespace trial
