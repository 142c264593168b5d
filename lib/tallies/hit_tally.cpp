#include "lib/tallies/hit_tally.hpp"

#include <algorithm>

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

HitTally::HitTally(const PatternSet& patterns, const MatrixSet* matrices, const LongestRecords* longest)
    : patterns_(patterns), matrices_(matrices), longest_(longest) {}

unsigned HitTally::needs() const { return matrices_ != nullptr || patterns_.approximate() ? need::letters : 0; }

void HitTally::count_place(const PlacedHit& placed, Own& own) const {
  HitCounts& counts = own.counts;
  const Query& query = patterns_.queries()[placed.hit.query];
  ++counts.strands[query.strand == Strand::minus ? 1 : 0];
  if (longest_ == nullptr) {
    counts.starts.add(static_cast<std::uint64_t>(placed.start));
  } else {
    own.density.add(placed.record, placed.start, *longest_);
  }
  if (!patterns_.approximate()) return;
  if (placed.hit.edits >= counts.edits.size()) counts.edits.resize(placed.hit.edits + std::size_t{1});
  ++counts.edits[placed.hit.edits];
  const std::size_t pattern = patterns_.patterns().size() > kMostPatterns ? 0 : query.pattern;
  if (pattern >= counts.positions.size()) counts.positions.resize(pattern + 1);
  ++counts.positions[pattern].hits;
}

void HitTally::count_letters(const Hit& hit, std::string_view letters, Own& own) const {
  const Query& query = patterns_.queries()[hit.query];
  if (matrices_ != nullptr) {
    if (own.counts.matrices.empty()) own.counts.matrices.resize(patterns_.patterns().size());
    return count_site(hit, letters, own.counts.matrices[query.pattern]);
  }
  const std::size_t pattern = patterns_.patterns().size() > kMostPatterns ? 0 : query.pattern;
  own.counts.positions[pattern].add(query, own.tracer.trace(query, letters, hit));
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
    count_place(placed, own);
    if (needs_letters(placed.hit)) count_letters(placed.hit, placed.letters, own);
  }
}

void HitTally::count(const PackedBatch& batch, std::span<const Hit> hits) {
  Own& own = own_.local();
  for_each_hit(batch, hits, false, [&](const PlacedHit& placed) {
    count_place(placed, own);
    if (!needs_letters(placed.hit)) return;
    own.letters.resize(placed.hit.length);
    batch.copy_letters(placed.hit.position, placed.hit.position + placed.hit.length, own.letters.data());
    count_letters(placed.hit, own.letters, own);
  });
}

HitCounts HitTally::counts() {
  HitCounts sum;
  for (Own& own : own_) {
    const HitCounts& more = own.counts;
    for (std::size_t i = 0; i < sum.strands.size(); ++i) sum.strands[i] += more.strands[i];
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
