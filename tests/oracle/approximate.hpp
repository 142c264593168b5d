// Approximate search, so plain that it cannot be wrong: every interval of every record, every alignment. Uses nothing
// of lib/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/oracle/naive.hpp"

namespace oracle {

// sites: first by (edits, indels, length) among all candidates with their start and among all with their end. minima:
// sites that overlap no site of the same pattern and strand with smaller (edits, indels). best: sites of the lowest
// edits of their pattern over all records, both strands together. all: every candidate.
enum class Report { sites, minima, best, all };

struct ApproximateQuestion {
  Question exact;                  // records, patterns, strands, palindromes, soft-masking
  std::vector<std::size_t> edits;  // allowed, for each pattern
  std::size_t max_mismatches = std::numeric_limits<std::size_t>::max();
  std::size_t max_indels = std::numeric_limits<std::size_t>::max();
  // Columns at this end of the pattern that match without edit: no mismatch, not left out, no text between two of them
  // nor before (5') or behind (3') them.
  std::size_t clamp_5prime = 0;
  std::size_t clamp_3prime = 0;
  Report report = Report::sites;
};

struct ApproximateHit {
  std::int64_t record;
  std::int64_t start;
  std::int64_t end;
  char strand;
  std::size_t pattern;
  std::size_t edits;
  std::size_t indels;

  bool operator==(const ApproximateHit&) const = default;
};

// All hits, ordered by record, start, end, strand (+ first), pattern. Of soft-masked text those are dropped that the
// report mode left; `best` looks at what then remains.
std::vector<ApproximateHit> search(const ApproximateQuestion& question);

// Whether the strand (+ or -) of a pattern is searched at all.
bool is_searched(const ApproximateQuestion& question, std::size_t pattern, char strand);

// The first alignment of the hit's cost, walking back from its right end and trying a pair of letters before text alone
// (D) before a column alone (I): "5=1X2I". Forward strand.
std::string cigar(const ApproximateQuestion& question, const ApproximateHit& hit);

}  // namespace oracle
