#include "lib/packer/batch_builder.hpp"

#include <algorithm>

namespace basesweep {

std::unique_ptr<PackedBatch> BatchBuilder::new_batch() {
  batch_positions_ = options_.next_positions ? options_.next_positions() : options_.batch_positions;
  // One position for the filler that may come after the last one.
  auto batch = std::make_unique<PackedBatch>(options_.halo_left + batch_positions_ + options_.halo_right + 1,
                                             options_.max_length, options_.memory);
  if (options_.requested_only) batch->restrict_to_requested();
  return batch;
}

void BatchBuilder::add(const RecordBases& bases, const std::vector<Region>* requested) {
  const std::vector<Interval>& not_acgt = bases.block.not_acgt;
  const std::uint32_t margin = options_.run_margin;
  std::uint32_t from = bases.begin;
  skip_before(not_acgt, from, block_place_.not_acgt);
  for (std::size_t i = block_place_.not_acgt; i < not_acgt.size() && not_acgt[i].begin < bases.end; ++i) {
    const std::uint32_t begin = std::max(not_acgt[i].begin, from);
    const std::uint32_t end = std::min(not_acgt[i].end, bases.end);
    if (end - begin < kSkippedRun + 2 * margin) continue;
    append(bases.part(from, begin + margin), requested);
    from = end - margin;
  }
  append(bases.part(from, bases.end), requested);
}

// A batch is only cut when more bases come, so the last base of the record is still in the batch that is being built.
// This is the only batch to mark: the halos of earlier batches may hold text of the record, but not its end.
void BatchBuilder::end_record(const CurrentRecord& record) {
  if (batch_ != nullptr && open_record_ == record.number && open_offset_ == record.length) batch_->end_record();
}

void BatchBuilder::append(RecordBases bases, const std::vector<Region>* requested) {
  while (bases.begin < bases.end) {
    make_room(!continues(bases));
    const std::uint32_t room = limit() - std::min(batch_->positions(), limit());
    const std::uint32_t count = std::min(room, bases.end - bases.begin);
    if (count == 0) {
      cut();
      continue;
    }
    if (!continues(bases)) {  // looked up again: a cut may have left the batch empty
      batch_->begin_segment(bases.record.name, bases.record.number, bases.offset, bases.record.reference,
                            bases.record.source);
    }
    batch_->mark_circular(bases.record.circular_length);
    const RecordBases next = bases.part(bases.begin, bases.begin + count);
    if (requested != nullptr) request(next, *requested);
    if (!options_.approximate) block_positions(next);
    if (options_.approximate || options_.letters) note_letters(next);
    batch_->append(next.block.lo.data(), next.block.hi.data(), next.begin, count);
    open_record_ = bases.record.number;
    open_offset_ = bases.offset + count;
    bases.offset += count;
    bases.begin += count;
  }
}

// Cuts a full batch, and puts filler before a new segment. The batch may be full again afterwards.
void BatchBuilder::make_room(bool new_segment) {
  if (batch_ == nullptr) batch_ = new_batch();
  const bool many_names = batch_->name_bytes() - halo_name_bytes_ >= options_.max_name_bytes;
  if (batch_->positions() >= limit() || (many_names && new_segment && batch_->positions() > own_begin_)) cut();
  // A last position that no hit may touch keeps segments apart too; a second one could fill a tiny batch over and over.
  const std::vector<Interval>& blocked = batch_->blocked();
  const bool apart = batch_->positions() == 0 || (!blocked.empty() && blocked.back().end == batch_->positions());
  if (new_segment && !apart) batch_->append_filler(1);
}

// Tells the batch which of the bases that are about to be appended are requested.
void BatchBuilder::request(const RecordBases& bases, const std::vector<Region>& requested) {
  const std::int64_t end = bases.offset + (bases.end - bases.begin);
  const auto position = [&](std::int64_t offset) {
    return batch_->positions() + static_cast<std::uint32_t>(std::clamp(offset, bases.offset, end) - bases.offset);
  };
  for (auto region = std::partition_point(requested.begin(), requested.end(),
                                          [&](const Region& r) { return r.end <= bases.offset; });
       region != requested.end() && region->begin < end; ++region) {
    batch_->request({position(region->begin), position(region->end)});
  }
}

// Tells the batch which of the bases that are about to be appended no hit may touch.
void BatchBuilder::block_positions(const RecordBases& bases) {
  const std::vector<Interval>& not_acgt = bases.block.not_acgt;
  const std::vector<Interval>& soft_masked = bases.block.soft_masked;
  skip_before(not_acgt, bases.begin, block_place_.not_acgt);
  skip_before(soft_masked, bases.begin, block_place_.soft_masked);
  auto a = block_place_.not_acgt;
  auto b = block_place_.soft_masked;
  const auto inside = [&](const std::vector<Interval>& intervals, std::size_t i) {
    return i < intervals.size() && intervals[i].begin < bases.end;
  };
  const std::uint32_t base = batch_->positions();
  while (inside(not_acgt, a) || inside(soft_masked, b)) {  // by their begins
    const bool take_a = !inside(soft_masked, b) || (inside(not_acgt, a) && not_acgt[a].begin <= soft_masked[b].begin);
    const Interval& interval = take_a ? not_acgt[a++] : soft_masked[b++];
    batch_->block(base + std::max(interval.begin, bases.begin) - bases.begin,
                  base + std::min(interval.end, bases.end) - bases.begin);
  }
}

// Tells the batch which of the bases that are about to be appended are other letters than A, C, G, T, or lower case.
void BatchBuilder::note_letters(const RecordBases& bases) const {
  const auto for_inside = [&](const auto& runs, auto use) {
    const std::uint32_t base = batch_->positions();
    for (auto run = std::partition_point(runs.begin(), runs.end(), [&](const auto& r) { return r.end <= bases.begin; });
         run != runs.end() && run->begin < bases.end; ++run) {
      auto moved = *run;
      moved.begin = base + std::max(run->begin, bases.begin) - bases.begin;
      moved.end = base + std::min(run->end, bases.end) - bases.begin;
      use(moved);
    }
  };
  for_inside(bases.block.letters, [&](const LetterRun& run) { batch_->add_letters(run); });
  for_inside(bases.block.soft_masked, [&](const Interval& interval) { batch_->add_soft_masked(interval); });
}

// Emits the batch. The next one begins with what this one holds past its own positions, and its left halo before that.
void BatchBuilder::cut() {
  std::unique_ptr<PackedBatch> full = std::move(batch_);
  const std::uint32_t own_end = std::min(own_begin_ + batch_positions_, full->positions());
  batch_ = new_batch();
  full->finish(own_begin_, own_end);
  const std::uint32_t first = own_end - std::min(own_end, options_.halo_left);
  own_begin_ = own_end - first;
  copy_from(*full, first);
  halo_name_bytes_ = batch_->name_bytes();
  if (batch_->positions() == 0) open_record_ = -1;
  full->number = batches_++;
  emit_(std::move(full));
}

// Copies what a batch holds from position `first` on to the new one.
void BatchBuilder::copy_from(const PackedBatch& full, std::uint32_t first) {
  const PackedView view = full.view();
  const std::vector<Segment>& segments = full.segments();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::uint32_t end = i + 1 < segments.size() ? segments[i + 1].position : view.positions;  // filler included
    if (end <= first) continue;
    const std::uint32_t begin = std::max(segments[i].position, first);
    batch_->begin_segment(full.name(segments[i]), segments[i].record,
                          segments[i].offset + (begin - segments[i].position), segments[i].reference,
                          segments[i].source);
    batch_->mark_circular(segments[i].circular_length);
    batch_->append(view.lo, view.hi, begin, end - begin);
    batch_->trim_segment(std::max(segments[i].end, begin) - first);
    if (segments[i].ends_record) batch_->end_record();
  }
  const auto moved = [&](auto run) {
    run.begin = std::max(run.begin, first) - first;
    run.end = std::min(run.end, view.positions) - first;
    return run;
  };
  for (const Interval& interval : full.blocked()) {
    if (interval.begin >= view.positions || interval.end <= first) continue;
    const Interval kept = moved(interval);
    batch_->block(kept.begin, kept.end);
  }
  for (const LetterRun& run : full.letters()) {
    if (run.end > first) batch_->add_letters(moved(run));
  }
  for (const Interval& interval : full.soft_masked()) {
    if (interval.end > first) batch_->add_soft_masked(moved(interval));
  }
  if (full.requested()) {
    for (const Interval& interval : *full.requested()) {
      if (interval.end > first) batch_->request(moved(interval));
    }
  }
}

void BatchBuilder::finish() {
  while (batch_ != nullptr && batch_->positions() > own_begin_ + batch_positions_) cut();
  if (batch_ == nullptr || batch_->positions() <= own_begin_) return;
  batch_->finish(own_begin_, batch_->positions());
  batch_->number = batches_++;
  emit_(std::move(batch_));
}

}  // namespace basesweep
