// Which sites of a record are its best, and how many more edits the next ones have (--report best-per-record).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace basesweep {

// The sites of one record compete in groups: a group holds the sites of one pattern, or all sites of the record. A
// standing says how many sites of a group are its best, and how close the next one comes.
struct Standing {
  std::uint64_t best = 0;  // sites with the fewest edits of the group; 0: not known
  // Fewest edits of another site of the group that overlaps no best site of its own pattern and strand; nothing without
  // such a site.
  std::optional<std::uint32_t> next_edits{};
};

// A site as far as its group's standing depends on it.
struct GroupSite {
  std::int64_t start;   // in its record, 0-based
  std::int64_t end;     // exclusive
  std::uint32_t edits;  // with the bases that hang over
};

// Computes the standings of one record after another. Memory depends on the number of groups and queries, and on how
// many sites of a query overlap, but not on the number of sites.
class RecordStandings {
 public:
  // Takes the next site of the record, in order of start. `group` and `query`: small numbers from 0; a query is a
  // pattern on one strand, with all its sequences.
  void add(std::uint32_t group, std::uint32_t query, const GroupSite& site);
  // Fewest edits of the group's sites so far; it has at least one.
  std::uint32_t fewest_edits(std::uint32_t group) const { return groups_[group].fewest; }
  // The groups that have sites, in ascending order, and their standings. To be called when the record is complete.
  struct OfGroup {
    std::uint32_t group;
    std::uint32_t fewest_edits;
    Standing standing;
  };
  std::vector<OfGroup> take();  // forgets the record

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  // A site that sites to come may still overlap.
  struct OpenSite {
    GroupSite site;
    std::uint32_t fewest_overlapping;  // fewest edits of the query's sites that overlap it, itself included
  };
  struct Query {
    std::uint32_t group = kNone;
    std::vector<OpenSite> open;
  };
  struct Group {
    std::uint32_t fewest = kNone;
    std::uint64_t best = 0;  // sites with that many edits
    // Element n: fewest edits of a site whose OpenSite::fewest_overlapping is n. If n is more than the group's fewest
    // edits, the site overlaps no best one.
    std::vector<std::uint32_t> by_overlapping;
  };

  static void close(const OpenSite& site, Group& group);

  std::vector<Query> queries_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> used_queries_;  // that have sites in this record
  std::vector<std::uint32_t> used_groups_;
};

// The standings of records in a batch.
class BatchStandings {
 public:
  BatchStandings() = default;
  // `groups`: the group of each query; must outlive this.
  explicit BatchStandings(std::span<const std::uint32_t> groups) : groups_(groups) {}

  // `record`: its number (Segment::record). Records must come in ascending order.
  void add(std::int64_t record, const std::vector<RecordStandings::OfGroup>& groups);
  // Returns the standing of the query's group in this record; its `best` is 0 if the group was not added.
  Standing of(std::int64_t record, std::uint32_t query) const {
    return entries_.empty() ? Standing{} : find(record, query);
  }

 private:
  struct RecordStanding {
    std::int64_t record;
    std::uint32_t group;
    Standing standing;
  };
  Standing find(std::int64_t record, std::uint32_t query) const;

  std::span<const std::uint32_t> groups_;
  std::vector<RecordStanding> entries_;  // by record and group
};

}  // namespace basesweep
