// The index of `qgrams`: near which q-grams of the text a query may start, and which queries start at a position.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/tables/starts.hpp"
#include "kernels/tuning.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep::qgrams {

// Says which q-grams of the text are looked up. Each covers `step` starts: for starts [s, s + step) it is the q-gram at
// [s + lead, s + lead + q), with lead < step. The next one is `step` positions on.
struct GramSteps {
  std::uint32_t q;
  std::uint32_t step;
  std::uint32_t lead;
};

// The values that loops are compiled for.
inline constexpr std::uint32_t kMinQ = 8;
inline constexpr std::uint32_t kMaxQ = 10;
inline constexpr std::uint32_t kSteps[] = {2, 3, 4, 6, 8, 16};
inline constexpr std::uint32_t kMaxStep = 16;

BASESWEEP_HD constexpr std::uint32_t bitmap_words(std::uint32_t q) { return (1U << 2 * q) / 32; }

// The cost of each stage of a search on a device, all in the same unit of time.
struct Costs {
  double gram;       // to look up a q-gram of the text
  double candidate;  // more, if its bit is set
  double neighbour;  // more, for each neighbour that is then looked up
  double start;      // to verify a start that all its q-grams allow
};

// Nanoseconds of one core, fitted to measurements (docs/benchmarks.md).
inline constexpr Costs kCpuCosts{1.5, 6, 0.4, 25};

// The shape with the lowest expected cost on random text. Where `tuning` names q or a step, only shapes with these are
// considered.
GramSteps choose_shape(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, const Costs& costs,
                       const Tuning& tuning);

// For queries of one length: the shape with the longest step whose q-grams hold all queries that start in their steps
// (see IndexView::whole). Nothing where the lengths differ or are too long, or `tuning` does not allow it.
std::optional<GramSteps> shape_of_whole_queries(const PatternSet& patterns, const std::vector<std::uint32_t>& queries,
                                                const Tuning& tuning);

struct IndexView {
  const std::uint32_t* grams;  // a bit for each q-gram, see gram_bit()
  StartsView starts;
  GramSteps shape;
  // The length of the queries, if all have the same, each q-gram holds all queries that may start in its step, and each
  // slot of `starts` has one key only, so that all its queries start wherever the text leads to the slot; else 0.
  std::uint32_t whole;
};

struct Index {
  // Indexes the given queries of the set, at least one; none may have IUPAC codes.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, const GramSteps& shape);

  IndexView view() const { return {grams.data(), starts.view(), shape, whole}; }

  std::vector<std::uint32_t> grams;
  Starts starts;
  GramSteps shape;
  std::uint32_t whole = 0;
};

}  // namespace basesweep::qgrams
