#include "lib/writer/twobit_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kCopyBytes = std::size_t{1} << 20;
constexpr std::int64_t kMaxNumber = std::numeric_limits<std::uint32_t>::max();

template <class Number>
void add_number(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// Moves bit i of the lower half to bit 2 i.
std::uint64_t spread(std::uint64_t bits) {
  bits &= 0xFFFFFFFF;
  bits = (bits | bits << 16) & 0x0000FFFF0000FFFF;
  bits = (bits | bits << 8) & 0x00FF00FF00FF00FF;
  bits = (bits | bits << 4) & 0x0F0F0F0F0F0F0F0F;
  bits = (bits | bits << 2) & 0x3333333333333333;
  return (bits | bits << 1) & 0x5555555555555555;
}

// The 8 bytes of 32 codes: four a byte, the first in the highest bits.
std::uint64_t bytes_of(std::uint64_t low_bits, std::uint64_t high_bits) {
  std::uint64_t codes = spread(low_bits) | spread(high_bits) << 1;
  codes = (codes >> 4 & 0x0F0F0F0F0F0F0F0F) | (codes & 0x0F0F0F0F0F0F0F0F) << 4;
  return (codes >> 2 & 0x3333333333333333) | (codes & 0x3333333333333333) << 2;
}

// The 64 bits of a plane from position `at` on.
std::uint64_t bits_from(const std::vector<std::uint64_t>& plane, std::uint32_t at) {
  const std::uint64_t bits = plane[at / 64] >> at % 64;
  return at % 64 == 0 ? bits : bits | plane[at / 64 + 1] << (64 - at % 64);
}

// Which of the 64 positions from `at` on lie in the intervals. `next`: see skip_before().
std::uint64_t marks_from(const std::vector<Interval>& intervals, std::uint32_t at, std::size_t& next) {
  skip_before(intervals, at, next);
  std::uint64_t marks = 0;
  for (std::size_t i = next; i < intervals.size() && intervals[i].begin < at + 64; ++i) {
    const std::uint32_t begin = std::max(intervals[i].begin, at) - at;
    const std::uint32_t count = std::min(intervals[i].end, at + 64) - at - begin;
    marks |= (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << begin;
  }
  return marks;
}

// Adds the intervals inside the bases to those of the record.
void add_intervals(const std::vector<Interval>& intervals, const RecordBases& bases, std::vector<std::uint32_t>& all) {
  auto next = std::partition_point(intervals.begin(), intervals.end(),
                                   [&](const Interval& one) { return one.end <= bases.begin; });
  for (; next != intervals.end() && next->begin < bases.end; ++next) {
    const auto begin = static_cast<std::uint32_t>(bases.offset + std::max(next->begin, bases.begin) - bases.begin);
    const auto end = static_cast<std::uint32_t>(bases.offset + std::min(next->end, bases.end) - bases.begin);
    if (!all.empty() && all.back() == begin) {
      all.back() = end;
    } else {
      all.insert(all.end(), {begin, end});
    }
  }
}

// The number of intervals, their begins, their sizes.
void add_blocks(std::string& bytes, const std::vector<std::uint32_t>& intervals) {
  add_number(bytes, static_cast<std::uint32_t>(intervals.size() / 2));
  for (std::size_t i = 0; i < intervals.size(); i += 2) add_number(bytes, intervals[i]);
  for (std::size_t i = 0; i < intervals.size(); i += 2) add_number(bytes, intervals[i + 1] - intervals[i]);
}

}  // namespace

void TwoBitWriter::record_starts(const PackedBlock& block, const CurrentRecord& record) {
  constexpr std::size_t kMaxName = 255;
  const auto refuse = [&](const std::string& what) {
    throw DataError(fmt::format("{}: record '{}': {}", paths_[block.source], record.name, what));
  };
  if (record.name.empty()) refuse("it has no name, which .2bit needs");
  if (record.name.size() > kMaxName)
    refuse(fmt::format("the name has {} bytes, .2bit allows {}", record.name.size(), kMaxName));
  if (!names_.insert(record.name).second) refuse("the name is used twice, which .2bit does not allow");
  records_.push_back({record.name});
  records_.back().codes.begin = -1;
}

void TwoBitWriter::bases(const RecordBases& bases) {
  const std::uint32_t count = bases.end - bases.begin;
  if (bases.offset + count > kMaxNumber)
    throw DataError(fmt::format("{}: record '{}': more than {} bases, which .2bit does not allow",
                                paths_[bases.record.source], bases.record.name, kMaxNumber));
  const PackedBlock& block = bases.block;
  add_intervals(block.not_acgt, bases, unknown_);
  add_intervals(block.soft_masked, bases, masked_);
  std::size_t next = 0;
  for (std::uint32_t at = bases.begin; at < bases.end; at += 64) {
    const std::uint32_t here = std::min(bases.end - at, std::uint32_t{64});
    // The low bit of a code is that of the base; the high bit is set where both bits of the base are equal (A and G).
    const std::uint64_t inside = here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
    const std::uint64_t known = inside & ~marks_from(block.not_acgt, at, next);
    const std::uint64_t lo = bits_from(block.lo, at), hi = bits_from(block.hi, at);
    append(lo & known, ~(lo ^ hi) & known, here);
  }
  positions_ += count;
  if (codes_.size() >= kCopyBytes) flush();
}

void TwoBitWriter::append(std::uint64_t low_bits, std::uint64_t high_bits, unsigned count) {
  low_bits_ |= low_bits << pending_;
  high_bits_ |= high_bits << pending_;
  if (pending_ + count < 64) {
    pending_ += count;
    return;
  }
  add_number(codes_, bytes_of(low_bits_, high_bits_));
  add_number(codes_, bytes_of(low_bits_ >> 32, high_bits_ >> 32));
  const unsigned used = 64 - pending_;
  low_bits_ = used == 64 ? 0 : low_bits >> used;
  high_bits_ = used == 64 ? 0 : high_bits >> used;
  pending_ = pending_ + count - 64;
}

// Puts bytes behind the others, in memory until they are many, and returns where they begin.
std::int64_t TwoBitWriter::put_aside(std::string_view bytes) {
  const std::int64_t begin = spool_.bytes() + static_cast<std::int64_t>(waiting_.size());
  waiting_ += bytes;
  if (waiting_.size() >= kCopyBytes) spool_waiting();
  return begin;
}

void TwoBitWriter::spool_waiting() {
  if (!waiting_.empty()) spool_.append(waiting_);
  waiting_.clear();
}

void TwoBitWriter::flush() {
  FileBytes& place = records_.back().codes;
  const std::int64_t begin = put_aside(codes_);
  if (place.begin < 0) place.begin = begin;
  place.bytes += static_cast<std::int64_t>(codes_.size());
  codes_.clear();
}

void TwoBitWriter::record_ends(const CurrentRecord& record, bool has_bases) {
  if (!has_bases) {
    ++empty_records_;
    records_.pop_back();
    return;
  }
  std::string last;
  add_number(last, bytes_of(low_bits_, high_bits_));
  add_number(last, bytes_of(low_bits_ >> 32, high_bits_ >> 32));
  codes_.append(last, 0, (pending_ + 3) / 4);
  if (records_.back().codes.begin >= 0) flush();
  std::string head;
  add_number(head, static_cast<std::uint32_t>(record.length));
  add_blocks(head, unknown_);
  add_blocks(head, masked_);
  add_number(head, std::uint32_t{0});
  records_.back().head = {put_aside(head), static_cast<std::int64_t>(head.size())};
  // Codes that all fit into memory come behind the head, as in the file. So short records are copied many at a time.
  if (records_.back().codes.begin < 0) flush();
  unknown_.clear();
  masked_.clear();
  low_bits_ = high_bits_ = 0;
  pending_ = 0;
}

void TwoBitWriter::write(ByteSink& sink, bool wide) {
  std::int64_t index_bytes = 16, data_bytes = 0, last_bytes = 0;
  for (const Record& record : records_) {
    index_bytes += static_cast<std::int64_t>(1 + record.name.size() + sizeof(std::uint32_t));
    data_bytes += last_bytes;
    last_bytes = record.head.bytes + record.codes.bytes;
  }
  wide = wide || index_bytes + data_bytes > kMaxNumber;
  if (wide) index_bytes += static_cast<std::int64_t>(records_.size() * sizeof(std::uint32_t));
  std::string index;
  for (const std::uint32_t number : {std::uint32_t{0x1A412743}, std::uint32_t{wide ? 1U : 0U},
                                     static_cast<std::uint32_t>(records_.size()), std::uint32_t{0}}) {
    add_number(index, number);
  }
  std::int64_t offset = index_bytes;
  for (const Record& record : records_) {
    index += static_cast<char>(record.name.size());
    index += record.name;
    wide ? add_number(index, offset) : add_number(index, static_cast<std::uint32_t>(offset));
    offset += record.head.bytes + record.codes.bytes;
  }
  sink.write(index);
  spool_waiting();
  FileBytes next;
  for (const Record& record : records_) {
    for (const FileBytes& place : {record.head, record.codes}) {
      if (place.begin != next.begin + next.bytes) {
        copy(next, sink);
        next = {place.begin, 0};
      }
      next.bytes += place.bytes;
    }
  }
  copy(next, sink);
}

void TwoBitWriter::copy(const FileBytes& place, ByteSink& sink) const {
  std::string bytes;
  for (std::int64_t done = 0; done < place.bytes; done += static_cast<std::int64_t>(bytes.size())) {
    bytes.resize(std::min(kCopyBytes, static_cast<std::size_t>(place.bytes - done)));
    spool_.read_at(place.begin + done, bytes.data(), bytes.size());
    sink.write(bytes);
  }
}

}  // namespace basesweep
