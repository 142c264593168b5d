// How many rows start where along the longest records.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/count_lists.hpp"
#include "lib/base/record_info.hpp"

namespace basesweep {

// A record with bases.
struct ListedRecord {
  std::int64_t reference;  // its number among all with bases, from 0
  std::string name;
  std::int64_t length;
};

// The longest records of a text; of equally long ones the first. Records come in order, by one thread at a time; any
// thread may ask meanwhile.
class LongestRecords {
 public:
  static constexpr std::size_t kMost = 50;

  void add(std::int64_t reference, std::string_view name, std::int64_t length) {
    if (count_ < kMost || length > shortest_) insert(reference, name, length);
    ++count_;
    bases_ += length;
    ended_.store(reference + 1, std::memory_order_release);
  }
  // All records, where they are known beforehand.
  void add_all(std::span<const RecordInfo> records);

  // The records that are among the longest now, or may be when they have ended. Others never will.
  class Possible {
   public:
    bool holds(std::int64_t reference) const {
      return reference >= ended_ || std::binary_search(longest_.begin(), longest_.end(), reference);
    }

   private:
    friend LongestRecords;
    std::int64_t ended_ = 0;  // all records before this one have ended
    std::vector<std::int64_t> longest_;
  };
  Possible possible() const;
  // Records and their bases, of all that came.
  std::size_t count() const { return count_; }
  std::int64_t bases() const { return bases_; }
  // The numbers of the longest records that have ended, in order.
  std::vector<std::int64_t> references() const;
  // In the order of the text, when all have come.
  std::vector<ListedRecord> records() const;

 private:
  void insert(std::int64_t reference, std::string_view name, std::int64_t length);

  mutable std::mutex mutex_;           // of records_
  std::vector<ListedRecord> records_;  // a heap: the first is the one that leaves next
  std::size_t count_ = 0;              // of all that came
  std::int64_t bases_ = 0;             // the same
  std::int64_t shortest_ = 0;          // of records_, if there are kMost
  std::atomic<std::int64_t> ended_{0};
};

// Counts of positions along a record, in bins whose width is a power of two.
class PositionBins {
 public:
  static constexpr std::size_t kMost = 256;

  void add(std::int64_t position, std::uint64_t times = 1) {
    while (position >> shift_ >= static_cast<std::int64_t>(kMost)) widen();
    add_count(static_cast<std::size_t>(position >> shift_), counts_, times);
  }
  void add(const PositionBins& other);
  // The width of the bins of a record of this length: the least with at most kMost bins.
  static std::int64_t width_of(std::int64_t length) {
    const std::int64_t least = (length - 1) / static_cast<std::int64_t>(kMost) + 1;
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(least, 1))));
  }
  // Joins bins until they are as wide as those of a record of this length.
  void fit(std::int64_t length) {
    while (width() < width_of(length)) widen();
  }

  // Bins as width() and counts() give them; nothing: there are none like these.
  static std::optional<PositionBins> of(std::int64_t width, std::vector<std::uint64_t> counts);
  std::int64_t width() const { return std::int64_t{1} << shift_; }
  const std::vector<std::uint64_t>& counts() const { return counts_; }  // without zeros at the end

 private:
  void widen();

  int shift_ = 0;  // width() is 2^shift_
  std::vector<std::uint64_t> counts_;
};

// The rows of one thread. Keeps those of records that are, or may be, among the longest.
class RecordDensity {
 public:
  // `times`: how often it counts.
  void add(std::int64_t reference, std::int64_t start, const LongestRecords& longest, std::uint32_t times = 1) {
    waiting_.push_back({reference, start, times});
    if (waiting_.size() == kWaiting) sort_out(longest);
  }
  // The bins of a record, to add to at once: any later call may drop them.
  PositionBins& bins_of(std::int64_t reference, const LongestRecords& longest) {
    if (bins_.size() >= most_records_) {
      sort_out(longest);
      most_records_ = std::max(kMostRecords, 2 * bins_.size());
    }
    return bins_[reference];
  }
  // When all records have come: adds what this thread has of the longest.
  void add_to(std::map<std::int64_t, PositionBins>& sum, const LongestRecords& longest);

 private:
  static constexpr std::size_t kWaiting = std::size_t{1} << 15;
  static constexpr std::size_t kMostRecords = 4096;

  struct Start {
    std::int64_t reference;
    std::int64_t position;
    std::uint32_t times;
  };
  void sort_out(const LongestRecords& longest);

  std::vector<Start> waiting_;
  std::map<std::int64_t, PositionBins> bins_;  // by the record's number
  std::size_t most_records_ = kMostRecords;    // in bins_ before those that are not needed are dropped
};

}  // namespace basesweep
