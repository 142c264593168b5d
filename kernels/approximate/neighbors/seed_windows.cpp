#include "kernels/approximate/neighbors/seed_windows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace basesweep::neighbors {

std::uint32_t most_windows(const Query& query, std::uint32_t gram) {
  return std::min(query.limits.edits + 1, static_cast<std::uint32_t>(query.sets.size()) / gram);
}

namespace {

// How k mismatches or edits are shared among windows: text with at most k in all has at most few + 1 in one of the
// `more` windows that are granted one more, or at most `few` in one of the others.
struct Sharing {
  std::uint32_t windows, few, more;
};

Sharing share(std::uint32_t edits, std::uint32_t windows) {
  // With m_i edits for window i, text that has more in each has at least the sum of m_i + 1, which must exceed k.
  const std::uint32_t granted = edits + 1 - windows;
  return {windows, granted / windows, granted % windows};
}

// The words of `gram` bases with at most `max` mismatches to one word.
double plain_words(std::uint32_t gram, std::uint32_t max) {
  static const auto known = [] {
    std::array<std::array<double, kMaxGram + 1>, kMaxGram + 1> words{};
    for (std::uint32_t q = 0; q <= kMaxGram; ++q) {
      double ways = 1;
      double sum = 0;
      for (std::uint32_t i = 0; i <= q; ++i) {
        sum += ways;
        words[q][i] = sum;
        ways = ways * 3 * (q - i) / (i + 1);
      }
    }
    return words;
  }();
  return known[gram][std::min(max, gram)];
}

// The words that have at most `max` mismatches with the sets of a window, and none at positions that must be exact.
double words_at(const Query& query, std::uint32_t begin, std::uint32_t gram, std::uint32_t max) {
  std::vector<double> ways(std::min(max, gram) + 1);  // by mismatches
  ways[0] = 1;
  for (std::uint32_t i = begin; i < begin + gram; ++i) {
    const double bases = std::popcount(query.sets[i]);
    const double others = is_exact(query, i) ? 0 : 4 - bases;
    for (std::size_t m = ways.size(); m-- != 0;) {
      ways[m] = ways[m] * bases + (m == 0 ? 0 : ways[m - 1] * others);
    }
  }
  return std::accumulate(ways.begin(), ways.end(), 0.0);
}

double plain_entries(std::uint32_t gram, const Sharing& sharing) {
  return sharing.more * plain_words(gram, sharing.few + 1) +
         (sharing.windows - sharing.more) * plain_words(gram, sharing.few);
}

// Windows side by side, for queries without IUPAC codes and exact positions.
SeedWindows even_windows(const Query& query, std::uint32_t gram, const Sharing& sharing) {
  SeedWindows chosen;
  const std::uint64_t length = query.sets.size();
  for (std::uint32_t i = 0; i < sharing.windows; ++i) {
    const auto begin = static_cast<std::uint32_t>(length * i / sharing.windows);
    const std::uint32_t max = sharing.few + (i < sharing.more ? 1 : 0);
    chosen.windows.push_back({begin, begin + gram, max, plain_words(gram, max)});
  }
  chosen.entries = plain_entries(gram, sharing);
  return chosen;
}

// The windows with the fewest entries to be compared: dynamic programming over the query's positions, the windows that
// end before, and how many of them are granted one mismatch more.
SeedWindows cheapest_windows(const Query& query, std::uint32_t gram, const Sharing& sharing,
                             std::span<const BaseSet> gate_sets) {
  const auto length = static_cast<std::uint32_t>(query.sets.size());
  const std::uint32_t row = (sharing.windows + 1) * (sharing.more + 1);
  const auto cell = [&](std::uint32_t end, std::uint32_t windows, std::uint32_t more) {
    return std::size_t{end} * row + windows * (sharing.more + 1) + more;
  };
  constexpr double kNone = std::numeric_limits<double>::infinity();
  enum class Step : char { skip, few, more };
  std::vector<double> cost(std::size_t{length + 1} * row, kNone);
  std::vector<Step> steps(cost.size(), Step::skip);
  cost[0] = 0;
  for (std::uint32_t end = 1; end <= length; ++end) {
    std::copy_n(cost.begin() + static_cast<std::ptrdiff_t>(cell(end - 1, 0, 0)), row,
                cost.begin() + static_cast<std::ptrdiff_t>(cell(end, 0, 0)));
    if (end < gram) continue;
    const std::uint32_t begin = end - gram;
    const double part = part_looked_up(gate_sets, {begin, end, 0, 0});
    const double few = part * words_at(query, begin, gram, sharing.few);
    const double many = part * words_at(query, begin, gram, sharing.few + 1);
    for (std::uint32_t windows = 1; windows <= sharing.windows; ++windows) {
      for (std::uint32_t more = 0; more <= std::min(windows, sharing.more); ++more) {
        double& best = cost[cell(end, windows, more)];
        const auto take = [&](double total, Step step) {
          if (total >= best) return;
          best = total;
          steps[cell(end, windows, more)] = step;
        };
        if (windows - 1 >= more) take(cost[cell(begin, windows - 1, more)] + few, Step::few);
        if (more != 0) take(cost[cell(begin, windows - 1, more - 1)] + many, Step::more);
      }
    }
  }
  SeedWindows chosen;
  for (std::uint32_t end = length, windows = sharing.windows, more = sharing.more; windows != 0;) {
    const Step step = steps[cell(end, windows, more)];
    if (step == Step::skip) {
      --end;
      continue;
    }
    end -= gram;
    --windows;
    more -= step == Step::more ? 1 : 0;
    const std::uint32_t max = sharing.few + (step == Step::more ? 1 : 0);
    chosen.windows.push_back({end, end + gram, max, words_at(query, end, gram, max)});
    chosen.entries += chosen.windows.back().words;
  }
  std::reverse(chosen.windows.begin(), chosen.windows.end());
  return chosen;
}

// The entries of windows, those that are not looked up everywhere in part.
double compared_of(const SeedWindows& chosen, std::span<const BaseSet> gate_sets) {
  double compared = 0;
  for (const SeedWindow& window : chosen.windows) compared += part_looked_up(gate_sets, window) * window.words;
  return compared;
}

// The words of a seed of random bases: about as many as text of `gram` bases may have that starts like the seed, except
// for `max` edits. Counted with for_each_word_with_edits().
double words_with_edits(std::uint32_t gram, std::uint32_t max) {
  static constexpr double kOneEdit[] = {28, 38, 46, 55, 63, 74, 81, 89, 100};  // from 4 bases on
  static constexpr double kTwoEdits[] = {165, 313, 576, 859, 1279, 1642, 2190, 2760, 3422};
  const double all = std::pow(4.0, gram);
  if (gram < kMinGram) return all;
  if (max == 0) return 1;
  if (max == 1) return kOneEdit[gram - kMinGram];
  double words = kTwoEdits[gram - kMinGram];
  for (std::uint32_t e = 3; e <= max; ++e) words = std::min(words * 5.8 * gram / e, all);
  return words;
}

// Seeds side by side, which take all of the query.
SeedWindows windows_with_edits(const Query& query, std::uint32_t gram) {
  SeedWindows chosen;
  const std::uint64_t length = query.sets.size();
  const Sharing sharing = share(query.limits.edits, most_windows(query, gram));
  for (std::uint32_t i = 0; i < sharing.windows; ++i) {
    // The windows that may have one edit more come last, where the longest are.
    const std::uint32_t max = sharing.few + (i + sharing.more >= sharing.windows ? 1 : 0);
    SeedWindow window{static_cast<std::uint32_t>(length * i / sharing.windows),
                      static_cast<std::uint32_t>(length * (i + 1) / sharing.windows), max, 0};
    const bool left = near_is_left(query, window);
    double words = max > kMaxSeedEdits ? std::numeric_limits<double>::infinity() : words_with_edits(gram, max);
    for (std::uint32_t p = 0; p < gram; ++p) {
      words *= std::popcount(query.sets[left ? window.begin + p : window.end - 1 - p]);
    }
    window.words = words;
    chosen.windows.push_back(window);
    chosen.entries += words;
    const std::uint32_t near =
        std::min(near_rows(query.limits.edits), left ? window.begin : static_cast<std::uint32_t>(length) - window.end);
    chosen.passing += words * words_with_edits(near, query.limits.edits - max) / std::pow(4.0, near);
  }
  return chosen;
}

}  // namespace

bool near_is_left(const Query& query, const SeedWindow& window) {
  return window.begin > query.sets.size() - window.end;
}

std::uint32_t near_rows(std::uint32_t max) {
  return max >= kMaxBudgetOfEdits ? 0 : std::min(kMaxNearOfEdits, kMaxColumns - max);
}

bool is_exact(const Query& query, std::uint32_t position) {
  const Limits& limits = query.limits;
  if (limits.indels != 0) return false;
  return position < limits.clamp_left || position + limits.clamp_right >= query.sets.size();
}

bool has_exact_positions(const Query& query) {
  return query.limits.indels == 0 && (query.limits.clamp_left != 0 || query.limits.clamp_right != 0);
}

double part_looked_up(std::span<const BaseSet> sets, const SeedWindow& window) {
  double part = 1;
  for (std::uint32_t i = 0; i < sets.size(); ++i) {
    if (i < window.begin || i >= window.end) part *= std::popcount(sets[i]) / 4.0;
  }
  return part;
}

SeedWindows seed_windows(const Query& query, std::uint32_t gram, std::span<const BaseSet> gate_sets) {
  const auto length = static_cast<std::uint32_t>(query.sets.size());
  if (length < gram) return {};
  if (query.limits.indels != 0) return windows_with_edits(query, gram);
  const std::uint32_t most = most_windows(query, gram);
  const bool exact = has_exact_positions(query);
  if (!query.iupac && !exact) return even_windows(query, gram, share(query.limits.edits, most));
  // Where codes are close together, fewer windows may give fewer words. One among clamped positions has a single word.
  SeedWindows best;
  double fewest = 0;
  for (std::uint32_t windows = most; windows != 0; --windows) {
    if (windows + 3 <= most && !(exact && windows == 1)) continue;
    const Sharing sharing = share(query.limits.edits, windows);
    SeedWindows chosen = cheapest_windows(query, gram, sharing, gate_sets);
    const double compared = compared_of(chosen, gate_sets);
    if (!best.windows.empty() && compared >= fewest) continue;
    fewest = compared;
    best = std::move(chosen);
  }
  return best;
}

}  // namespace basesweep::neighbors
