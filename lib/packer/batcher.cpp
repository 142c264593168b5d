#include "lib/packer/batcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "lib/error.hpp"

namespace basesweep {

Batcher::Batcher(BatcherOptions options, std::vector<std::string> paths, Emit emit, NameRecord name_record)
    : options_(options),
      paths_(std::move(paths)),
      emit_(std::move(emit)),
      name_record_(std::move(name_record)),
      counts_(paths_.size()),
      record_(options.first_record - 1),
      reference_(options.first_record - 1) {}

std::unique_ptr<PackedBatch> Batcher::new_batch() const {
  // One column for the filler that may come after the last one.
  auto batch = std::make_unique<PackedBatch>(options_.halo_left + options_.batch_columns + options_.halo_right + 1,
                                             options_.max_length, options_.memory);
  if (options_.regions != nullptr) batch->ask_for_none();
  return batch;
}

void Batcher::add(const PackedBlock& block) {
  if (block.source != source_ || (block.resume && block.resume->reference != reference_)) end_record();
  source_ = block.source;
  next_not_acgt_ = next_soft_masked_ = 0;
  if (block.resume) resume_record(block);
  std::uint32_t done = 0;
  for (const RecordStart& start : block.starts) {
    add_bases(block, done, start.column);
    start_record(block, start);
    done = start.column;
  }
  add_bases(block, done, block.columns);
  if (block.error) fail(block);
}

void Batcher::start_record(const PackedBlock& block, const RecordStart& start) {
  end_record();
  ++record_;
  if (options_.regions == nullptr) ++counts_[source_].records;
  offset_ = 0;
  in_record_ = true;
  name_ = start.name;
  if (options_.keep_records) records_.push_back({name_, 0});
  if (name_record_) name_record_(block, name_);
}

// Goes on inside a record whose begin may not have come.
void Batcher::resume_record(const PackedBlock& block) {
  const bool known = reference_ == block.resume->reference;
  if (!known) ++record_;  // records without bases are not counted by who resumes
  reference_ = block.resume->reference;
  offset_ = block.resume->offset;
  name_ = block.resume->name;
  in_record_ = has_bases_ = true;
  piece_open_ = false;
  if (name_record_ && !known) name_record_(block, name_);
  find_regions();
}

// A record that ended too early, or goes on too long, is not what regions were made for.
void Batcher::end_record() {
  piece_open_ = false;
  if (in_record_ && has_bases_ && options_.regions != nullptr && !asked_->empty()) {
    const auto planned = options_.regions->by_place().find(reference_);
    const std::int64_t length =
        options_.regions->planned() ? planned->second.length : std::numeric_limits<std::int64_t>::max();
    if (asked_->back().begin >= offset_ || offset_ > length || (length < kToTheEnd && asked_->back().end > offset_)) {
      throw DataError(fmt::format("{}: record '{}' has {} bases, which does not fit the region {}", paths_[source_],
                                  name_, offset_, print_region(name_, asked_->back())));
    }
  }
  in_record_ = has_bases_ = false;
}

// Of the record whose first base comes now.
void Batcher::find_regions() {
  try {
    asked_ = &options_.regions->of(reference_, name_);
  } catch (const std::invalid_argument& other) {
    throw DataError(fmt::format("{}: {}", paths_[source_], other.what()));
  }
  shown_ = widened(*asked_, options_.halo_left, options_.halo_right);
  next_asked_ = next_shown_ = 0;
  if (asked_->empty() || last_with_regions_ == reference_) return;
  if (!options_.regions->planned() || asked_->front().begin == 0) ++counts_[source_].records;
  last_with_regions_ = reference_;
  if (!options_.regions->planned()) names_with_regions_.insert(name_);
}

void Batcher::check_regions() {
  if (options_.regions == nullptr) return;
  end_record();
  const auto refuse = [&](const std::string& name) {
    throw DataError(fmt::format("{}: no record '{}' with bases, of which a region is asked for",
                                paths_.size() == 1 ? paths_.front() : "the input", name));
  };
  for (const auto& [name, regions] : options_.regions->by_name()) {
    if (!regions.empty() && names_with_regions_.count(name) == 0) refuse(name);
  }
  const auto& planned = options_.regions->by_place();
  if (!planned.empty() && planned.rbegin()->first > reference_) refuse(planned.rbegin()->second.name);
}

bool Batcher::past_regions() const {
  if (options_.regions == nullptr || !options_.regions->planned()) return false;
  const auto& planned = options_.regions->by_place();
  if (planned.empty()) return true;
  if (options_.regions->has_last()) return false;  // to see whether more records come than the plan has
  const auto& [last, record] = *planned.rbegin();
  return reference_ > last || (reference_ == last && next_shown_ == shown_.size());
}

// Adds bases of the current record, less what is in no region's reach.
void Batcher::add_bases(const PackedBlock& block, std::uint32_t from, std::uint32_t to) {
  if (from == to) return;
  if (!in_record_) throw DataError(fmt::format("{}: sequence before the first header", paths_[source_]));
  if (options_.keep_records) records_.back().length += to - from;
  if (!has_bases_) {
    has_bases_ = true;
    ++reference_;
    if (options_.regions != nullptr) find_regions();
  }
  if (options_.regions != nullptr) return add_regions(block, from, to);
  count_bases(block, from, to);
  add_stretch(block, from, to);
}

void Batcher::add_regions(const PackedBlock& block, std::uint32_t from, std::uint32_t to) {
  const std::int64_t begin = offset_;
  const std::int64_t end = begin + (to - from);
  const auto column = [&](std::int64_t offset) {
    return from + static_cast<std::uint32_t>(std::clamp(offset, begin, end) - begin);
  };
  for (std::size_t i = next_asked_; i < asked_->size() && (*asked_)[i].begin < end; ++i) {
    count_bases(block, column((*asked_)[i].begin), column((*asked_)[i].end));
  }
  for (; next_shown_ < shown_.size() && shown_[next_shown_].begin < end; ++next_shown_) {
    const Region& region = shown_[next_shown_];
    if (region.begin > offset_) piece_open_ = false;
    offset_ = std::clamp(region.begin, offset_, end);
    add_stretch(block, column(offset_), column(region.end));
    if (region.end > end) break;
  }
  if (offset_ < end) piece_open_ = false;
  offset_ = end;
}

void Batcher::count_bases(const PackedBlock& block, std::uint32_t from, std::uint32_t to) {
  counts_[source_].bases += to - from;
  for (auto run = std::partition_point(block.not_acgt.begin(), block.not_acgt.end(),
                                       [from](const Interval& i) { return i.end <= from; });
       run != block.not_acgt.end() && run->begin < to; ++run) {
    counts_[source_].not_acgt += std::min(run->end, to) - std::max(run->begin, from);
  }
}

// Adds bases less long runs of what no pattern can match.
void Batcher::add_stretch(const PackedBlock& block, std::uint32_t from, std::uint32_t to) {
  auto run = std::partition_point(block.not_acgt.begin() + static_cast<std::ptrdiff_t>(next_not_acgt_),
                                  block.not_acgt.end(), [from](const Interval& i) { return i.end <= from; });
  for (; run != block.not_acgt.end() && run->begin < to; ++run) {
    const std::uint32_t begin = std::max(run->begin, from);
    const std::uint32_t end = std::min(run->end, to);
    if (end - begin < kSkippedRun + 2 * options_.run_margin) continue;
    append(block, from, begin + options_.run_margin);
    offset_ += end - begin - 2 * options_.run_margin;
    piece_open_ = false;
    from = end - options_.run_margin;
  }
  append(block, from, to);
}

void Batcher::append(const PackedBlock& block, std::uint32_t from, std::uint32_t to) {
  while (from < to) {
    need_batch();
    const std::uint32_t room = limit() - std::min(batch_->columns(), limit());
    const std::uint32_t count = std::min(room, to - from);
    if (count == 0) {
      cut();
      continue;
    }
    if (!piece_open_) begin_piece();
    if (options_.regions != nullptr) ask_columns(count);
    options_.approximate ? note_columns(block, from, from + count) : block_columns(block, from, from + count);
    batch_->append(block.lo.data(), block.hi.data(), from, count);
    offset_ += count;
    from += count;
  }
}

// Tells the batch which of the next columns, about to be appended, are in a region.
void Batcher::ask_columns(std::uint32_t count) {
  const std::int64_t end = offset_ + count;
  const std::uint32_t base = batch_->columns();
  while (next_asked_ < asked_->size() && (*asked_)[next_asked_].end <= offset_) ++next_asked_;
  const auto column = [&](std::int64_t offset) {
    return base + static_cast<std::uint32_t>(std::clamp(offset, offset_, end) - offset_);
  };
  for (std::size_t i = next_asked_; i < asked_->size() && (*asked_)[i].begin < end; ++i) {
    const Interval asked{column((*asked_)[i].begin), column((*asked_)[i].end)};
    if (asked.begin < asked.end) batch_->ask(asked);
  }
}

void Batcher::need_batch() {
  if (batch_ == nullptr) batch_ = new_batch();
  const bool many_names = batch_->name_bytes() - halo_names_ >= options_.most_name_bytes;
  if (batch_->columns() >= limit() || (many_names && !piece_open_ && batch_->columns() > own_begin_)) cut();
  // A last column that no hit may touch keeps pieces apart too; a second one could fill a tiny batch over and over.
  const std::vector<Interval>& blocked = batch_->blocked();
  const bool apart = batch_->columns() == 0 || (!blocked.empty() && blocked.back().end == batch_->columns());
  if (!piece_open_ && !apart) batch_->append_filler(1);
}

void Batcher::begin_piece() {
  batch_->begin_piece(name_, record_, offset_, reference_);
  piece_open_ = true;
}

// Tells the batch which of the block's columns [from, to), about to be appended, no hit may touch.
void Batcher::block_columns(const PackedBlock& block, std::uint32_t from, std::uint32_t to) {
  const std::uint32_t base = batch_->columns();
  const auto advance = [from](const std::vector<Interval>& intervals, std::size_t& next) {
    while (next < intervals.size() && intervals[next].end <= from) ++next;
  };
  advance(block.not_acgt, next_not_acgt_);
  advance(block.soft_masked, next_soft_masked_);
  auto a = next_not_acgt_;
  auto b = next_soft_masked_;
  const auto inside = [to](const std::vector<Interval>& intervals, std::size_t i) {
    return i < intervals.size() && intervals[i].begin < to;
  };
  while (inside(block.not_acgt, a) || inside(block.soft_masked, b)) {
    const bool take_a = !inside(block.soft_masked, b) ||
                        (inside(block.not_acgt, a) && block.not_acgt[a].begin <= block.soft_masked[b].begin);
    const Interval& interval = take_a ? block.not_acgt[a++] : block.soft_masked[b++];
    batch_->block(base + std::max(interval.begin, from) - from, base + std::min(interval.end, to) - from);
  }
}

// Tells the batch which of the block's columns [from, to), about to be appended, hold letters of their own or lower
// case.
void Batcher::note_columns(const PackedBlock& block, std::uint32_t from, std::uint32_t to) {
  const std::uint32_t base = batch_->columns();
  const auto ends_before = [from](const auto& run) { return run.end <= from; };
  for (auto run = std::partition_point(block.letters.begin(), block.letters.end(), ends_before);
       run != block.letters.end() && run->begin < to; ++run) {
    batch_->add_letters({base + std::max(run->begin, from) - from, base + std::min(run->end, to) - from, run->letter});
  }
  for (auto run = std::partition_point(block.soft_masked.begin(), block.soft_masked.end(), ends_before);
       run != block.soft_masked.end() && run->begin < to; ++run) {
    batch_->add_soft_masked({base + std::max(run->begin, from) - from, base + std::min(run->end, to) - from});
  }
}

// Emits the full batch; what lies past its own columns, and before that the next one's left halo, starts the next one.
void Batcher::cut() {
  std::unique_ptr<PackedBatch> full = std::move(batch_);
  batch_ = new_batch();
  const std::uint32_t own_end = std::min(own_begin_ + options_.batch_columns, full->columns());
  full->finish(own_begin_, own_end);
  const std::uint32_t first = own_end - std::min(own_end, options_.halo_left);
  own_begin_ = own_end - first;
  const PackedView view = full->view();
  const std::vector<Piece>& pieces = full->pieces();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::uint32_t end = i + 1 < pieces.size() ? pieces[i + 1].column : view.columns;
    if (end <= first) continue;
    const std::uint32_t begin = std::max(pieces[i].column, first);
    batch_->begin_piece(full->name(pieces[i]), pieces[i].record, pieces[i].offset + (begin - pieces[i].column),
                        pieces[i].reference);
    batch_->append(view.lo, view.hi, begin, end - begin);
    batch_->trim_piece(std::max(pieces[i].end, begin) - first);
  }
  const auto moved = [&](auto run) {
    run.begin = std::max(run.begin, first) - first;
    run.end = std::min(run.end, view.columns) - first;
    return run;
  };
  for (const Interval& interval : full->blocked()) {
    if (interval.begin >= view.columns || interval.end <= first) continue;
    const Interval kept = moved(interval);
    batch_->block(kept.begin, kept.end);
  }
  for (const LetterRun& run : full->letters()) {
    if (run.end > first) batch_->add_letters(moved(run));
  }
  for (const Interval& interval : full->soft_masked()) {
    if (interval.end > first) batch_->add_soft_masked(moved(interval));
  }
  if (full->asked()) {
    for (const Interval& interval : *full->asked()) {
      if (interval.end > first) batch_->ask(moved(interval));
    }
  }
  halo_names_ = batch_->name_bytes();
  if (batch_->columns() == 0) piece_open_ = false;
  full->number = batches_++;
  emit_(std::move(full));
}

void Batcher::finish() {
  while (batch_ != nullptr && batch_->columns() > own_begin_ + options_.batch_columns) cut();
  if (batch_ == nullptr || batch_->columns() <= own_begin_) return;
  batch_->finish(own_begin_, batch_->columns());
  batch_->number = batches_++;
  emit_(std::move(batch_));
}

void Batcher::fail(const PackedBlock& block) const {
  const std::string where =
      in_record_ ? fmt::format("record '{}', position {}", name_, offset_ + 1) : std::string("before the first record");
  const auto& [offset, what] = *block.error;
  const std::string byte = offset ? fmt::format(" (byte {})", *offset) : std::string();
  throw DataError(fmt::format("{}: {}{}: {}", paths_[source_], where, byte, what));
}

}  // namespace basesweep
