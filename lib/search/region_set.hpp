// The regions that a search is limited to: a hit counts when it starts in one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace basesweep {

// Bases [begin, end) of a record, 0-based. `end` may be past the record's end.
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

// A text such as "A:1:20", which names either a whole record or a region of a record with a shorter name.
struct EitherRegion {
  std::string text;    // also the name of the whole record
  std::string record;  // that has the region
  Region region;
};

// The treatment of a region whose record is not in the input.
enum class AbsentRecord { refused, warned };

// Warnings about requested regions.
struct RegionWarnings {
  std::string absent;            // about regions of records that the input lacks; "": there are none
  std::vector<std::string> cut;  // about each region that ends past the end of its record
};

// Regions of records. There are two kinds of sets: one knows records by their names, as --region does. The other is the
// chunk of a plan. It knows records by their number among those that have bases, and their names and lengths too.
// The regions of each record are kept sorted and disjoint, and joined where they touch.
class RegionSet {
 public:
  // A record of a plan.
  struct PlannedRecord {
    std::string name;
    std::int64_t length;       // in bases
    std::int64_t first_begin;  // of the first region of the record, in this chunk or an earlier one
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

  // Adds a region to a set of names. An empty region is left out.
  void add(const std::string& record, Region region, AbsentRecord absent = AbsentRecord::refused);
  // Adds both meanings of a text to a set of names. Which of them the input has is known once all of its names are.
  void add(const EitherRegion& either);
  // Adds a region to a set of a plan. `reference`: the record's number among those that have bases, from 0. `length`:
  // its length. `first_begin`: see Planned. An empty region is left out.
  void add(std::int64_t reference, const std::string& record, std::int64_t length, Region region,
           std::int64_t first_begin = 0);

  // Tells whether the input has a record of this name, with bases.
  using HasRecord = std::function<bool(const std::string& name)>;
  // Compares a set of names with the records of an input. `known`: names of its records, which a message may suggest.
  // Returns a warning about regions of records that it lacks ("": there are none). Throws DataError if it lacks a
  // record that add() was not told to warn of, or all of them, and if it has both records that a text may mean.
  // `input`: as messages name it.
  std::string check_names(const HasRecord& has, const std::vector<std::string>& known, const std::string& input) const;
  // The text that also names a whole record, if a region of `record` is one of its two meanings; "" otherwise.
  std::string whole_name_of(const std::string& record) const;

  bool planned() const { return planned_; }  // of the second kind
  // Whether the set has the last record of its plan.
  bool has_last() const { return !by_place_.empty() && by_place_.rbegin()->first == records_ - 1; }
  // All regions of a set of names, in both meanings of a text that has two. The input may lack records of them.
  const std::map<std::string, std::vector<Region>>& by_name() const { return by_name_; }
  const std::map<std::int64_t, PlannedRecord>& by_place() const { return by_place_; }

  // The regions of a record, which the set owns. Throws std::invalid_argument when the plan has another record at this
  // place; the message says which.
  const std::vector<Region>& of(std::int64_t reference, const std::string& record) const;

 private:
  explicit RegionSet(bool planned) : planned_(planned) {}

  bool planned_;
  std::int64_t records_ = 0;
  std::map<std::string, std::vector<Region>> by_name_;
  std::set<std::string> required_;                // names of records that the input must have
  std::map<std::string, std::int64_t> expected_;  // of those that it may lack, with the number of their regions
  std::vector<EitherRegion> either_;
  std::map<std::int64_t, PlannedRecord> by_place_;
};

// The region as --region takes it: "record", "record:from-" or "record:from-to", 1-based, both ends included.
std::string print_region(const std::string& record, const Region& region);

// A warning about a region that ends past the end of its record, which has `length` bases.
std::string cut_region(const std::string& record, const Region& region, std::int64_t length);
// Passes warnings on: of regions that are cut, the first ones and the number of the others.
void warn_of_regions(const RegionWarnings& warnings, const std::function<void(const std::string&)>& warn);

// The regions, each made longer by `left` bases to the left, up to the record's start, and by `right` to the right, and
// joined where they then touch. `regions` are sorted and disjoint, and so is the result.
std::vector<Region> widened(const std::vector<Region>& regions, std::int64_t left, std::int64_t right);

}  // namespace basesweep
