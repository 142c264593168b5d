#include "lib/tallies/read_tally.hpp"

#include <algorithm>
#include <span>

#include "lib/base/count_lists.hpp"
#include "lib/compiled/field_bytes.hpp"
#include "lib/rows/read_rows.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMostEdits = std::size_t{1} << 16;
constexpr std::size_t kMapqs = 256;

}  // namespace

void MappedReads::add(const MappedReads& other) {
  add_counts(other.edits, edits);
  add_counts(other.identity, identity);
  add_counts(other.mapq, mapq);
  lengths.add(other.lengths);
  inserts.add(other.inserts);
  for (const auto& [record, bins] : other.along) along[record].add(bins);
}

std::string print_mapped(const MappedReads& reads) {
  FieldWriter to;
  for (const auto* list :
       {&reads.edits, &reads.identity, &reads.mapq, &reads.lengths.counts(), &reads.inserts.counts()}) {
    to.numbers(*list);
  }
  to.number(static_cast<std::uint32_t>(reads.along.size()));
  for (const auto& [record, bins] : reads.along) {
    to.number(record);
    to.number(bins.width());
    to.numbers(bins.counts());
  }
  return to.bytes();
}

bool add_mapped(std::string_view bytes, std::size_t records, MappedReads& sum) {
  FieldReader from(std::as_bytes(std::span(bytes)));
  MappedReads more;
  more.edits = from.numbers(kMostEdits);
  more.identity = from.numbers(MappedReads::kIdentities);
  more.mapq = from.numbers(kMapqs);
  for (Histogram* histogram : {&more.lengths, &more.inserts}) {
    histogram->add_counts(from.numbers(Histogram::kMostBins));
  }
  const auto count = from.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < count && from.ok(); ++i) {
    const auto record = from.number<std::int64_t>();
    const auto width = from.number<std::int64_t>();
    const std::optional<PositionBins> bins = PositionBins::of(width, from.numbers(PositionBins::kMost));
    if (!bins || record < 0 || record >= static_cast<std::int64_t>(records)) return false;
    more.along[record].add(*bins);
  }
  if (!from.at_end()) return false;
  sum.add(more);
  return true;
}

ReadTally::ReadTally(const Reference& reference) : reference_(reference) { longest_.add_all(reference.records); }

void ReadTally::count(const Read& read, const Hit* primary, std::uint8_t mapq) {
  Own& own = own_.local();
  own.reads.lengths.add(read.letters.size());
  if (primary == nullptr) return;
  const std::size_t length = read.letters.size();
  const std::size_t same = length - std::min<std::size_t>(primary->edits, length);
  add_count(primary->edits, own.reads.edits);
  add_count(same * (MappedReads::kIdentities - 1) / std::max<std::size_t>(length, 1), own.reads.identity);
  add_count(mapq, own.reads.mapq);
  const AlignedRead placed = place_read(reference_, read, *primary);
  const std::int64_t width = PositionBins::width_of(reference_.records[static_cast<std::size_t>(placed.record)].length);
  for (std::int64_t start = placed.start; start < placed.end;) {
    const std::int64_t end = std::min(placed.end, (start / width + 1) * width);
    own.density.add(placed.record, start, longest_, static_cast<std::uint32_t>(end - start));
    start = end;
  }
}

void ReadTally::count_pair(const Read& first, const Hit& of_first, const Read& second, const Hit& of_second) {
  if (of_first.query % 2 == of_second.query % 2) return;
  const AlignedRead one = place_read(reference_, first, of_first);
  const AlignedRead other = place_read(reference_, second, of_second);
  if (one.record != other.record) return;
  const std::int64_t size = std::max(one.end, other.end) - std::min(one.start, other.start);
  own_.local().reads.inserts.add(static_cast<std::uint64_t>(size));
}

MappedReads ReadTally::reads() {
  MappedReads sum;
  for (Own& own : own_) {
    sum.add(own.reads);
    own.density.add_to(sum.along, longest_);
  }
  return sum;
}

}  // namespace basesweep
