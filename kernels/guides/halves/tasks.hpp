// The look-ups and comparisons that a GPU does for the guides, as arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/guides/halves/plan.hpp"
#include "kernels/guides/halves/step.hpp"
#include "lib/guides/guide_finder.hpp"

namespace basesweep::halves {

// A Form, with its lists in arrays that all forms share.
struct TaskForm {
  std::uint32_t deltas;  // index of the first one
  std::uint32_t delta_count;
  std::uint32_t shapes;
  std::uint32_t shape_count;
};

// A part of the look-ups for a guide: the key of a word, with kTaskDeltas differences of a form from `first` on.
struct Task {
  std::uint32_t guide;
  std::uint32_t form;
  std::uint32_t key;
  std::uint32_t first;
};
inline constexpr std::uint32_t kTaskDeltas = 512;

// A guide to compare with sites, and all its alignments.
struct TaskGuide {
  ComparedGuide compared;
  std::uint32_t shapes;
  std::uint32_t shape_count;
};

// The guides whose words have one length.
struct TaskGroup {
  std::uint32_t q;
  std::vector<Task> tasks[2]{};           // of first words, of second words
  std::vector<std::uint32_t> guides{};    // all of the group
  std::vector<std::uint32_t> compared{};  // guides without tasks: every site is compared with them
  double lookups = 0;                     // of all tasks
};

struct Tasks {
  // With GuideWay::sites there are no tasks.
  Tasks(const GuideSet& guides, GuideWay way);

  std::vector<GuideBits> bits;  // of each guide
  std::vector<TaskGuide> guides;
  std::vector<TaskForm> forms;
  std::vector<std::uint32_t> deltas;
  std::vector<ShapeRange> shapes;
  std::vector<TaskGroup> groups;
};

}  // namespace basesweep::halves
