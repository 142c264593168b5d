// Cuts a list of windows into groups of similar windows, for scans that search many windows side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/cpu/window_scan.hpp"
#include "lib/search/finder.hpp"

namespace basesweep {

class WindowGroups {
 public:
  // Each group has at most `lanes` windows. Long windows are cut into parts first, so windows() may be more than those
  // given; their order is the same.
  WindowGroups(const ReadQueryView& reads, const std::vector<QueryWindow>& windows, std::uint32_t lanes);

  const std::vector<QueryWindow>& windows() const { return windows_; }
  const std::vector<WindowGroup>& groups() const { return groups_; }
  // Windows [i, i + count) of a group, or up to its end, as a group of their own.
  WindowGroup part(const WindowGroup& group, std::uint32_t i, std::uint32_t count) const;

 private:
  void cut(const std::vector<QueryWindow>& windows);
  void sort();
  void grow(WindowGroup& group, std::uint32_t index) const;

  const ReadQueryView reads_;
  std::vector<QueryWindow> windows_;
  std::vector<std::uint32_t> order_;  // indices into windows_, similar windows together
  std::vector<WindowGroup> groups_;
};

// Collects ends of windows that are sorted and disjoint, and puts them in order.
class EndCollector final : public EndSink {
 public:
  void end(std::uint32_t window, std::uint32_t position, std::uint32_t edits) override {
    found_.push_back({window, position, edits});
  }
  // Appends the ends since the last call to `ends`, in order of windows and positions.
  void flush(const std::vector<QueryWindow>& windows, std::vector<ReadEnd>& ends);

 private:
  struct Found {
    std::uint32_t window, position, edits;
  };
  std::vector<Found> found_;
  std::vector<std::size_t> next_;  // for each window, the place of its next end
};

}  // namespace basesweep
