// The best guides of each record or region: --top of `guides --design`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace basesweep {

// The best guides of a record, or of several of one name. Kept: what the row of a guide is made of.
template <class Kept>
class BestOfRecord {
 public:
  struct One {
    std::tuple<bool, std::uint64_t, std::uint64_t> rank;
    std::uint32_t site;
    Kept kept;
  };

  void add(One one, std::size_t count) {
    const auto is_better = [](const One& a, const One& b) {
      return std::tie(a.rank, a.site) < std::tie(b.rank, b.site);
    };
    if (best_.size() == count) {
      if (!is_better(one, best_.front())) return;
      std::pop_heap(best_.begin(), best_.end(), is_better);
      best_.pop_back();
    }
    best_.push_back(std::move(one));
    std::push_heap(best_.begin(), best_.end(), is_better);
  }
  // By site.
  std::vector<One> take() {
    std::sort(best_.begin(), best_.end(), [](const One& a, const One& b) { return a.site < b.site; });
    return std::move(best_);
  }

 private:
  std::vector<One> best_;  // the worst is on top
};

// The best guides of all records, by name.
template <class Kept>
class BestOfRecords {
 public:
  using One = typename BestOfRecord<Kept>::One;

  void add(std::string_view record, One one, std::size_t count) {
    const std::size_t group = of_name_.try_emplace(std::string(record), best_.size()).first->second;
    if (group == best_.size()) best_.emplace_back();
    best_[group].add(std::move(one), count);
  }
  // Calls use() for the best of each name, in the order in which the names came.
  template <class Use>
  void take(const Use& use) {
    for (BestOfRecord<Kept>& best : best_) use(best.take());
  }

 private:
  std::vector<BestOfRecord<Kept>> best_;
  std::unordered_map<std::string, std::size_t> of_name_;
};

// The best guides of each region. Regions may overlap.
template <class Kept>
class BestOfRegions {
 public:
  using One = typename BestOfRecord<Kept>::One;

  explicit BestOfRegions(std::size_t regions) : best_(regions) {}

  // The region has the sites [begin, end).
  void add_range(std::size_t region, std::uint32_t begin, std::uint32_t end) {
    ranges_.push_back({begin, end, region});
  }
  // To be called when all ranges are there.
  void sort() {
    std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  }
  // Adds the guide of a site to those of its regions. Sites come by rising number.
  void add(const One& one, std::size_t count) {
    for (; next_ < ranges_.size() && ranges_[next_].begin <= one.site; ++next_) open_.push_back(ranges_[next_]);
    std::erase_if(open_, [&](const Range& range) { return range.end <= one.site; });
    for (const Range& range : open_) best_[range.region].add(one, count);
  }
  // Calls use(region, best) for each region.
  template <class Use>
  void take(const Use& use) {
    for (std::size_t region = 0; region < best_.size(); ++region) use(region, best_[region].take());
  }

 private:
  struct Range {
    std::uint32_t begin;
    std::uint32_t end;
    std::size_t region;
  };

  std::vector<BestOfRecord<Kept>> best_;
  std::vector<Range> ranges_;
  std::size_t next_ = 0;     // of ranges_
  std::vector<Range> open_;  // those that the last site may be in
};

}  // namespace basesweep
