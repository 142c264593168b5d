// The regions that a search is limited to: a hit counts when it starts in one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace basesweep {

// Bases [begin, end) of a record, 0-based. `end` may lie past the record's end.
struct Region {
  std::int64_t begin;
  std::int64_t end;
  bool operator==(const Region&) const = default;
};

// Records [begin, end) of the `total` records of an input, counted over all its files from 0.
struct RecordRange {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t total;
};

// The `end` of a region that reaches to the record's end, whatever its length.
inline constexpr std::int64_t kToTheEnd = std::int64_t{1} << 62;

// Regions of records. There are two kinds of sets: one knows records by their names, as --region does. The other is the
// chunk of a plan. It knows records by their number among those that have bases, and their names and lengths too.
// The regions of each record are kept sorted and disjoint, and joined where they touch.
class RegionSet {
 public:
  // A record of a plan.
  struct Planned {
    std::string name;
    std::int64_t length;  // in bases
    std::vector<Region> regions;
  };

  // An empty set of the first kind: no hit counts until regions are added.
  static RegionSet of_names() { return RegionSet(false); }
  // An empty set of the second kind. `records`: how many records with bases the plan has.
  static RegionSet of_plan(std::int64_t records) {
    RegionSet regions(true);
    regions.records_ = records;
    return regions;
  }

  // Adds a region; the first function to a set of names, the second to a set of a plan. `reference`: the record's
  // number among those that have bases, from 0. `length`: its length. An empty region is left out.
  void add(const std::string& record, Region region);
  void add(std::int64_t reference, const std::string& record, std::int64_t length, Region region);

  bool planned() const { return planned_; }  // of the second kind
  // Whether the set has the last record of its plan.
  bool has_last() const { return !by_place_.empty() && by_place_.rbegin()->first == records_ - 1; }
  const std::map<std::string, std::vector<Region>>& by_name() const { return by_name_; }
  const std::map<std::int64_t, Planned>& by_place() const { return by_place_; }

  // The regions of a record, which the set owns. Throws std::invalid_argument when the plan has another record at this
  // place; the message says which.
  const std::vector<Region>& of(std::int64_t reference, const std::string& record) const;

 private:
  explicit RegionSet(bool planned) : planned_(planned) {}

  bool planned_;
  std::int64_t records_ = 0;
  std::map<std::string, std::vector<Region>> by_name_;
  std::map<std::int64_t, Planned> by_place_;
};

// The region as --region takes it: "record", "record:from-" or "record:from-to", 1-based, both ends included.
std::string print_region(const std::string& record, const Region& region);

// A warning about a region that ends past the end of its record, which has `length` bases.
std::string cut_region(const std::string& record, const Region& region, std::int64_t length);
// Passes the first of such warnings on, and the number of the others.
void warn_of_regions(const std::vector<std::string>& warnings, const std::function<void(const std::string&)>& warn);

// The regions, each made longer by `left` bases to the left, up to the record's start, and by `right` to the right, and
// joined where they then touch. `regions` are sorted and disjoint, and so is the result.
std::vector<Region> widened(const std::vector<Region>& regions, std::int64_t left, std::int64_t right);

}  // namespace basesweep
