#include "kernels/exact/qgrams/index.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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

// Sets the bits of the q-grams at which a query may start.
class GramSetter {
 public:
  GramSetter(std::vector<std::uint32_t>& grams, std::uint32_t q) : grams_(grams), q_(q), mask_((1U << q) - 1) {}

  // The first bases of a query, which has no IUPAC codes: a bit for each in either code plane.
  struct QueryBits {
    std::uint64_t lo = 0;
    std::uint64_t hi = 0;
    std::uint64_t known = 0;
  };
  static QueryBits bits_of(std::span<const BaseSet> query) {
    QueryBits bits;
    const std::size_t count = std::min<std::size_t>(query.size(), kMaxStep + kMaxQ);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t code = single_base(query[i]);
      bits.lo |= (code & 1) << i;
      bits.hi |= (code >> 1) << i;
    }
    bits.known = (std::uint64_t{1} << count) - 1;
    return bits;
  }

  // Sets the bits of all q-grams that agree with positions [first, first + q) of the query; where it has no such
  // position, any base agrees.
  void set(const QueryBits& query, int first) {
    const auto part = [&](std::uint64_t bits) {
      return static_cast<std::uint32_t>(first >= 0 ? bits >> first : bits << -first) & mask_;
    };
    const std::uint32_t lo = part(query.lo);
    const std::uint32_t hi = part(query.hi);
    const std::uint32_t open = part(query.known) ^ mask_;  // a bit for each position not known
    if (open == 0) {
      set_bit(grams_, lo, hi);
    } else if (set_bit(expanded_of(open), lo, hi)) {
      expand(lo, hi, open);
    }
  }

 private:
  // The q-grams with these positions not known whose bits are all set: each is expanded once, so that all of them
  // together cost no more than a few passes over the bitmap.
  std::vector<std::uint32_t>& expanded_of(std::uint32_t open) {
    for (auto& [positions, expanded] : expanded_) {
      if (positions == open) return expanded;
    }
    return expanded_.emplace_back(open, std::vector<std::uint32_t>(grams_.size())).second;
  }

  // Returns whether the bit was clear.
  bool set_bit(std::vector<std::uint32_t>& bitmap, std::uint32_t lo, std::uint32_t hi) const {
    std::uint32_t& word = bitmap[gram_word(lo, hi, q_)];
    const std::uint32_t bit = 0x80000000U >> (lo & 31);
    const bool clear = (word & bit) == 0;
    word |= bit;
    return clear;
  }

  // All subsets of `open`, for each of the two code planes.
  void expand(std::uint32_t lo, std::uint32_t hi, std::uint32_t open) {
    for (std::uint32_t l = open;; l = (l - 1) & open) {
      for (std::uint32_t h = open;; h = (h - 1) & open) {
        set_bit(grams_, lo | l, hi | h);
        if (h == 0) break;
      }
      if (l == 0) break;
    }
  }

  std::vector<std::uint32_t>& grams_;
  std::uint32_t q_;
  std::uint32_t mask_;
  std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> expanded_;  // by the positions that are not known
};

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
  GramSetter setter(grams, shape.q);
  for (const std::uint32_t e : queries) {
    const GramSetter::QueryBits bits = GramSetter::bits_of(patterns.queries()[e].sets);
    for (std::uint32_t j = 0; j < shape.step; ++j) setter.set(bits, static_cast<int>(shape.lead) - static_cast<int>(j));
  }
}

}  // namespace basesweep::qgrams
