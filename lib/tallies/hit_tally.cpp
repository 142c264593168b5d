#include "lib/tallies/hit_tally.hpp"

#include <algorithm>

#include "lib/base/count_lists.hpp"
#include "lib/base/dna.hpp"
#include "lib/matrices/matrix_set.hpp"
#include "lib/rows/column.hpp"
#include "lib/rows/hits_of_batch.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

// Where a hit over the origin is written as two rows, whether this is the second.
bool is_tail(const PlacedHit& hit) {
  return hit.circular_length != 0 && hit.start == 0 && hit.end - hit.start < hit.hit.length &&
         hit.end != hit.circular_length;
}

}  // namespace

void MatrixSites::add(const MatrixSites& other) {
  letters.resize(std::max(letters.size(), other.letters.size()));
  for (std::size_t i = 0; i < other.letters.size(); ++i) {
    for (std::size_t code = 0; code < letters[i].size(); ++code) letters[i][code] += other.letters[i][code];
  }
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += other.scores[i];
}

HitTally::HitTally(const PatternSet& patterns, const MatrixSet* matrices, bool reads, const LongestRecords* longest)
    : patterns_(patterns),
      matrices_(matrices),
      reads_(reads),
      longest_(longest),
      counts_together_(patterns.patterns().size() > kMostPatterns) {}

unsigned HitTally::needs() const { return matrices_ != nullptr || patterns_.approximate() ? need::letters : 0; }

void HitTally::count_start(std::int64_t record, std::int64_t start, Own& own) const {
  if (reads_) return own.counts.starts.add(static_cast<std::uint64_t>(start));
  if (longest_ != nullptr) own.density.add(record, start, *longest_);
}

// Hits of a segment are counted at once.
void HitTally::count_starts(const PackedBatch& batch, std::span<const Hit> hits, Own& own) const {
  constexpr std::size_t kMany = 16;  // worth looking for the record's bins
  while (!hits.empty()) {
    const std::size_t at = batch.segment_at(hits.front().position);
    const Segment& segment = batch.segments()[at];
    const bool last = at + 1 == batch.segments().size();
    const auto end = last ? hits.end() : std::partition_point(hits.begin(), hits.end(), [&](const Hit& hit) {
      return hit.position < batch.segments()[at + 1].position;
    });
    const auto count = static_cast<std::size_t>(end - hits.begin());
    const std::int64_t offset = segment.offset - std::int64_t{segment.position};
    if (longest_ != nullptr && count >= kMany) {
      PositionBins& bins = own.density.bins_of(segment.reference, *longest_);
      for (const Hit& hit : hits.first(count)) bins.add(offset + hit.position);
    } else {
      for (const Hit& hit : hits.first(count)) count_start(segment.reference, offset + hit.position, own);
    }
    hits = hits.subspan(count);
  }
}

void HitTally::count_letters(const Hit& hit, std::string_view letters, Own& own) const {
  const Query& query = patterns_.queries()[hit.query];
  if (matrices_ != nullptr) {
    if (own.counts.matrices.empty()) own.counts.matrices.resize(patterns_.patterns().size());
    return count_site(hit, letters, own.counts.matrices[query.pattern]);
  }
  std::vector<EditPositions>& positions = own.counts.positions;
  if (positions.empty()) positions.resize(counts_together_ ? 1 : patterns_.patterns().size());
  EditPositions& own_positions = positions[place_of(query)];
  if (hit.indels == 0 && hit.hang_left == 0 && hit.hang_right == 0) return own_positions.add(query, letters);
  own_positions.add(query, own.tracer.trace(query, letters, hit));
}

void HitTally::count_site(const Hit& hit, std::string_view letters, MatrixSites& sites) const {
  const SearchedMatrix& searched = matrices_->of_query(hit.query);
  const bool turned = patterns_.queries()[hit.query].strand == Strand::minus;
  sites.letters.resize(letters.size());
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const unsigned code = base_code(letters[i]);
    ++sites.letters[turned ? letters.size() - 1 - i : i][turned ? complement(code) : code];
  }
  const std::int64_t above = matrices_->score_of(hit.query, letters) - searched.threshold;
  const std::int64_t width = searched.matrix.max_score - searched.threshold + 1;
  ++sites.scores[static_cast<std::size_t>(above * static_cast<std::int64_t>(MatrixSites::kScoreBins) / width)];
}

void HitTally::count(RowSpan rows) {
  Own& own = own_.local();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& placed = static_cast<const PlacedHit&>(rows[i]);
    if (is_tail(placed)) continue;
    count_start(placed.record, placed.start, own);
    if (patterns_.approximate()) add_count(placed.hit.edits, own.counts.edits);
    if (needs_letters(placed.hit)) count_letters(placed.hit, placed.letters, own);
  }
}

void HitTally::count(const PackedBatch& batch, std::span<const Hit> hits) {
  Own& own = own_.local();
  count_starts(batch, hits, own);
  if (matrices_ == nullptr && !patterns_.approximate()) return;
  for (const Hit& hit : hits) {
    if (patterns_.approximate()) add_count(hit.edits, own.counts.edits);
    if (!needs_letters(hit)) continue;
    own.letters.resize(hit.length);
    batch.copy_letters(hit.position, hit.position + hit.length, own.letters.data());
    count_letters(hit, own.letters, own);
  }
}

HitCounts HitTally::counts() {
  HitCounts sum;
  for (Own& own : own_) {
    const HitCounts& more = own.counts;
    add_counts(more.edits, sum.edits);
    sum.starts.add(more.starts);
    sum.positions.resize(std::max(sum.positions.size(), more.positions.size()));
    for (std::size_t i = 0; i < more.positions.size(); ++i) sum.positions[i].add(more.positions[i]);
    sum.matrices.resize(std::max(sum.matrices.size(), more.matrices.size()));
    for (std::size_t i = 0; i < more.matrices.size(); ++i) sum.matrices[i].add(more.matrices[i]);
    if (longest_ != nullptr) own.density.add_to(sum.along, *longest_);
  }
  return sum;
}

}  // namespace basesweep
