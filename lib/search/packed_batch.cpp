#include "lib/search/packed_batch.hpp"

#include <algorithm>
#include <limits>

#include "lib/base/dna.hpp"
#include "lib/search/append_bits.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kAlignment = 64;

}  // namespace

PackedBatch::PackedBatch(std::uint32_t capacity, std::uint32_t pad_positions, std::pmr::memory_resource* memory)
    : memory_(memory),
      capacity_(capacity),
      pad_words_(static_cast<std::uint32_t>(words_for(pad_positions)) + kPlanePadWords),
      lo_(static_cast<std::uint64_t*>(memory_->allocate(2 * bytes(), kAlignment))),
      hi_(lo_ + bytes() / sizeof(std::uint64_t)) {}

PackedBatch::~PackedBatch() { memory_->deallocate(lo_, 2 * bytes(), kAlignment); }

std::size_t PackedBatch::bytes() const {
  const std::size_t bytes = (words_for(capacity_) + pad_words_) * sizeof(std::uint64_t);
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::size_t PackedBatch::plane_words() const { return words_for(positions_) + pad_words_; }

void PackedBatch::append(const std::uint64_t* lo, const std::uint64_t* hi, std::uint32_t from, std::uint32_t count) {
  append_bits(lo_, positions_, lo, from, count);
  append_bits(hi_, positions_, hi, from, count);
  positions_ += count;
  if (!segments_.empty()) segments_.back().end = positions_;
}

void PackedBatch::append_filler(std::uint32_t count) {
  block(positions_, positions_ + count);
  for (std::uint32_t i = 0; i < count; ++i, ++positions_) {
    if (positions_ % 64 == 0) lo_[positions_ / 64] = hi_[positions_ / 64] = 0;
  }
}

void PackedBatch::block(std::uint32_t begin, std::uint32_t end) {
  if (begin >= end) return;
  if (!blocked_.empty() && begin <= blocked_.back().end) {
    blocked_.back().end = std::max(blocked_.back().end, end);
  } else {
    blocked_.push_back({begin, end});
  }
}

void PackedBatch::request(Interval positions) {
  if (!requested_->empty() && requested_->back().end == positions.begin) {
    requested_->back().end = positions.end;
  } else {
    requested_->push_back(positions);
  }
}

void PackedBatch::begin_segment(std::string_view name, std::int64_t record, std::int64_t offset, std::int64_t reference,
                                std::uint32_t source) {
  const bool same = !segments_.empty() && segments_.back().record == record;
  const Segment segment{positions_,
                        positions_,
                        same ? segments_.back().name_begin : static_cast<std::uint32_t>(names_.size()),
                        static_cast<std::uint32_t>(name.size()),
                        record,
                        offset,
                        reference,
                        source,
                        0};
  if (!same) names_ += name;
  if (!segments_.empty() && segments_.back().position == positions_) {
    segments_.back() = segment;
  } else {
    segments_.push_back(segment);
  }
}

void PackedBatch::mark_circular(std::int64_t length) {
  if (length == 0) return;
  segments_.back().circular_length = length;
  has_circular_ = true;
}

void PackedBatch::finish(std::uint32_t own_begin, std::uint32_t own_end) {
  own_begin_ = own_begin;
  own_end_ = own_end;
  block(positions_, std::numeric_limits<std::uint32_t>::max());
  std::fill_n(lo_ + words_for(positions_), pad_words_, 0);
  std::fill_n(hi_ + words_for(positions_), pad_words_, 0);
}

PackedView PackedBatch::view() const {
  return {lo_, hi_, blocked_.data(), static_cast<std::uint32_t>(blocked_.size()), positions_, own_begin_, own_end_};
}

std::size_t PackedBatch::segment_at(std::uint32_t position) const {
  const auto next = std::partition_point(segments_.begin() + 1, segments_.end(),
                                         [position](const Segment& segment) { return segment.position <= position; });
  return static_cast<std::size_t>(next - segments_.begin()) - 1;
}

void PackedBatch::copy_letters(std::uint32_t begin, std::uint32_t end, char* out) const {
  for (std::uint32_t position = begin; position < end;) {
    std::uint64_t lo = lo_[position / 64] >> (position % 64);
    std::uint64_t hi = hi_[position / 64] >> (position % 64);
    for (const std::uint32_t stop = std::min(end, position / 64 * 64 + 64); position < stop;
         ++position, lo >>= 1, hi >>= 1) {
      out[position - begin] = "ACTG"[(lo & 1) | (hi & 1) << 1];
    }
  }
  auto run =
      std::partition_point(letters_.begin(), letters_.end(), [begin](const LetterRun& r) { return r.end <= begin; });
  for (; run != letters_.end() && run->begin < end; ++run) {
    for (std::uint32_t position = std::max(run->begin, begin); position < std::min(run->end, end); ++position) {
      out[position - begin] = run->letter;
    }
  }
}

bool PackedBatch::touches_soft_masked(std::uint32_t begin, std::uint32_t end) const {
  const auto interval = std::partition_point(soft_masked_.begin(), soft_masked_.end(),
                                             [begin](const Interval& i) { return i.end <= begin; });
  return interval != soft_masked_.end() && interval->begin < end;
}

unsigned PackedBatch::code(std::uint32_t position) const {
  return static_cast<unsigned>((lo_[position / 64] >> (position % 64) & 1) | (hi_[position / 64] >> (position % 64) & 1)
                                                                                 << 1);
}

}  // namespace basesweep
