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
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/oracle/naive.hpp"

namespace oracle {

// The choice of hits among candidates.
enum class Report {
  sites,            // those of lowest rank among all with their start and also among all with their end
  minima,           // sites that overlap no site of lower cost of the same pattern and strand
  best,             // sites with the fewest edits of their pattern over all records and both strands
  all,              // every candidate
  best_per_record,  // see keep_best_per_record()
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
  std::vector<bool> has_own_edits{};  // whose `edits` do not come from `rate`; or empty
  // The record is thought to go on at both ends with letters that match anything. A pattern may hang over with this end
  // if at least this many of its positions, letters N not counted, are inside; nothing: it may not. Outside, each
  // letter takes one position. A hanging pattern may have floor(rate x positions inside) edits; without a rate,
  // floor(edits x positions inside / length). Clamped positions never hang over. `minima`, `best` and `best_per_record`
  // count a position outside as an edit.
  std::optional<std::size_t> overhang_5prime{};
  std::optional<std::size_t> overhang_3prime{};
  std::optional<double> rate{};  // that `edits` come from
  Report report = Report::sites;
  bool patterns_compete = false;  // for best_per_record
};

struct ApproximateHit {
  std::int64_t record;  // index into the question's records
  std::int64_t start;   // 0-based, on the forward strand; of a hanging pattern the part inside
  std::int64_t end;     // exclusive
  char strand;          // '+' or '-'
  std::size_t pattern;  // index into the question's patterns
  std::size_t edits;
  std::size_t indels;          // among the edits
  std::size_t hang_left = 0;   // positions of the pattern before the record's start
  std::size_t hang_right = 0;  // past its end
  // With best_per_record: how many hits of its group are as good, and the fewest edits of another site of the group
  // that overlaps no hit of its own pattern and strand which is kept.
  std::size_t best = 0;
  std::optional<std::size_t> next_edits{};

  bool operator==(const ApproximateHit&) const = default;
};

// The part of the pattern, in its own direction, that is inside: from the first position to after the last.
std::pair<std::size_t, std::size_t> part_inside(const ApproximateQuestion& question, const ApproximateHit& hit);

// All hits, ordered by record, start, end, strand (+ first), pattern, and the part inside. With skip_soft_masked, hits
// that touch lower case are dropped after the sites or minima were chosen, and `best` takes the lowest edits of the
// hits that remain.
std::vector<ApproximateHit> search(const ApproximateQuestion& question);

// Keeps those with the fewest edits of their group, and sets `best` and `next_edits`. `hits`: sites. The groups are the
// sites of one record and pattern, on both strands; with `patterns_compete` those of one record.
void keep_best_per_record(std::vector<ApproximateHit>& hits, bool patterns_compete);

// Whether the strand (+ or -) of a pattern is searched at all.
bool is_searched(const ApproximateQuestion& question, std::size_t pattern, char strand);

// The alignment of a hit as a CIGAR string on the forward strand, such as "5=1X2I". It is the first alignment with the
// hit's cost (positions outside are S) when walking back from the right end and trying, at each step, a pair of letters
// (= or X) before text alone (D) before a position alone (I). So indels are as far left as they can be.
std::string cigar(const ApproximateQuestion& question, const ApproximateHit& hit);

}  // namespace oracle
