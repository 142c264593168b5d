#include "kernels/exact/qgrams/index.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "kernels/exact/qgrams/step.hpp"

namespace basesweep::qgrams {
namespace {

// The number of the q-gram's positions that a query of this length fills, if it begins at the j-th of the q-gram's
// starts.
std::uint32_t known_positions(const GramSteps& shape, std::uint32_t j, std::uint32_t length) {
  const int begin = std::max(0, static_cast<int>(shape.lead) - static_cast<int>(j));
  const int end = std::min<int>(static_cast<int>(length), static_cast<int>(shape.lead + shape.q) - static_cast<int>(j));
  return static_cast<std::uint32_t>(std::max(0, end - begin));
}

// The share of random q-grams whose bit is set. counts[length] is the number of queries of that length.
double share_set(const GramSteps& shape, const std::vector<std::size_t>& counts) {
  double log_clear = 0;
  for (std::uint32_t length = 1; length < counts.size(); ++length) {
    if (counts[length] == 0) continue;
    for (std::uint32_t j = 0; j < shape.step; ++j) {
      const double part = std::ldexp(1.0, -2 * static_cast<int>(known_positions(shape, j, length)));
      log_clear += static_cast<double>(counts[length]) * std::log1p(-std::min(part, 1 - 1e-9));
    }
  }
  return -std::expm1(log_clear);
}

// A partly known q-gram: the low and the high code bits of the known positions, and a bit for each unknown position.
using PartlyKnownGram = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

// Sets the bits of all q-grams that agree with positions [first, first + q) of a query; where the query has no such
// position, any base agrees. Each partly known q-gram is expanded once, so that all of them together cost no more than
// a few passes over the bitmap.
void set_grams(std::vector<std::uint32_t>& grams, std::uint32_t q, std::span<const BaseSet> sets, int first,
               std::set<PartlyKnownGram>& done) {
  std::uint32_t lo = 0;
  std::uint32_t hi = 0;
  std::uint32_t open = 0;  // a bit for each position not known
  for (std::uint32_t i = 0; i < q; ++i) {
    const int c = first + static_cast<int>(i);
    if (c < 0 || c >= static_cast<int>(sets.size())) {
      open |= 1U << i;
      continue;
    }
    const unsigned code = single_base(sets[static_cast<std::size_t>(c)]);
    lo |= (code & 1) << i;
    hi |= (code >> 1) << i;
  }
  if (open != 0 && !done.insert({lo, hi, open}).second) return;
  // All subsets of `open`, for each of the two code bits.
  for (std::uint32_t l = open;; l = (l - 1) & open) {
    for (std::uint32_t h = open;; h = (h - 1) & open) {
      grams[gram_word(lo | l, hi | h, q)] |= 0x80000000U >> ((lo | l) & 31);
      if (h == 0) break;
    }
    if (l == 0) break;
  }
}

}  // namespace

GramSteps choose_shape(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, const Costs& costs,
                       const Tuning& tuning) {
  std::vector<std::size_t> counts;
  double occurrences = 0;                             // expected at a position of random text
  constexpr std::size_t kLongest = kMaxStep + kMaxQ;  // longer queries count as this long
  counts.resize(kLongest + 1);
  for (const std::uint32_t e : queries) {
    const std::size_t length = patterns.queries()[e].sets.size();
    ++counts[std::min(length, kLongest)];
    occurrences += std::ldexp(1.0, -2 * static_cast<int>(std::min<std::size_t>(length, 500)));
  }
  GramSteps best{kMinQ, kSteps[0], 0};
  double least = HUGE_VAL;
  for (std::uint32_t q = kMinQ; q <= kMaxQ; ++q) {
    if (tuning.block != 0 && tuning.block != q) continue;
    for (const std::uint32_t step : kSteps) {
      if (tuning.step != 0 && tuning.step != step) continue;
      for (std::uint32_t lead = 0; lead < step; ++lead) {
        const GramSteps shape{q, step, lead};
        const double set = share_set(shape, counts);
        const double falsely = std::pow(set, step);  // starts that the second stage passes though no query starts
        const double cost = (costs.gram + set * (costs.candidate + costs.neighbour * (2 * step - 2))) / step +
                            (occurrences + falsely) * costs.start;
        if (cost < least) {
          least = cost;
          best = shape;
        }
      }
    }
  }
  return best;
}

std::optional<GramSteps> shape_of_whole_queries(const PatternSet& patterns, const std::vector<std::uint32_t>& queries,
                                                const Tuning& tuning) {
  const auto length = [&](std::uint32_t e) { return patterns.queries()[e].sets.size(); };
  const std::size_t one = length(queries.front());
  if (std::any_of(queries.begin(), queries.end(), [&](std::uint32_t e) { return length(e) != one; })) return {};
  std::optional<GramSteps> longest;
  for (const std::uint32_t step : kSteps) {
    if (tuning.step != 0 && tuning.step != step) continue;
    for (std::uint32_t q = kMaxQ; q >= kMinQ && q + 1 >= one + step; --q) {
      if (tuning.block == 0 || tuning.block == q) longest = GramSteps{q, step, 0};
    }
  }
  return longest;
}

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, const GramSteps& chosen)
    : grams(bitmap_words(chosen.q)), starts(patterns, queries), shape(chosen) {
  std::size_t longest = 0;
  for (const std::uint32_t e : queries) longest = std::max(longest, patterns.queries()[e].sets.size());
  if (longest == starts.key_positions && starts.multiplier == 1 && shape.lead == 0 &&
      longest + shape.step - 1 <= shape.q) {
    whole = starts.key_positions;
  }
  std::set<PartlyKnownGram> done;
  for (const std::uint32_t e : queries) {
    for (std::uint32_t j = 0; j < shape.step; ++j) {
      set_grams(grams, shape.q, patterns.queries()[e].sets, static_cast<int>(shape.lead) - static_cast<int>(j), done);
    }
  }
}

}  // namespace basesweep::qgrams
