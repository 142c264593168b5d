#include "lib/packer/batcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

BatchOptions batch_options(const BatcherOptions& options) {
  BatchOptions batch = options.batch;
  batch.requested_only = options.regions != nullptr;
  return batch;
}

}  // namespace

Batcher::Batcher(const BatcherOptions& options, std::vector<std::string> paths, BatchBuilder::Emit emit,
                 NameRecord name_record)
    : cursor_(std::move(paths), options.first_record, options.keep_records),
      builder_(batch_options(options), std::move(emit)),
      name_record_(std::move(name_record)),
      see_record_(options.see_record),
      record_ended_(options.regions == nullptr ? options.record_ended : RecordEnded()),
      ended_(options.first_record - 1),
      counts_(cursor_.paths().size()),
      circular_(options.circular),
      max_circular_(options.max_circular),
      halo_left_(options.batch.halo_left),
      halo_right_(options.batch.halo_right),
      circular_reach_(options.batch.circular_reach),
      product_reach_(options.batch.product_reach) {
  for (SourceCounts& counts : counts_) {
    if (options.count_soft_masked) counts.soft_masked = 0;
  }
  if (options.regions != nullptr) {
    filter_.emplace(*options.regions, cursor_.paths(), options.batch.halo_left, options.batch.halo_right);
  }
}

void Batcher::add(const PackedBlock& block) {
  next_not_acgt_ = next_soft_masked_ = 0;
  builder_.enter_block();
  cursor_.follow(block, *this);
}

void Batcher::add(const std::shared_ptr<const PackedBlock>& block) {
  next_not_acgt_ = next_soft_masked_ = 0;
  builder_.enter_block(block);
  cursor_.follow(*block, *this);
  builder_.enter_block();  // whoever holds batches, and not this, keeps the block
}

void Batcher::finish(bool complete) {
  if (complete) end_text(cursor_.record());
  builder_.finish();
  if (complete) see_end(cursor_.record());
}

void Batcher::check_circular() const {
  for (const std::string& name : circular_.names) {
    if (circular_seen_.count(name) != 0) continue;
    throw absent_circular_record(cursor_.paths(), name);
  }
}

void Batcher::check_regions() {
  if (!filter_) return;
  cursor_.finish(*this);
  filter_->check_complete(cursor_.record());
}

void Batcher::record_starts(const PackedBlock& block, const CurrentRecord& record) {
  if (!filter_) ++counts_[record.source].records;
  if (name_record_) name_record_(block, record.name);
}

void Batcher::bases_start(const CurrentRecord& record) {
  in_circle_ = circular_.any() && circular_.contains(record.name);
  if (!circular_.names.empty() && circular_.names.count(record.name) != 0) circular_seen_.insert(record.name);
  const RegionFilter::Entered entered = filter_ ? filter_->enter(record, in_circle_) : RegionFilter::Entered{true};
  if (entered.counted) ++counts_[record.source].records;
  if (entered.first && see_record_) see_record_(record.reference, record.name, record.source);
  if (!in_circle_) return;
  kept_.clear();
  in_circle_ = !filter_ || !filter_->in_reach().empty();
  held_ = filter_ ? in_circle_ && filter_->in_reach().front().begin < 0 : halo_left_ != 0;
}

void Batcher::bases(const RecordBases& bases) {
  if (filter_) {
    filter_->for_requested(bases, [this](const RecordBases& part) { count(part); });
  } else {
    count(bases);
  }
  if (in_circle_) {
    if (held_) return hold(bases);
    kept_.keep(bases, halo_right_);
  }
  if (!filter_) return builder_.add(bases, nullptr);
  filter_->for_reached(bases, [this](const RecordBases& part) { builder_.add(part, &filter_->requested()); });
}

void Batcher::record_ends(const CurrentRecord& record, bool has_bases) {
  end_text(record);
  if (filter_ && has_bases) filter_->leave(record);
  if (has_bases) see_end(record);
}

std::size_t Batcher::take_records(const PackedBlock& block, std::size_t first, const CurrentRecord& before) {
  if (filter_ || see_record_) return 0;
  const std::size_t end = circular_.any() ? end_of_linear(block, first) : block.starts.size();
  const std::size_t taken = builder_.add_records(block, first, end, before);
  if (taken == 0) return 0;
  if (block.has_pairs()) {
    for (std::size_t i = first; i < first + taken; ++i) {
      count_soft_masked(block, block.starts[i].position, block.starts[i + 1].position, block.starts[i].source);
      SourceCounts& counts = counts_[block.starts[i].source];
      ++counts.records;
      counts.bases += block.starts[i + 1].position - block.starts[i].position;
    }
  } else {
    count_soft_masked(block, block.starts[first].position, block.starts[first + taken].position, block.source);
    counts_[block.source].records += static_cast<std::int64_t>(taken);
    counts_[block.source].bases += block.starts[first + taken].position - block.starts[first].position;
  }
  see_taken(block, first, taken, before);
  return taken;
}

void Batcher::see_taken(const PackedBlock& block, std::size_t first, std::size_t taken, const CurrentRecord& before) {
  for (std::size_t i = 0; name_record_ && i < taken; ++i) name_record_(block, block.name(first + i));
  for (std::size_t i = 0; record_ended_ && i < taken; ++i) {
    const std::int64_t length = block.starts[first + i + 1].position - block.starts[first + i].position;
    ended_ = before.reference + 1 + static_cast<std::int64_t>(i);
    record_ended_(ended_, block.name(first + i), length);
  }
}

// The end of the input may come after the end of the last record with bases.
void Batcher::see_end(const CurrentRecord& record) {
  if (!record_ended_ || record.reference <= ended_) return;
  ended_ = record.reference;
  record_ended_(record.reference, record.name, record.length);
}

// The first record of the block from `first` on that has to be treated as circular; the last one may be.
std::size_t Batcher::end_of_linear(const PackedBlock& block, std::size_t first) {
  std::size_t record = first;
  for (; record + 1 < block.starts.size(); ++record) {
    if (!circular_.contains(block.name(record))) continue;
    const CircularReach reach = reach_of(block.starts[record + 1].position - block.starts[record].position);
    if (reach.left != 0 || reach.right != 0 || !circular_.names.empty()) break;
  }
  return record;
}

// See BatchOptions::circular_reach.
CircularReach Batcher::reach_of(std::int64_t length) const {
  if (circular_reach_.empty()) return {0, halo_left_, halo_right_};
  const auto next = std::partition_point(circular_reach_.begin(), circular_reach_.end(),
                                         [length](const CircularReach& row) { return row.min_length <= length; });
  if (next == circular_reach_.begin()) return {0, 0, 0};
  CircularReach reach = *std::prev(next);
  reach.right += static_cast<std::uint32_t>(std::min<std::int64_t>(product_reach_, 2 * length));
  return reach;
}

void Batcher::hold(const RecordBases& bases) {
  if (bases.offset + (bases.end - bases.begin) > max_circular_) {
    in_circle_ = false;
    throw DataError(
        fmt::format("{}: record '{}' has more than {} bases, too many for a circular record in a search with edits",
                    cursor_.paths()[bases.record.source], bases.record.name, max_circular_));
  }
  kept_.keep(bases, max_circular_);
}

// A circular record goes on past its end, so nothing ends there.
void Batcher::end_text(const CurrentRecord& record) {
  if (in_circle_) {
    close_circle(record);
  } else {
    builder_.end_record(record);
  }
}

// Adds the text past the end of a circular record that is complete, or all of the record if it was held.
void Batcher::close_circle(const CurrentRecord& record) {
  in_circle_ = false;
  const CircularReach reach = reach_of(record.length);
  CurrentRecord closed = record;
  closed.circular_length = reach.left != 0 || reach.right != 0 ? record.length : 0;
  const std::vector<Region>* const requested = filter_ ? &filter_->requested() : nullptr;
  const BatchBuilder::BlockPlace place = builder_.block_place();
  const std::shared_ptr<const void> owner = builder_.owner();
  const auto add_reached = [&](const Region& reached) {
    kept_.for_range(closed, std::max(reached.begin, held_ ? -std::int64_t{reach.left} : record.length),
                    std::min(reached.end, record.length + reach.right), [&](const RecordBases& part) {
                      builder_.enter_block();
                      builder_.add(part, requested);
                    });
  };
  if (filter_) {
    std::for_each(filter_->in_reach().begin(), filter_->in_reach().end(), add_reached);
  } else {
    add_reached({-std::int64_t{halo_left_}, kToTheEnd});
  }
  builder_.return_to_block(place, owner);
}

void Batcher::count(const RecordBases& bases) {
  SourceCounts& counts = counts_[bases.record.source];
  counts.bases += bases.end - bases.begin;
  const std::vector<Interval>& not_acgt = bases.block.not_acgt;
  skip_before(not_acgt, bases.begin, next_not_acgt_);
  for (std::size_t i = next_not_acgt_; i < not_acgt.size() && not_acgt[i].begin < bases.end; ++i) {
    counts.not_acgt += std::min(not_acgt[i].end, bases.end) - std::max(not_acgt[i].begin, bases.begin);
  }
  count_soft_masked(bases.block, bases.begin, bases.end, bases.record.source);
}

void Batcher::count_soft_masked(const PackedBlock& block, std::uint32_t begin, std::uint32_t end,
                                std::uint32_t source) {
  std::optional<std::int64_t>& sum = counts_[source].soft_masked;
  if (!sum) return;
  const std::vector<Interval>& lower = block.lower_case.empty() ? block.soft_masked : block.lower_case;
  skip_before(lower, begin, next_soft_masked_);
  for (std::size_t i = next_soft_masked_; i < lower.size() && lower[i].begin < end; ++i) {
    *sum += std::min(lower[i].end, end) - std::max(lower[i].begin, begin);
  }
}

}  // namespace basesweep
