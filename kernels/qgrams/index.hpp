// What `qgrams` prepares from the patterns: which windows of text some entry may start beside, and which entries start
// where.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/starts.hpp"
#include "kernels/tuning.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep::qgrams {

// A window of `q` columns speaks for `step` starts: with the first of them at s, it is [s + lead, s + lead + q), and
// lead < step. The next window is `step` columns on.
struct Shape {
  std::uint32_t q;
  std::uint32_t step;
  std::uint32_t lead;
};

// Those that loops are compiled for.
inline constexpr std::uint32_t kLeastQ = 8;
inline constexpr std::uint32_t kMostQ = 10;
inline constexpr std::uint32_t kSteps[] = {2, 3, 4, 6, 8, 16};
inline constexpr std::uint32_t kMostStep = 16;

BASESWEEP_HD constexpr std::uint32_t bitmap_words(std::uint32_t q) { return (1U << 2 * q) / 32; }

// What the stages of a search cost on a device, in one unit.
struct Costs {
  double window;     // to look at a window of text
  double candidate;  // more for one whose bit is set,
  double neighbour;  // and for each of its neighbours that is looked at then
  double start;      // for a start that all its windows leave possible
};

// The shape that the search for these entries should cost least with on random text; of those with the q-grams and
// steps that `tuning` asks for, if it does.
Shape choose_shape(const PatternSet& patterns, const std::vector<std::uint32_t>& entries, const Costs& costs,
                   const Tuning& tuning);

// The shape of the longest steps whose windows hold all that they speak for, for entries of one length (see
// IndexView::whole); none where lengths differ, are too long, or `tuning` does not allow it.
std::optional<Shape> shape_of_whole_entries(const PatternSet& patterns, const std::vector<std::uint32_t>& entries,
                                            const Tuning& tuning);

struct IndexView {
  const std::uint32_t* windows;  // a bit for each q-gram, see window_bit()
  StartsView starts;
  Shape shape;
  // The length of all entries, if that is one, windows hold all that they speak for, and a slot of `starts` has no
  // other entries than those that start there; else 0.
  std::uint32_t whole;
};

struct Index {
  // Takes the given entries of the set, at least one; none may have IUPAC codes.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries, const Shape& shape);

  IndexView view() const { return {windows.data(), starts.view(), shape, whole}; }

  std::vector<std::uint32_t> windows;
  Starts starts;
  Shape shape;
  std::uint32_t whole = 0;
};

}  // namespace basesweep::qgrams
