#include "lib/tallies/record_density.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace basesweep {
namespace {

// Whether `a` stays longer among the longest than `b`.
bool stays_longer(const ListedRecord& a, const ListedRecord& b) {
  return a.length != b.length ? a.length > b.length : a.reference < b.reference;
}

}  // namespace

void LongestRecords::insert(std::int64_t reference, std::string_view name, std::int64_t length) {
  const std::lock_guard lock(mutex_);
  if (records_.size() == kMost) {
    std::pop_heap(records_.begin(), records_.end(), stays_longer);
    records_.pop_back();
  }
  records_.push_back({reference, std::string(name), length});
  std::push_heap(records_.begin(), records_.end(), stays_longer);
  shortest_ = records_.front().length;
}

void LongestRecords::add_all(std::span<const RecordInfo> records) {
  for (const RecordInfo& record : records) add(static_cast<std::int64_t>(count_), record.name, record.length);
}

std::vector<std::int64_t> LongestRecords::references() const {
  std::vector<std::int64_t> references;
  {
    const std::lock_guard lock(mutex_);
    for (const ListedRecord& record : records_) references.push_back(record.reference);
  }
  std::sort(references.begin(), references.end());
  return references;
}

LongestRecords::Possible LongestRecords::possible() const {
  Possible possible;
  possible.ended_ = ended_.load(std::memory_order_acquire);  // before references(), so that no record is missed
  possible.longest_ = references();
  return possible;
}

std::vector<ListedRecord> LongestRecords::records() const {
  const std::lock_guard lock(mutex_);
  std::vector<ListedRecord> records = records_;
  std::sort(records.begin(), records.end(),
            [](const ListedRecord& a, const ListedRecord& b) { return a.reference < b.reference; });
  return records;
}

void PositionBins::widen() {
  ++shift_;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const std::uint64_t count = std::exchange(counts_[i], 0);
    counts_[i / 2] += count;
  }
  counts_.resize((counts_.size() + 1) / 2);
}

void PositionBins::add(const PositionBins& other) {
  PositionBins more = other;
  while (more.shift_ < shift_) more.widen();
  while (shift_ < more.shift_) widen();
  add_counts(more.counts_, counts_);
}

std::optional<PositionBins> PositionBins::of(std::int64_t width, std::vector<std::uint64_t> counts) {
  constexpr std::int64_t kMostWidth = std::int64_t{1} << 48;
  if (width < 1 || width > kMostWidth || (width & (width - 1)) != 0 || counts.size() > kMost) return std::nullopt;
  PositionBins bins;
  bins.shift_ = std::countr_zero(static_cast<std::uint64_t>(width));
  bins.counts_ = std::move(counts);
  return bins;
}

// Keeps the starts in records that are among the longest, or have not ended.
void RecordDensity::sort_out(const LongestRecords& longest) {
  const LongestRecords::Possible possible = longest.possible();
  std::erase_if(bins_, [&](const auto& one) { return !possible.holds(one.first); });
  for (std::size_t i = 0; i < waiting_.size();) {
    const std::int64_t reference = waiting_[i].reference;
    std::size_t end = i;
    while (end < waiting_.size() && waiting_[end].reference == reference) ++end;
    if (possible.holds(reference)) {
      PositionBins& bins = bins_[reference];
      for (; i < end; ++i) bins.add(waiting_[i].position, waiting_[i].times);
    }
    i = end;
  }
  waiting_.clear();
}

void RecordDensity::add_to(std::map<std::int64_t, PositionBins>& sum, const LongestRecords& longest) {
  sort_out(longest);
  for (const std::int64_t reference : longest.references()) {
    const auto own = bins_.find(reference);
    if (own != bins_.end()) sum[reference].add(own->second);
  }
}

}  // namespace basesweep
