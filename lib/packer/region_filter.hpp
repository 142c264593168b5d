// Decides which bases of the input count, and which are searched at all, when regions are requested.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "lib/packer/record_cursor.hpp"
#include "lib/search/region_set.hpp"

namespace basesweep {

// There are two lists of regions for the current record: the requested ones, where hits must start to count, and those
// in reach, which are the requested ones made longer by the halos, and are searched. Both are sorted and disjoint.
// Records and bases must come in order. Not thread-safe.
class RegionFilter {
 public:
  // `regions` must outlive the filter. `paths`: as messages name the files. Halos in bases to either side of a region.
  RegionFilter(const RegionSet& regions, std::vector<std::string> paths, std::uint32_t halo_left,
               std::uint32_t halo_right);

  // A record's first base comes next, or a window that begins inside the record. Throws DataError where the plan has
  // another record in its place. `circular`: what is in reach may begin before the record.
  struct Entered {
    bool first = false;    // regions of the record are requested, and it was not entered before
    bool counted = false;  // it is to be counted, see SourceCounts: with a plan, by the chunk that has its first region
  };
  Entered enter(const CurrentRecord& record, bool circular = false);
  // The record has no more bases. Throws DataError where its last region begins past its end, and, with a plan, where a
  // region ends past its end or the plan has a shorter record.
  void leave(const CurrentRecord& record);
  // The input has ended with this record. Throws DataError if there is a region of a record that did not come.
  void check_complete(const CurrentRecord& last);
  const RegionWarnings& warnings() const { return warnings_; }
  // Whether all bases that are still to come, of this record or later ones, are out of reach.
  bool past_all(const CurrentRecord& record) const;

  // Regions of the record that was entered last: those in reach, and those requested.
  const std::vector<Region>& in_reach() const { return in_reach_; }
  const std::vector<Region>& requested() const { return *requested_; }
  // Call `use` with the parts of the bases that are requested, or in reach, in order. A part may be empty.
  template <class Use>
  void for_requested(const RecordBases& bases, Use use) {
    for_parts(*requested_, next_requested_, bases, use);
  }
  template <class Use>
  void for_reached(const RecordBases& bases, Use use) {
    for_parts(in_reach_, next_in_reach_, bases, use);
  }

 private:
  // `next`: the first of the regions that reaches beyond the bases of earlier calls.
  template <class Use>
  static void for_parts(const std::vector<Region>& regions, std::size_t& next, const RecordBases& bases, Use use) {
    const std::int64_t end = bases.offset + (bases.end - bases.begin);
    const auto position = [&](std::int64_t offset) {
      return bases.begin + static_cast<std::uint32_t>(std::clamp(offset, bases.offset, end) - bases.offset);
    };
    for (; next < regions.size() && regions[next].begin < end; ++next) {
      use(bases.part(position(regions[next].begin), position(regions[next].end)));
      if (regions[next].end > end) return;
    }
  }

  const RegionSet& regions_;
  const std::vector<std::string> paths_;
  const std::uint32_t halo_left_;
  const std::uint32_t halo_right_;
  const std::vector<Region>* requested_ = nullptr;  // in regions_
  std::vector<Region> in_reach_;
  std::size_t next_requested_ = 0;
  std::size_t next_in_reach_ = 0;
  std::int64_t last_entered_ = -1;    // CurrentRecord::reference of the last record that has regions
  std::set<std::string> names_seen_;  // with regions by name: the names of the records with regions that have come
  std::vector<std::string> names_;    // with regions by name: the names of the first records
  RegionWarnings warnings_;
};

}  // namespace basesweep
