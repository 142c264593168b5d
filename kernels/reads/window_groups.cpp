#include "kernels/reads/window_groups.hpp"

#include <algorithm>
#include <utility>

namespace basesweep {
namespace {

// Longer windows are cut, so that neighbouring lanes are similar and a group's positions stay in the cache.
constexpr std::uint32_t kPartPositions = 512;
// Lengths that differ by less than this count as equal, so that windows of similar width come together.
constexpr std::uint32_t kLengthStep = 16;

std::uint64_t cells(std::uint32_t rows, std::uint32_t band) { return std::uint64_t{rows + kLengthStep} * band; }

}  // namespace

WindowGroups::WindowGroups(const ReadQueryView& reads, const std::vector<QueryWindow>& windows, std::uint32_t lanes)
    : reads_(reads) {
  cut(windows);
  sort();
  for (std::size_t at = 0; at < order_.size(); ++at) {
    if (!groups_.empty() && groups_.back().count < lanes) {
      WindowGroup grown = groups_.back();
      grow(grown, order_[at]);
      // A window begins a new group if more than half of the work on it, or on the group, would be in vain.
      const QueryWindow& window = windows_[order_[at]];
      const ReadQuery& query = reads_.queries[window.query];
      const std::uint64_t own = cells(query.length, window.end - window.first + 2U * query.edits);
      const std::uint64_t before = cells(groups_.back().rows, groups_.back().band());
      const std::uint64_t together = cells(grown.rows, grown.band());
      if (together <= 2 * own && together <= 2 * before) {
        groups_.back() = grown;
        continue;
      }
    }
    groups_.push_back({windows_.data(), order_.data() + at, 0, 0, 0, 0});
    grow(groups_.back(), order_[at]);
  }
}

void WindowGroups::cut(const std::vector<QueryWindow>& windows) {
  windows_.reserve(windows.size());
  for (const QueryWindow& window : windows) {
    const std::uint32_t max_positions = std::max(kPartPositions, 2U * reads_.queries[window.query].edits);
    for (std::uint32_t first = window.first; first < window.end;) {
      const std::uint32_t end = window.end - first > max_positions ? first + max_positions : window.end;
      windows_.push_back({window.query, first, end});
      first = end;
    }
  }
}

void WindowGroups::sort() {
  // By length, edits and positions; then by the index, which keeps the order of equals.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> keys;
  keys.reserve(windows_.size());
  for (const QueryWindow& window : windows_) {
    const ReadQuery& query = reads_.queries[window.query];
    keys.emplace_back(std::uint64_t{query.length / kLengthStep} << 48 | std::uint64_t{query.edits} << 32 |
                          (window.end - window.first),
                      static_cast<std::uint32_t>(keys.size()));
  }
  if (!std::is_sorted(keys.begin(), keys.end())) std::sort(keys.begin(), keys.end());
  order_.reserve(keys.size());
  for (const auto& key : keys) order_.push_back(key.second);
}

void WindowGroups::grow(WindowGroup& group, std::uint32_t index) const {
  const QueryWindow& window = windows_[index];
  const ReadQuery& query = reads_.queries[window.query];
  ++group.count;
  group.rows = std::max<std::uint32_t>(group.rows, query.length);
  group.edits = std::max<std::uint32_t>(group.edits, query.edits);
  group.width = std::max(group.width, window.end - window.first);
}

WindowGroup WindowGroups::part(const WindowGroup& group, std::uint32_t i, std::uint32_t count) const {
  WindowGroup part{group.windows, group.indices + i, 0, 0, 0, 0};
  for (std::uint32_t lane = i; lane < i + count && lane < group.count; ++lane) grow(part, group.indices[lane]);
  return part;
}

void EndCollector::flush(const std::vector<QueryWindow>& windows, std::vector<ReadEnd>& ends) {
  next_.assign(windows.size() + 1, 0);
  for (const Found& found : found_) ++next_[found.window + 1];
  next_[0] = ends.size();
  for (std::size_t window = 0; window < windows.size(); ++window) next_[window + 1] += next_[window];
  ends.resize(ends.size() + found_.size());
  for (const Found& found : found_) {
    ends[next_[found.window]++] = make_read_end(windows[found.window].query, found.position, found.edits);
  }
  found_.clear();
}

}  // namespace basesweep
