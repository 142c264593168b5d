#include "lib/guides/guide_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "lib/base/per_thread.hpp"
#include "lib/rows/aligned_letters.hpp"
#include "lib/rows/letters.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {
namespace {

struct FoundKinds {
  std::vector<std::uint32_t> all;
};

bool is_nearer(const NearPlace& a, const NearPlace& b) {
  return std::tie(a.bulge_size, a.mismatches, a.record, a.start, a.end, a.strand) <
         std::tie(b.bulge_size, b.mismatches, b.record, b.start, b.end, b.strand);
}

std::string letters_at(const PackedBatch& batch, Interval positions, Strand strand) {
  std::string forward(positions.end - positions.begin, '\0');
  batch.copy_letters(positions.begin, positions.end, forward.data());
  std::string letters(forward.size(), '\0');
  put_matched(letters.data(), forward, strand);
  return letters;
}

}  // namespace

void put_first(const NearPlace& own, std::vector<NearPlace>& nearest) {
  const auto found = std::find_if(nearest.begin(), nearest.end(), [&own](const NearPlace& one) {
    return std::tie(one.record, one.start, one.end, one.strand) == std::tie(own.record, own.start, own.end, own.strand);
  });
  if (found != nearest.end()) return void(std::rotate(nearest.begin(), found, found + 1));
  nearest.insert(nearest.begin(), own);
  nearest.pop_back();
}

void append_place(std::string_view record, std::int64_t start, std::int64_t end, char strand, std::string& to) {
  const fmt::format_int first(start);
  const fmt::format_int last(end);
  to.append(record).append(1, ':').append(first.data(), first.size()).append(1, '-').append(last.data(), last.size());
  to.append(1, '(').append(1, strand).append(1, ')');
}

std::uint64_t GuideTotals::places() const { return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}); }

std::optional<std::uint32_t> GuideTotals::mit_specificity(bool scored) const {
  if (!scored || nearest.empty() || nearest.front().bulge_size != 0) return std::nullopt;  // without bulge is nearest
  return specificity(mit_off_targets());
}

std::optional<std::uint32_t> GuideTotals::cfd_specificity(bool scored) const {
  if (!scored || nearest.empty()) return std::nullopt;
  return specificity(cfd_off_targets());
}

void GuideTotals::add(const NearPlace& place, std::size_t most) {
  const auto at = std::upper_bound(nearest.begin(), nearest.end(), place, is_nearer);
  if (at == nearest.end() && nearest.size() == most) return;
  nearest.insert(at, place);
  if (nearest.size() > most) nearest.pop_back();
}

void GuideTotals::add(const GuideTotals& other, std::size_t most) {
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  mit += other.mit;
  cfd += other.cfd;
  exact_cfd = std::max(exact_cfd, other.exact_cfd);
  for (const NearPlace& place : other.nearest) add(place, most);
}

GuideTable::GuideTable(const GuideSet& guides, const Annotation* annotation, bool for_pages)
    : guides_(guides),
      classes_(guides.limits().mismatches + 1),
      annotation_(annotation),
      nearest_(for_pages && guides.guides().size() <= kMostForPages ? kForPages : kForTables) {
  totals_.resize(guides.guides().size());
  for (GuideTotals& totals : totals_) {
    totals.counts.resize(std::size_t{classes_} * (guides.limits().max_bulge() + 1));
    if (annotation != nullptr) totals.features.resize(annotation->kinds().size());
  }
}

void GuideTable::add(std::span<const PlacedGuide> places, const PackedBatch* batch) {
  if (places.empty()) return;
  const std::uint32_t guide = places.front().place.guide;
  const std::lock_guard lock(locks_[guide % kLocks]);
  GuideTotals& totals = totals_[guide];
  for (const PlacedGuide& placed : places) {
    const GuideShape& shape = placed.place.shape;
    ++totals.counts[std::size_t{shape.size} * classes_ + shape.mismatches];
    if (placed.scores) {
      totals.mit += placed.scores->mit.value_or(0);
      totals.cfd += placed.scores->cfd;
      const bool exact = shape.size == 0 && shape.mismatches == 0;
      if (exact) totals.exact_cfd = std::max<std::uint64_t>(totals.exact_cfd, placed.scores->cfd);
    }
    if (annotation_ != nullptr) {
      std::vector<std::uint32_t>& kinds = per_thread<FoundKinds>().all;
      kinds.clear();
      annotation_->kinds_of(placed.features, kinds);
      for (const std::uint32_t kind : kinds) ++totals.features[kind];
    }
    NearPlace near;
    near.bulge_size = shape.size;
    near.mismatches = shape.mismatches;
    near.record = placed.record;
    near.start = placed.start;
    near.end = placed.end;
    near.strand = placed.place.strand;
    if (totals.nearest.size() == nearest_ && !is_nearer(near, totals.nearest.back())) continue;
    near.record_name = placed.record_name;
    if (batch != nullptr) set_letters(*batch, placed, near);
    if (annotation_ != nullptr) annotation_->append_names(placed.features, near.features);
    totals.add(near, nearest_);
  }
}

// Of a place with a bulge only where pages may show it.
void GuideTable::set_letters(const PackedBatch& batch, const PlacedGuide& placed, NearPlace& near) const {
  const Interval positions = positions_of(placed.place, guides_);
  if (near.bulge_size == 0) return void(near.letters = letters_at(batch, positions, near.strand));
  if (nearest_ == kForTables) return;
  const std::string forward = letters_at(batch, positions, Strand::plus);
  PlacedGuide with_letters = placed;
  with_letters.letters = forward;
  AlignedLetters aligned;
  draw_place(guides_, with_letters, aligned);
  near.guide = std::move(aligned.pattern);
  near.letters = std::move(aligned.text);
}

void GuideTable::add(const PackedBatch& batch, const GuideSums& sums, const GuideFinder::Loop& loop) {
  constexpr std::size_t kAtOnce = 1024;
  loop((totals_.size() + kAtOnce - 1) / kAtOnce, [&](std::size_t block) {
    const std::size_t end = std::min(totals_.size(), (block + 1) * kAtOnce);
    for (std::size_t guide = block * kAtOnce; guide < end; ++guide) {
      if (sums.nearest[2 * guide].bits != NearKey::kNone) add_sums(batch, sums, guide);
    }
  });
}

// The guide must have a place.
void GuideTable::add_sums(const PackedBatch& batch, const GuideSums& sums, std::size_t guide) {
  const std::lock_guard lock(locks_[guide % kLocks]);
  GuideTotals& totals = totals_[guide];
  for (std::size_t i = 0; i < totals.counts.size(); ++i) totals.counts[i] += sums.counts[guide * sums.classes + i];
  totals.mit += sums.mit[guide];
  totals.cfd += sums.cfd[guide];
  totals.exact_cfd = std::max<std::uint64_t>(totals.exact_cfd, sums.exact_cfd[guide]);
  for (const NearKey& key : sums.nearest.subspan(2 * guide, 2)) {
    if (key.bits == NearKey::kNone) return;
    const Segment& segment = batch.segments()[batch.segment_at(key.begin())];
    const std::int64_t start = segment.offset + (key.begin() - segment.position);
    NearPlace near;
    near.bulge_size = key.bulge_size();
    near.mismatches = key.mismatches();
    near.record = segment.reference;
    near.start = start;
    near.end = start + key.length();
    near.strand = key.strand();
    if (totals.nearest.size() == nearest_ && !is_nearer(near, totals.nearest.back())) return;
    near.record_name = batch.name(segment);
    if (near.bulge_size == 0) {
      near.letters =
          letters_at(batch, {key.begin(), key.begin() + static_cast<std::uint32_t>(key.length())}, near.strand);
    }
    totals.add(near, nearest_);
  }
}

std::uint64_t GuideTable::places() const {
  std::uint64_t sum = 0;
  for (const GuideTotals& totals : totals_) sum += totals.places();
  return sum;
}

std::vector<std::uint64_t> GuideTable::counts() const {
  std::vector<std::uint64_t> sums(totals_.front().counts.size());
  for (const GuideTotals& totals : totals_) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += totals.counts[i];
  }
  return sums;
}

std::uint64_t GuideTable::without_exact_copy() const {
  return static_cast<std::uint64_t>(std::count_if(totals_.begin(), totals_.end(),
                                                  [](const GuideTotals& totals) { return !totals.has_exact_copy(); }));
}

}  // namespace basesweep
