#include "lib/packer/batcher.hpp"

#include <algorithm>
#include <utility>

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
      counts_(cursor_.paths().size()) {
  if (options.regions != nullptr) {
    filter_.emplace(*options.regions, cursor_.paths(), options.batch.halo_left, options.batch.halo_right);
  }
}

void Batcher::add(const PackedBlock& block) {
  next_not_acgt_ = 0;
  builder_.next_block();
  cursor_.follow(block, *this);
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
  if (filter_ && filter_->enter(record)) ++counts_[record.source].records;
}

void Batcher::bases(const RecordBases& bases) {
  if (!filter_) {
    count(bases);
    builder_.add(bases, nullptr);
    return;
  }
  filter_->for_requested(bases, [this](const RecordBases& part) { count(part); });
  filter_->for_reached(bases, [this](const RecordBases& part) { builder_.add(part, &filter_->requested()); });
}

void Batcher::record_ends(const CurrentRecord& record, bool has_bases) {
  if (has_bases) builder_.end_record(record);
  if (filter_ && has_bases) filter_->leave(record);
}

void Batcher::count(const RecordBases& bases) {
  SourceCounts& counts = counts_[bases.record.source];
  counts.bases += bases.end - bases.begin;
  const std::vector<Interval>& not_acgt = bases.block.not_acgt;
  skip_before(not_acgt, bases.begin, next_not_acgt_);
  for (std::size_t i = next_not_acgt_; i < not_acgt.size() && not_acgt[i].begin < bases.end; ++i) {
    counts.not_acgt += std::min(not_acgt[i].end, bases.end) - std::max(not_acgt[i].begin, bases.begin);
  }
}

}  // namespace basesweep
