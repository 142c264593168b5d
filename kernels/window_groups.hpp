// Cuts a list of windows to groups of windows that are alike, for what searches many side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/window_scan.hpp"
#include "lib/finder.hpp"

namespace basesweep {

class WindowGroups {
 public:
  // At most so many windows a group. Long windows are cut to parts first, so that windows() are other than those given,
  // in the same order.
  WindowGroups(const SoughtView& reads, const std::vector<SoughtWindow>& windows, std::uint32_t lanes);

  const std::vector<SoughtWindow>& windows() const { return windows_; }
  const std::vector<WindowGroup>& groups() const { return groups_; }
  // `count` of a group's windows, from the i-th on, as a group of their own.
  WindowGroup part(const WindowGroup& group, std::uint32_t i, std::uint32_t count) const;

 private:
  void cut(const std::vector<SoughtWindow>& windows);
  void sort();
  void grow(WindowGroup& group, std::uint32_t index) const;

  const SoughtView reads_;
  std::vector<SoughtWindow> windows_;
  std::vector<std::uint32_t> order_;  // windows that are alike stand together
  std::vector<WindowGroup> groups_;
};

// Collects ends of windows that are sorted and disjoint, and puts them in order.
class EndCollector final : public EndSink {
 public:
  void end(std::uint32_t window, std::uint32_t column, std::uint32_t edits) override {
    found_.push_back({window, column, edits});
  }
  // Appends what was collected since the last time to `ends`, in the order of the windows and columns.
  void flush(const std::vector<SoughtWindow>& windows, std::vector<ReadEnd>& ends);

 private:
  struct Found {
    std::uint32_t window, column, edits;
  };
  std::vector<Found> found_;
  std::vector<std::size_t> next_;  // place of a window's next end
};

}  // namespace basesweep
