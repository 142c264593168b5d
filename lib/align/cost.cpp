#include "lib/align/cost.hpp"

#include <algorithm>
#include <cstddef>

namespace basesweep {
namespace {

constexpr unsigned kEditsShift = 14;  // the bits below hold indels; a query has fewer than 2^14 positions
constexpr std::int32_t kSumMismatch = 1 << kEditsShift;
constexpr std::int32_t kSumIndel = kSumMismatch + 1;
constexpr std::int32_t kNowhere = 1 << 30;  // infinite cost; adding the costs of a whole path does not overflow

bool matches(std::span<const BaseSet> positions, std::span<const BaseSet> text) {
  return std::equal(positions.begin(), positions.end(), text.begin(),
                    [](BaseSet position, BaseSet letter) { return (position & letter) != 0; });
}

bool single_limits_bind(const Limits& limits) {
  return limits.mismatches < limits.edits || limits.indels < limits.edits || limits.dna_bulges < limits.indels ||
         limits.rna_bulges < limits.indels;
}

}  // namespace

Query mirrored(const Query& query, std::span<BaseSet> sets) {
  Query mirror = query;
  std::reverse_copy(query.sets.begin(), query.sets.end(), sets.begin());
  mirror.sets = sets;
  std::swap(mirror.limits.clamp_left, mirror.limits.clamp_right);
  return mirror;
}

std::span<const BaseSet> core(const Query& query) {
  const std::size_t clamped = query.limits.clamp_left + query.limits.clamp_right;
  return query.sets.subspan(query.limits.clamp_left, query.sets.size() - clamped);
}

std::uint32_t core_indels(const Query& query) {
  const bool closed = core(query).empty() && query.limits.clamp_left != 0 && query.limits.clamp_right != 0;
  return closed ? 0 : query.limits.indels;
}

void CostBand::shape(Kind kind, std::uint32_t indels) {
  const bool sums = kind == Kind::sums;
  indels_ = indels;
  layers_ = sums ? 1 : std::size_t{indels} + 1;
  stride_ = 2 * std::size_t{indels} + 3;
  climb_ = sums ? 0 : 1;
  mismatch_ = sums ? kSumMismatch : 1;
  indel_ = sums ? kSumIndel : 0;
}

void CostBand::first_row(std::int32_t* row) const {
  std::fill_n(row, cells(), kNowhere);
  for (std::int32_t d = 0; d <= indels_; ++d) row[at(climb_ * static_cast<std::uint32_t>(d), d)] = d * indel_;
}

std::int32_t CostBand::next_row(BaseSet position, const BaseSet* text, const std::int32_t* before,
                                std::int32_t* row) const {
  return climb_ == 0 ? next_sums(position, text, before, row) : next_layers(position, text, before, row);
}

std::int32_t CostBand::next_sums(BaseSet position, const BaseSet* text, const std::int32_t* before,
                                 std::int32_t* row) const {
  std::int32_t least = kNowhere;
  std::int32_t here = kNowhere;
  for (std::size_t d = stride_ + 1; d < 2 * stride_ - 1; ++d) {
    const std::int32_t diagonal = before[d] + ((position & text[d - stride_ - 1]) != 0 ? 0 : kSumMismatch);
    here = std::min(std::min(diagonal, before[d + 1] + kSumIndel), here + kSumIndel);
    row[d] = here;
    least = std::min(least, here);
  }
  return least;
}

std::int32_t CostBand::next_layers(BaseSet position, const BaseSet* text, const std::int32_t* before,
                                   std::int32_t* row) const {
  std::int32_t least = kNowhere;
  for (std::size_t layer = 1; layer <= layers_; ++layer) {
    // With y indels a path is at most y diagonals away from the middle.
    const std::size_t first = layers_ - layer + 1;
    const std::size_t last = stride_ - 1 - first;
    const std::int32_t* same = before + layer * stride_;
    const std::int32_t* without_text = same - stride_ + 1;
    std::int32_t* __restrict to = row + layer * stride_;
    const std::int32_t* __restrict without_position = row + (layer - 1) * stride_ - 1;
    for (std::size_t d = first; d <= last; ++d) {
      const std::int32_t diagonal = same[d] + ((position & text[d - 1]) != 0 ? 0 : 1);
      to[d] = std::min(diagonal, std::min(without_text[d], without_position[d]));
      least = std::min(least, to[d]);
    }
  }
  return least;
}

Cost CostBand::cost(const std::int32_t* row, std::int64_t diagonal, const Limits& limits) const {
  if (climb_ == 0) {
    const auto sum = static_cast<std::uint32_t>(row[at(0, diagonal)]);
    const Cost cost{sum >> kEditsShift, sum & ((1U << kEditsShift) - 1)};
    return cost.edits <= limits.edits ? cost : kNoAlignment;
  }
  Cost least = kNoAlignment;
  for (std::uint32_t indels = 0; indels < layers_; ++indels) {
    const auto mismatches = static_cast<std::uint32_t>(row[at(indels, diagonal)]);
    if (mismatches > limits.mismatches || mismatches + indels > limits.edits) continue;
    // The diagonal is the number of text bases alone less the number of positions alone; `indels` is their sum.
    const std::int64_t twice_dna = indels + diagonal;
    if (twice_dna > 2 * std::int64_t{limits.dna_bulges} || indels - diagonal > 2 * std::int64_t{limits.rna_bulges}) {
      continue;
    }
    least = std::min(least, Cost{mismatches + indels, indels});
  }
  return least;
}

std::int32_t CostBand::max_cost(const Limits& limits) const {
  return static_cast<std::int32_t>(climb_ == 0 ? ((limits.edits + 1) << kEditsShift) - 1 : limits.mismatches);
}

void CostScan::run(const Query& query, std::span<const BaseSet> text) {
  costs_.clear();
  if (query.limits.indels == 0) return count_mismatches(query, text);
  const std::size_t left = query.limits.clamp_left;
  if (text.size() < left || !matches(query.sets.first(left), text.first(left))) return;
  run_core(query, text.subspan(left));
  min_length_ += query.limits.clamp_left;
  // Now the clamp at the right end.
  const std::uint32_t right = query.limits.clamp_right;
  if (right == 0) return;
  for (std::size_t i = 0; i < costs_.size(); ++i) {
    const std::size_t length = min_length_ + i;
    if (costs_[i] == kNoAlignment) continue;
    if (length + right > text.size() || !matches(query.sets.last(right), text.subspan(length, right))) {
      costs_[i] = kNoAlignment;
    }
  }
  min_length_ += right;
}

void CostScan::run_core(const Query& query, std::span<const BaseSet> text) {
  const std::span<const BaseSet> positions = core(query);
  const std::uint32_t indels = core_indels(query);
  min_length_ = static_cast<std::uint32_t>(positions.size()) - std::min<std::uint32_t>(positions.size(), indels);
  if (text.size() < min_length_) return;
  const std::size_t reach = positions.size() + indels;
  const std::size_t readable = std::min(text.size(), reach);
  // The band also reads letters before and past the text; no cell that is used depends on them.
  padded_.assign(indels + reach, 0);
  std::copy_n(text.begin(), readable, padded_.begin() + indels);

  band_.shape(single_limits_bind(query.limits) ? CostBand::Kind::layers : CostBand::Kind::sums, indels);
  for (auto& row : rows_) {
    if (row.size() < band_.cells()) row.resize(band_.cells());
  }
  band_.first_row(rows_[0].data());
  band_.first_row(rows_[1].data());
  const std::int32_t max_cost = band_.max_cost(query.limits);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (band_.next_row(positions[i], padded_.data() + i, rows_[i % 2].data(), rows_[(i + 1) % 2].data()) > max_cost)
      return;
  }
  const std::int32_t* row = rows_[positions.size() % 2].data();
  for (std::size_t length = min_length_; length <= readable; ++length) {
    const auto diagonal = static_cast<std::int64_t>(length) - static_cast<std::int64_t>(positions.size());
    costs_.push_back(band_.cost(row, diagonal, query.limits));
  }
}

void CostScan::count_mismatches(const Query& query, std::span<const BaseSet> text) {
  const std::size_t length = query.sets.size();
  min_length_ = static_cast<std::uint32_t>(length);
  if (text.size() < length) return;
  const Limits& limits = query.limits;
  const std::span<const BaseSet> positions = query.sets;
  if (!matches(positions.first(limits.clamp_left), text) ||
      !matches(positions.last(limits.clamp_right), text.subspan(length - limits.clamp_right))) {
    return;
  }
  std::uint32_t mismatches = 0;
  for (std::size_t i = 0; i < length; ++i) mismatches += (positions[i] & text[i]) != 0 ? 0 : 1;
  if (mismatches <= limits.mismatches && mismatches <= limits.edits) costs_.push_back({mismatches, 0});
}

CostScan::Best CostScan::best() const {
  const auto least = std::min_element(costs_.begin(), costs_.end());
  if (least == costs_.end() || *least == kNoAlignment) return {0, kNoAlignment};
  return {min_length_ + static_cast<std::uint32_t>(least - costs_.begin()), *least};
}

}  // namespace basesweep
