#include "lib/search/packed_batch.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "lib/base/dna.hpp"
#include "lib/search/append_bits.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kAlignment = 64;

// The letters of 4 positions. The index is their 4 bits of the plane `lo` and, above these, their 4 bits of `hi`.
constexpr auto kLettersOf4 = [] {
  std::array<std::array<char, 4>, 256> letters{};
  for (unsigned bits = 0; bits < letters.size(); ++bits) {
    for (unsigned i = 0; i < 4; ++i) letters[bits][i] = base_letter((bits >> i & 1) | (bits >> (i + 4) & 1) << 1);
  }
  return letters;
}();

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

void PackedBatch::reserve_like(const PackedBatch& other) {
  segments_.reserve(other.segments_.size());
  stretches_.reserve(other.stretches_.size());
  names_.reserve(other.names_.size());
}

void PackedBatch::append(const std::uint64_t* lo, const std::uint64_t* hi, std::uint32_t from, std::uint32_t count,
                         const std::shared_ptr<const void>& owner) {
  if (owner != nullptr) {
    use_planes(lo, hi, owner);
    return append_owned(from, count);
  }
  fill();
  copy_planes(lo, hi, {from, count, positions_, 0});
  positions_ += count;
  if (!segments_.empty()) segments_.back().end = positions_;
}

void PackedBatch::append(const PackedBatch& other, std::uint32_t from, std::uint32_t count) {
  const std::uint32_t end = from + count;
  if (from < other.filled_) {
    const std::uint32_t set = std::min(end, other.filled_) - from;
    append(other.lo_, other.hi_, from, set);
    from += set;
  }
  const std::uint32_t begin = positions_;
  for (auto next = std::partition_point(other.stretches_.begin(), other.stretches_.end(),
                                        [&](const Stretch& one) { return one.position + one.count <= from; });
       next != other.stretches_.end() && next->position < end; ++next) {
    const std::uint32_t first = std::max(next->position, from);
    const std::uint32_t last = std::min(next->position + next->count, end);
    const Planes& planes = other.planes_[next->planes];
    positions_ = begin + (first - from);
    append(planes.lo, planes.hi, next->from + (first - next->position), last - first, planes.owner);
  }
  positions_ = begin + (end - from);
  if (!segments_.empty()) segments_.back().end = positions_;
}

void PackedBatch::append_with_lists(const PackedBatch& other, std::uint32_t begin, std::uint32_t end) {
  for (std::size_t i = other.segments_.empty() ? 0 : other.segment_at(begin); i < other.segments_.size(); ++i) {
    const Segment& segment = other.segments_[i];
    if (segment.position >= end) break;
    const std::uint32_t next = i + 1 < other.segments_.size() ? other.segments_[i + 1].position : other.positions_;
    if (next <= begin) continue;
    const std::uint32_t first = std::max(segment.position, begin);
    begin_segment(other.name(segment), segment.record, segment.offset + (first - segment.position), segment.reference,
                  segment.source);
    mark_circular(segment.circular_length);
    append(other, first, std::min(next, end) - first);  // with the filler behind the segment
    trim_segment(std::max(segment.end, first) - begin);
    if (segment.ends_record && segment.end <= end) end_record();
  }
  const auto for_inside = [begin, end](const auto& runs, auto use) {
    for (auto run = std::partition_point(runs.begin(), runs.end(), [begin](const auto& r) { return r.end <= begin; });
         run != runs.end() && run->begin < end; ++run) {
      auto moved = *run;
      moved.begin = std::max(run->begin, begin) - begin;
      moved.end = std::min(run->end, end) - begin;
      use(moved);
    }
  };
  for_inside(other.blocked_, [this](const Interval& interval) { block(interval.begin, interval.end); });
  for_inside(other.letters_, [this](const LetterRun& run) { add_letters(run); });
  for_inside(other.soft_masked_, [this](const Interval& interval) { add_soft_masked(interval); });
  if (other.requested_) for_inside(*other.requested_, [this](const Interval& interval) { request(interval); });
}

std::unique_ptr<PackedBatch> PackedBatch::part(Interval own, std::uint32_t halo_left, std::uint32_t halo_right) const {
  const std::uint32_t begin = own.begin - std::min(own.begin, halo_left);
  const std::uint32_t end = own.end + std::min(positions_ - own.end, halo_right);
  auto part = std::make_unique<PackedBatch>(end - begin, 64 * (pad_words_ - kPlanePadWords), memory_);
  if (requested_) part->restrict_to_requested();
  part->append_with_lists(*this, begin, end);
  part->finish(own.begin - begin, own.end - begin);
  part->number = number;
  part->part_begin = part_begin + (own.begin - own_begin_);
  part->last_part = last_part && own.end == own_end_;
  return part;
}

void PackedBatch::use_planes(const std::uint64_t* lo, const std::uint64_t* hi,
                             const std::shared_ptr<const void>& owner) {
  if (planes_.empty() || planes_.back().lo != lo || planes_.back().owner != owner) planes_.push_back({lo, hi, owner});
}

void PackedBatch::copy_planes(const std::uint64_t* lo, const std::uint64_t* hi, const Stretch& stretch) noexcept {
  clear_up_to(stretch.position);
  append_bits(lo_, stretch.position, lo, stretch.from, stretch.count);
  append_bits(hi_, stretch.position, hi, stretch.from, stretch.count);
  filled_ = stretch.position + stretch.count;
}

// Filler has bits 0. So have the positions behind the last one in its word.
void PackedBatch::clear_up_to(std::uint32_t position) noexcept {
  for (std::size_t word = words_for(filled_); word < words_for(position); ++word) lo_[word] = hi_[word] = 0;
  filled_ = position;
}

void PackedBatch::fill() noexcept {
  for (const Stretch& one : stretches_) copy_planes(planes_[one.planes].lo, planes_[one.planes].hi, one);
  clear_up_to(positions_);
  stretches_ = {};
  planes_.clear();
}

void PackedBatch::request(Interval positions) {
  if (!requested_->empty() && requested_->back().end == positions.begin) {
    requested_->back().end = positions.end;
  } else {
    requested_->push_back(positions);
  }
}

void PackedBatch::finish(std::uint32_t own_begin, std::uint32_t own_end) {
  own_begin_ = own_begin;
  own_end_ = own_end;
  if (stretches_.empty()) fill();
  block(positions_, std::numeric_limits<std::uint32_t>::max());
  std::fill_n(lo_ + words_for(positions_), pad_words_, 0);
  std::fill_n(hi_ + words_for(positions_), pad_words_, 0);
}

PackedView PackedBatch::view() const {
  if (filled_ != positions_) throw std::logic_error("a batch is read before it is filled");
  return {lo_, hi_, blocked_.data(), static_cast<std::uint32_t>(blocked_.size()), positions_, own_begin_, own_end_};
}

std::size_t PackedBatch::segment_at(std::uint32_t position) const {
  const auto next = std::partition_point(segments_.begin() + 1, segments_.end(),
                                         [position](const Segment& segment) { return segment.position <= position; });
  return static_cast<std::size_t>(next - segments_.begin()) - 1;
}

void PackedBatch::copy_letters(std::uint32_t begin, std::uint32_t end, char* out) const {
  constexpr std::uint32_t kAtOnce = 4;
  constexpr std::uint32_t kMask = (1U << kAtOnce) - 1;
  for (std::uint32_t position = begin; position < end;) {
    std::uint64_t lo = lo_[position / 64] >> (position % 64);
    std::uint64_t hi = hi_[position / 64] >> (position % 64);
    const std::uint32_t stop = std::min(end, position / 64 * 64 + 64);
    for (; position + kAtOnce <= stop; position += kAtOnce, lo >>= kAtOnce, hi >>= kAtOnce, out += kAtOnce) {
      std::memcpy(out, kLettersOf4[(lo & kMask) | (hi & kMask) << kAtOnce].data(), kAtOnce);
    }
    const std::array<char, kAtOnce>& last = kLettersOf4[(lo & kMask) | (hi & kMask) << kAtOnce];
    for (std::uint32_t i = 0; position < stop; ++position, ++i) *out++ = last[i];
  }
  out -= end - begin;
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
