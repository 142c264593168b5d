// Which starts of hits count.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace basesweep {

// Bases [begin, end) of a record, 0-based; `end` may lie past the record's end.
struct Region {
  std::int64_t begin;
  std::int64_t end;
  bool operator==(const Region&) const = default;
};

// Records [begin, end) of `total`, counted over all files of an input.
struct RecordRange {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t total;
};

inline constexpr std::int64_t kToTheEnd = std::int64_t{1} << 62;

// Regions of records, either of records known by name (what a user asks for), or of records known by their place among
// those that have bases (a chunk of a plan, which also knows names and lengths). Adding keeps them sorted and disjoint.
class RegionSet {
 public:
  struct Planned {
    std::string name;
    std::int64_t length;
    std::vector<Region> regions;
  };

  // One that is empty: nothing counts.
  static RegionSet of_names() { return RegionSet(false); }
  // `records`: how many the plan knows.
  static RegionSet of_plan(std::int64_t records) {
    RegionSet regions(true);
    regions.records_ = records;
    return regions;
  }

  void add(const std::string& record, Region region);
  void add(std::int64_t reference, const std::string& record, std::int64_t length, Region region);

  bool planned() const { return planned_; }
  // Of a plan: whether its last record is among those of this set.
  bool has_last() const { return !by_place_.empty() && by_place_.rbegin()->first == records_ - 1; }
  const std::map<std::string, std::vector<Region>>& by_name() const { return by_name_; }
  const std::map<std::int64_t, Planned>& by_place() const { return by_place_; }

  // Those of a record. Throws std::invalid_argument, saying what was expected, where the plan has another record at
  // this place.
  const std::vector<Region>& of(std::int64_t reference, const std::string& record) const;

 private:
  explicit RegionSet(bool planned) : planned_(planned) {}

  bool planned_;
  std::int64_t records_ = 0;
  std::map<std::string, std::vector<Region>> by_name_;
  std::map<std::int64_t, Planned> by_place_;
};

// "record", "record:from-" or "record:from-to", from 1, both ends included.
std::string print_region(const std::string& record, const Region& region);

// The regions, each `left` bases longer to the left, not past the record's begin, and `right` to the right; joined
// where they then touch.
std::vector<Region> widened(const std::vector<Region>& regions, std::int64_t left, std::int64_t right);

}  // namespace basesweep
