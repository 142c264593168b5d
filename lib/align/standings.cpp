#include "lib/align/standings.hpp"

#include <algorithm>
#include <tuple>

namespace basesweep {

void RecordStandings::add(std::uint32_t group_index, std::uint32_t query_index, const GroupSite& site) {
  if (groups_.size() <= group_index) groups_.resize(group_index + 1);
  if (queries_.size() <= query_index) queries_.resize(query_index + 1);
  Group& group = groups_[group_index];
  Query& query = queries_[query_index];
  if (group.fewest == kNone) used_groups_.push_back(group_index);
  if (query.group == kNone) {
    used_queries_.push_back(query_index);
    query.group = group_index;
  }
  if (site.edits < group.fewest) {
    group.fewest = site.edits;
    group.best = 0;
  }
  if (site.edits == group.fewest) ++group.best;

  OpenSite opened{site, site.edits};
  std::erase_if(query.open, [&](OpenSite& before) {
    if (before.site.end <= site.start) {
      close(before, group);
      return true;
    }
    before.fewest_overlapping = std::min(before.fewest_overlapping, site.edits);
    opened.fewest_overlapping = std::min(opened.fewest_overlapping, before.site.edits);
    return false;
  });
  query.open.push_back(opened);
}

void RecordStandings::close(const OpenSite& site, Group& group) {
  if (group.by_overlapping.size() <= site.fewest_overlapping) {
    group.by_overlapping.resize(site.fewest_overlapping + 1, kNone);
  }
  std::uint32_t& least = group.by_overlapping[site.fewest_overlapping];
  least = std::min(least, site.site.edits);
}

std::vector<RecordStandings::OfGroup> RecordStandings::take() {
  for (const std::uint32_t index : used_queries_) {
    Query& query = queries_[index];
    for (const OpenSite& site : query.open) close(site, groups_[query.group]);
    query.open.clear();
    query.group = kNone;
  }
  used_queries_.clear();

  std::sort(used_groups_.begin(), used_groups_.end());
  std::vector<OfGroup> all;
  for (const std::uint32_t index : used_groups_) {
    Group& group = groups_[index];
    OfGroup of{index, group.fewest, {group.best, std::nullopt}};
    std::uint32_t next = kNone;
    for (std::size_t n = group.fewest + 1; n < group.by_overlapping.size(); ++n) {
      next = std::min(next, group.by_overlapping[n]);
    }
    if (next != kNone) of.standing.next_edits = next;
    all.push_back(of);
    group.fewest = kNone;
    group.best = 0;
    group.by_overlapping.clear();
  }
  used_groups_.clear();
  return all;
}

void BatchStandings::add(std::int64_t record, const std::vector<RecordStandings::OfGroup>& groups) {
  for (const auto& of : groups) entries_.push_back({record, of.group, of.standing});
}

Standing BatchStandings::find(std::int64_t record, std::uint32_t query) const {
  const std::tuple wanted(record, groups_[query]);
  const auto entry = std::partition_point(entries_.begin(), entries_.end(), [&](const RecordStanding& e) {
    return std::tuple(e.record, e.group) < wanted;
  });
  const bool known = entry != entries_.end() && std::tuple(entry->record, entry->group) == wanted;
  return known ? entry->standing : Standing{};
}

}  // namespace basesweep
