#include "lib/packer/batch_builder.hpp"

#include <algorithm>
#include <limits>

namespace basesweep {

std::unique_ptr<PackedBatch> BatchBuilder::new_batch() {
  batch_positions_ = options_.next_positions ? options_.next_positions() : options_.batch_positions;
  // One position for the filler that may come after the last one.
  auto batch = std::make_unique<PackedBatch>(options_.halo_left + batch_positions_ + options_.halo_right + 1,
                                             options_.max_length, options_.memory);
  if (options_.requested_only) batch->restrict_to_requested();
  // Most batches are like the one before.
  if (batch_ != nullptr) batch->reserve_like(*batch_);
  return batch;
}

// Whether the bases are a new segment that fits, and hold nothing but A, C, G and T. So are most of many short records.
bool BatchBuilder::is_simple(const RecordBases& bases) const {
  const PackedBlock& block = bases.block;
  return batch_ != nullptr && block_place_.not_acgt == block.not_acgt.size() &&
         block_place_.soft_masked == block.soft_masked.size() && !continues(bases.record, bases.offset) &&
         segment_fits(bases.end - bases.begin);
}

bool BatchBuilder::many_names() const { return batch_->name_bytes() - halo_name_bytes_ >= options_.max_name_bytes; }

// Whether a new segment of `bases` fits into the batch, behind a filler of one position.
bool BatchBuilder::segment_fits(std::uint32_t bases) const {
  return !many_names() && std::uint64_t{batch_->positions()} + 1 + bases <= limit();
}

void BatchBuilder::add(const RecordBases& bases, const std::vector<Region>* requested) {
  if (requested == nullptr && is_simple(bases)) {
    separate();
    append_to_segment(bases, bases.begin, bases.end, bases.offset, true);
    return;
  }
  const std::vector<Interval>& not_acgt = bases.block.not_acgt;
  const std::uint32_t margin = options_.run_margin;
  std::uint32_t from = bases.begin;
  skip_before(not_acgt, from, block_place_.not_acgt);
  for (std::size_t i = block_place_.not_acgt; i < not_acgt.size() && not_acgt[i].begin < bases.end; ++i) {
    const std::uint32_t begin = std::max(not_acgt[i].begin, from);
    const std::uint32_t end = std::min(not_acgt[i].end, bases.end);
    if (end - begin < kSkippedRun + 2 * margin) continue;
    append(bases, from, begin + margin, requested);
    from = end - margin;
  }
  append(bases, from, bases.end, requested);
}

// Most short records need no cut, no blocked positions and no letters. The loop does for them what add() and
// end_record() would do, without looking for those.
std::size_t BatchBuilder::add_records(const PackedBlock& block, std::size_t first, std::size_t end_record,
                                      const CurrentRecord& before) {
  if (batch_ == nullptr || owner_ == nullptr) return 0;
  const std::uint32_t from = block.starts[first].position;
  skip_before(block.not_acgt, from, block_place_.not_acgt);
  skip_before(block.soft_masked, from, block_place_.soft_masked);
  std::uint32_t simple_end = std::numeric_limits<std::uint32_t>::max();
  if (block_place_.not_acgt < block.not_acgt.size()) simple_end = block.not_acgt[block_place_.not_acgt].begin;
  if (block_place_.soft_masked < block.soft_masked.size())
    simple_end = std::min(simple_end, block.soft_masked[block_place_.soft_masked].begin);
  batch_->use_planes(block.lo.data(), block.hi.data(), owner_);
  std::size_t i = first;
  for (; i < end_record && i + 1 < block.starts.size(); ++i) {
    const std::uint32_t begin = block.starts[i].position, end = block.starts[i + 1].position;
    if (begin == end || end > simple_end || !segment_fits(end - begin)) break;
    separate();
    const auto number = static_cast<std::int64_t>(i - first) + 1;
    batch_->begin_segment(block.name(i), before.number + number, 0, before.reference + number, block.starts[i].source);
    batch_->append_owned(begin, end - begin);
    batch_->end_record();
    open_record_ = before.number + number;
    open_offset_ = end - begin;
  }
  return i - first;
}

// A batch is only cut when more bases come, so the last base of the record is still in the batch that is being built.
// This is the only batch to mark: the halos of earlier batches may hold text of the record, but not its end.
void BatchBuilder::end_record(const CurrentRecord& record) {
  if (batch_ != nullptr && open_record_ == record.number && open_offset_ == record.length) batch_->end_record();
}

void BatchBuilder::append(const RecordBases& bases, std::uint32_t begin, std::uint32_t end,
                          const std::vector<Region>* requested) {
  const CurrentRecord& record = bases.record;
  while (begin < end) {
    const std::int64_t offset = bases.offset + begin - bases.begin;
    make_room(!continues(record, offset));
    const std::uint32_t room = limit() - std::min(batch_->positions(), limit());
    const std::uint32_t count = std::min(room, end - begin);
    if (count == 0) {
      cut();
      continue;
    }
    const bool new_segment = !continues(record, offset);  // again: a cut may have left the batch empty
    const RecordBases next = bases.part(begin, begin + count);
    if (requested != nullptr) request(next, *requested);
    if (!options_.approximate) block_positions(next);
    if (options_.approximate || options_.letters) note_letters(next);
    append_to_segment(bases, begin, begin + count, offset, new_segment);
    begin += count;
  }
}

// Appends positions [begin, end) of the block, whose first has this offset in the record.
void BatchBuilder::append_to_segment(const RecordBases& bases, std::uint32_t begin, std::uint32_t end,
                                     std::int64_t offset, bool new_segment) {
  const CurrentRecord& record = bases.record;
  if (new_segment) batch_->begin_segment(record.name, record.number, offset, record.reference, record.source);
  batch_->mark_circular(record.circular_length);
  batch_->append(bases.block.lo.data(), bases.block.hi.data(), begin, end - begin, owner_);
  open_record_ = record.number;
  open_offset_ = offset + (end - begin);
}

// Cuts a full batch, and puts filler before a new segment. The batch may be full again afterwards.
void BatchBuilder::make_room(bool new_segment) {
  if (batch_ == nullptr) batch_ = new_batch();
  if (batch_->positions() >= limit() || (many_names() && new_segment && batch_->positions() > own_begin_)) cut();
  if (new_segment) separate();
}

// A last position that no hit may touch keeps segments apart too; a second one could fill a tiny batch over and over.
void BatchBuilder::separate() {
  const std::vector<Interval>& blocked = batch_->blocked();
  const bool apart = batch_->positions() == 0 || (!blocked.empty() && blocked.back().end == batch_->positions());
  if (!apart) batch_->append_filler(1);
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
  const std::uint32_t own_end = std::min(own_begin_ + batch_positions_, batch_->positions());
  std::unique_ptr<PackedBatch> full = new_batch();
  full.swap(batch_);
  full->finish(own_begin_, own_end);
  const std::uint32_t first = own_end - std::min(own_end, options_.halo_left);
  own_begin_ = own_end - first;
  batch_->append_with_lists(*full, first, full->positions());
  halo_name_bytes_ = batch_->name_bytes();
  if (batch_->positions() == 0) open_record_ = -1;
  full->number = batches_++;
  emit_(std::move(full));
}

void BatchBuilder::finish() {
  while (batch_ != nullptr && batch_->positions() > own_begin_ + batch_positions_) cut();
  if (batch_ == nullptr || batch_->positions() <= own_begin_) return;
  batch_->finish(own_begin_, batch_->positions());
  batch_->number = batches_++;
  emit_(std::move(batch_));
}

}  // namespace basesweep
