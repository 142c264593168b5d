#include "kernels/qgrams/index.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "kernels/qgrams/step.hpp"

namespace basesweep::qgrams {
namespace {

// Columns of the window for the j-th of its starts that an entry of so many columns fills.
std::uint32_t known_columns(const Shape& shape, std::uint32_t j, std::uint32_t length) {
  const int begin = std::max(0, static_cast<int>(shape.lead) - static_cast<int>(j));
  const int end = std::min<int>(static_cast<int>(length), static_cast<int>(shape.lead + shape.q) - static_cast<int>(j));
  return static_cast<std::uint32_t>(std::max(0, end - begin));
}

// The share of random windows whose bit is set. `counts[length]`: entries.
double share_set(const Shape& shape, const std::vector<std::size_t>& counts) {
  double log_clear = 0;
  for (std::uint32_t length = 1; length < counts.size(); ++length) {
    if (counts[length] == 0) continue;
    for (std::uint32_t j = 0; j < shape.step; ++j) {
      const double part = std::ldexp(1.0, -2 * static_cast<int>(known_columns(shape, j, length)));
      log_clear += static_cast<double>(counts[length]) * std::log1p(-std::min(part, 1 - 1e-9));
    }
  }
  return -std::expm1(log_clear);
}

// Part of a window: the known columns' code bits, and which columns are not known.
using Part = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

// Sets the bits of all q-grams that show columns [first, first + q) of an entry, whatever stands where it has none.
// Parts with such columns are done once each, so that all of them together cost no more than a few times the bitmap.
void set_windows(std::vector<std::uint32_t>& windows, std::uint32_t q, const std::vector<BaseSet>& columns, int first,
                 std::set<Part>& done) {
  std::uint32_t lo = 0;
  std::uint32_t hi = 0;
  std::uint32_t open = 0;  // columns not known
  for (std::uint32_t i = 0; i < q; ++i) {
    const int c = first + static_cast<int>(i);
    if (c < 0 || c >= static_cast<int>(columns.size())) {
      open |= 1U << i;
      continue;
    }
    const unsigned code = single_base(columns[static_cast<std::size_t>(c)]);
    lo |= (code & 1) << i;
    hi |= (code >> 1) << i;
  }
  if (open != 0 && !done.insert({lo, hi, open}).second) return;
  // All subsets of `open`, for either code bit.
  for (std::uint32_t l = open;; l = (l - 1) & open) {
    for (std::uint32_t h = open;; h = (h - 1) & open) {
      windows[window_word(lo | l, hi | h, q)] |= 0x80000000U >> ((lo | l) & 31);
      if (h == 0) break;
    }
    if (l == 0) break;
  }
}

}  // namespace

Shape choose_shape(const PatternSet& patterns, const std::vector<std::uint32_t>& entries, const Costs& costs,
                   const Tuning& tuning) {
  std::vector<std::size_t> counts;
  double hits = 0;                                      // a column, of random text
  constexpr std::size_t kLongest = kMostStep + kMostQ;  // longer entries are as good
  counts.resize(kLongest + 1);
  for (const std::uint32_t e : entries) {
    const std::size_t length = patterns.entries()[e].columns.size();
    ++counts[std::min(length, kLongest)];
    hits += std::ldexp(1.0, -2 * static_cast<int>(std::min<std::size_t>(length, 500)));
  }
  Shape best{kLeastQ, kSteps[0], 0};
  double least = HUGE_VAL;
  for (std::uint32_t q = kLeastQ; q <= kMostQ; ++q) {
    if (tuning.block != 0 && tuning.block != q) continue;
    for (const std::uint32_t step : kSteps) {
      if (tuning.step != 0 && tuning.step != step) continue;
      for (std::uint32_t lead = 0; lead < step; ++lead) {
        const Shape shape{q, step, lead};
        const double set = share_set(shape, counts);
        const double falsely = std::pow(set, step);  // a start that no entry has
        const double cost = (costs.window + set * (costs.candidate + costs.neighbour * (2 * step - 2))) / step +
                            (hits + falsely) * costs.start;
        if (cost < least) {
          least = cost;
          best = shape;
        }
      }
    }
  }
  return best;
}

std::optional<Shape> shape_of_whole_entries(const PatternSet& patterns, const std::vector<std::uint32_t>& entries,
                                            const Tuning& tuning) {
  const auto length = [&](std::uint32_t e) { return patterns.entries()[e].columns.size(); };
  const std::size_t one = length(entries.front());
  if (std::any_of(entries.begin(), entries.end(), [&](std::uint32_t e) { return length(e) != one; })) return {};
  std::optional<Shape> longest;
  for (const std::uint32_t step : kSteps) {
    if (tuning.step != 0 && tuning.step != step) continue;
    for (std::uint32_t q = kMostQ; q >= kLeastQ && q + 1 >= one + step; --q) {
      if (tuning.block == 0 || tuning.block == q) longest = Shape{q, step, 0};
    }
  }
  return longest;
}

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries, const Shape& chosen)
    : windows(bitmap_words(chosen.q)), starts(patterns, entries), shape(chosen) {
  std::size_t longest = 0;
  for (const std::uint32_t e : entries) longest = std::max(longest, patterns.entries()[e].columns.size());
  if (longest == starts.key_columns && starts.multiplier == 1 && shape.lead == 0 &&
      longest + shape.step - 1 <= shape.q) {
    whole = starts.key_columns;
  }
  std::set<Part> done;
  for (const std::uint32_t e : entries) {
    for (std::uint32_t j = 0; j < shape.step; ++j) {
      set_windows(windows, shape.q, patterns.entries()[e].columns, static_cast<int>(shape.lead) - static_cast<int>(j),
                  done);
    }
  }
}

}  // namespace basesweep::qgrams
