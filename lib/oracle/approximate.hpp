// Approximate search (`match`) as its definition says: every interval of every record, every alignment to it. See
// naive.hpp for why this is apart from the rest of lib/.
//
// An interval of a record is a candidate when the whole pattern can be aligned to it within the question's edits,
// limits and clamps. Its cost is the least (edits, indels) of all such alignments; its rank is (edits, indels, length),
// compared in this order, lowest first. An edit is a mismatch or an indel of one letter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "lib/oracle/naive.hpp"

namespace oracle {

// The choice of hits among candidates.
enum class Report {
  sites,   // those of lowest rank among all with their start and also among all with their end
  minima,  // sites that overlap no site of lower cost of the same pattern and strand
  best,    // sites with the fewest edits of their pattern over all records and both strands
  all,     // every candidate
};

struct ApproximateQuestion {
  Question exact;                  // records, patterns, strands, palindromes, soft-masking
  std::vector<std::size_t> edits;  // for each pattern, how many edits are allowed
  std::size_t max_mismatches = std::numeric_limits<std::size_t>::max();
  std::size_t max_indels = std::numeric_limits<std::size_t>::max();
  std::size_t max_dna_bulges = std::numeric_limits<std::size_t>::max();  // letters of text alone
  std::size_t max_rna_bulges = std::numeric_limits<std::size_t>::max();  // positions of the pattern alone
  // How many positions at this end of the pattern are clamped. A clamped position takes no part in any edit: it is
  // neither mismatched nor left out, and no text is inserted between two of them or between them and the pattern's end.
  std::size_t clamp_5prime = 0;
  std::size_t clamp_3prime = 0;
  // The same for single patterns, in place of those above; one number for each pattern, or empty.
  std::vector<std::size_t> own_clamps_5prime{};
  std::vector<std::size_t> own_clamps_3prime{};
  Report report = Report::sites;
};

struct ApproximateHit {
  std::int64_t record;  // index into the question's records
  std::int64_t start;   // 0-based, on the forward strand
  std::int64_t end;     // exclusive
  char strand;          // '+' or '-'
  std::size_t pattern;  // index into the question's patterns
  std::size_t edits;
  std::size_t indels;  // among the edits

  bool operator==(const ApproximateHit&) const = default;
};

// All hits, ordered by record, start, end, strand (+ first), pattern. With skip_soft_masked, hits that touch lower case
// are dropped after the sites or minima were chosen, and `best` takes the lowest edits of the hits that remain.
std::vector<ApproximateHit> search(const ApproximateQuestion& question);

// Whether the strand (+ or -) of a pattern is searched at all.
bool is_searched(const ApproximateQuestion& question, std::size_t pattern, char strand);

// The alignment of a hit as a CIGAR string on the forward strand, such as "5=1X2I". Of all alignments that have the
// hit's cost it is the first when walking back from the right end and trying, at each step, a pair of letters (= or X)
// before text alone (D) before a position alone (I). So indels lie as far left as they can.
std::string cigar(const ApproximateQuestion& question, const ApproximateHit& hit);

}  // namespace oracle
