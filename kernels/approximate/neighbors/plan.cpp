#include "kernels/approximate/neighbors/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>

#include "kernels/approximate/verify.hpp"
#include "lib/base/memory.hpp"

namespace basesweep::neighbors {
namespace {

// How k mismatches or edits are shared among windows: text with at most k in all has at most few + 1 in one of the
// `more` windows that are granted one more, or at most `few` in one of the others.
struct Sharing {
  std::uint32_t windows, few, more;
};

// A query has no more windows of use, or no room for more.
std::uint32_t most_windows(const Query& query, std::uint32_t gram) {
  return std::min(query.limits.edits + 1, static_cast<std::uint32_t>(query.sets.size()) / gram);
}

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

// The words with at most `max` mismatches to the sets of a window.
double words_at(const Query& query, std::uint32_t begin, std::uint32_t gram, std::uint32_t max) {
  std::vector<double> ways(std::min(max, gram) + 1);  // by mismatches
  ways[0] = 1;
  for (std::uint32_t i = begin; i < begin + gram; ++i) {
    const double bases = std::popcount(query.sets[i]);
    for (std::size_t m = ways.size(); m-- != 0;) {
      ways[m] = ways[m] * bases + (m == 0 ? 0 : ways[m - 1] * (4 - bases));
    }
  }
  return std::accumulate(ways.begin(), ways.end(), 0.0);
}

double plain_entries(std::uint32_t gram, const Sharing& sharing) {
  return sharing.more * plain_words(gram, sharing.few + 1) +
         (sharing.windows - sharing.more) * plain_words(gram, sharing.few);
}

// Windows side by side, for queries without IUPAC codes.
SeedWindows even_windows(const Query& query, std::uint32_t gram, const Sharing& sharing) {
  SeedWindows chosen;
  const std::uint64_t length = query.sets.size();
  for (std::uint32_t i = 0; i < sharing.windows; ++i) {
    const auto begin = static_cast<std::uint32_t>(length * i / sharing.windows);
    chosen.windows.push_back({begin, begin + gram, sharing.few + (i < sharing.more ? 1 : 0)});
  }
  chosen.entries = plain_entries(gram, sharing);
  return chosen;
}

// The windows with the fewest entries: dynamic programming over the query's positions, the windows that end before, and
// how many of them are granted one mismatch more.
SeedWindows cheapest_windows(const Query& query, std::uint32_t gram, const Sharing& sharing) {
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
    const double few = words_at(query, begin, gram, sharing.few);
    const double many = words_at(query, begin, gram, sharing.few + 1);
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
  chosen.entries = cost[cell(length, sharing.windows, sharing.more)];
  for (std::uint32_t end = length, windows = sharing.windows, more = sharing.more; windows != 0;) {
    const Step step = steps[cell(end, windows, more)];
    if (step == Step::skip) {
      --end;
      continue;
    }
    end -= gram;
    --windows;
    more -= step == Step::more ? 1 : 0;
    chosen.windows.push_back({end, end + gram, sharing.few + (step == Step::more ? 1 : 0)});
  }
  std::reverse(chosen.windows.begin(), chosen.windows.end());
  return chosen;
}

// The words of a seed of random bases: about as many as text of `gram` bases may have that begins like the seed but
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
    // Those that are granted more come last, where the longest are.
    const std::uint32_t max = sharing.few + (i + sharing.more >= sharing.windows ? 1 : 0);
    const SeedWindow window{static_cast<std::uint32_t>(length * i / sharing.windows),
                            static_cast<std::uint32_t>(length * (i + 1) / sharing.windows), max};
    const bool left = near_is_left(query, window);
    double words = max > kMaxSeedEdits ? std::numeric_limits<double>::infinity() : words_with_edits(gram, max);
    for (std::uint32_t p = 0; p < gram; ++p) {
      words *= std::popcount(query.sets[left ? window.begin + p : window.end - 1 - p]);
    }
    chosen.windows.push_back(window);
    chosen.entries += words;
    const std::uint32_t near =
        std::min(near_rows(query.limits.edits), left ? window.begin : static_cast<std::uint32_t>(length) - window.end);
    chosen.passing += words * words_with_edits(near, query.limits.edits - max) / std::pow(4.0, near);
  }
  return chosen;
}

// Seconds, fitted to the rows in README.md.
struct Costs {
  double look_up[kMaxGram + 1];  // of the gram at a position, by gram; a larger table is farther from the processor
  double sides;                  // of a position, for the text beside it that entries for edits are compared with
  double list;                   // at a position whose gram has entries
  double entry;                  // for each entry of a position, for mismatches
  double entry_of_edits;         // the same for edits
  double verification;           // of a query that may have indels
  double build, key;             // once for each entry and each key of the table
};

constexpr Costs kCpuCosts{.look_up = {0, 0, 0, 0, 4e-9, 4e-9, 4e-9, 4e-9, 4e-9, 5e-9, 7e-9, 1e-8, 1.4e-8},
                          .sides = 0,
                          .list = 1e-8,
                          .entry = 3.3e-9,
                          .entry_of_edits = 1.1e-8,
                          .verification = 3e-7,
                          .build = 1.5e-8,
                          .key = 2e-9};
constexpr Costs kGpuCosts{.look_up = {0, 0, 0, 0, 8e-12, 8e-12, 8e-12, 8e-12, 8e-12, 8e-12, 9e-12, 1.5e-11, 3e-11},
                          .list = 3e-12,
                          .entry = 2.2e-12,
                          .entry_of_edits = 1.5e-11,
                          .verification = 2e-10,
                          .build = 5e-10,
                          .key = 1e-11};

const Costs& costs_on(Device device) { return device == Device::gpu ? kGpuCosts : kCpuCosts; }

// What a query, or a set of them, adds to a table.
struct Load {
  double entries = 0, passing = 0;
};

// Infinite if the gram is longer than the query.
Load load_of(const Query& query, std::uint32_t gram) {
  if (query.limits.indels == 0 && !query.iupac && query.sets.size() >= gram) {
    return {plain_entries(gram, share(query.limits.edits, most_windows(query, gram)))};
  }
  const SeedWindows chosen = seed_windows(query, gram);
  if (chosen.windows.empty()) return {std::numeric_limits<double>::infinity()};
  return {chosen.entries, chosen.passing};
}

// Whether two queries without IUPAC codes have the same shape.
bool plainly_alike(const Query& a, const Query& b) {
  return !a.iupac && !b.iupac && a.sets.size() == b.sets.size() && a.limits.edits == b.limits.edits &&
         (a.limits.indels != 0) == (b.limits.indels != 0);
}

}  // namespace

bool near_is_left(const Query& query, const SeedWindow& window) {
  return window.begin > query.sets.size() - window.end;
}

std::uint32_t near_rows(std::uint32_t max) {
  return max >= kMaxBudgetOfEdits ? 0 : std::min(kMaxNearOfEdits, kMaxColumns - max);
}

SeedWindows seed_windows(const Query& query, std::uint32_t gram) {
  const auto length = static_cast<std::uint32_t>(query.sets.size());
  if (length < gram) return {};
  if (query.limits.indels != 0) return windows_with_edits(query, gram);
  const std::uint32_t most = most_windows(query, gram);
  if (!query.iupac) return even_windows(query, gram, share(query.limits.edits, most));
  // Where codes stand together, fewer windows may stand for fewer words.
  SeedWindows best;
  for (std::uint32_t windows = most; windows != 0 && windows + 3 > most; --windows) {
    SeedWindows chosen = cheapest_windows(query, gram, share(query.limits.edits, windows));
    if (best.windows.empty() || chosen.entries < best.entries) best = std::move(chosen);
  }
  return best;
}

std::optional<std::string> unfit(const Query& query) {
  constexpr std::uint32_t kMaxIupacLength = 256;
  if (query.sets.size() > kMaxVerifyLength) return fmt::format("is longer than {} bases", kMaxVerifyLength);
  if (query.sets.size() < kMinGram) return fmt::format("is shorter than {} bases", kMinGram);
  if (query.iupac && query.sets.size() > kMaxIupacLength) {
    return fmt::format("has IUPAC codes and is longer than {} bases", kMaxIupacLength);
  }
  // There are no more words than this. Most sets end here; windows of every query with codes would take seconds to
  // choose.
  constexpr std::uint32_t kShortestWords = 1U << 2 * kMinGram;
  if (query.limits.indels == 0 && most_windows(query, kMinGram) * kShortestWords <= kMaxQueryEntries)
    return std::nullopt;
  for (std::uint32_t gram = kMinGram; gram <= std::min<std::size_t>(kMaxGram, query.sets.size()); ++gram) {
    if (load_of(query, gram).entries <= static_cast<double>(kMaxQueryEntries)) return std::nullopt;
  }
  return fmt::format("has seeds that stand for more than {} words", kMaxQueryEntries);
}

Shapes::Shapes(const PatternSet& patterns, const std::vector<std::uint32_t>& queries) {
  std::map<std::string, std::uint32_t> known;
  std::string shape;
  const Query* last = nullptr;  // of the query before
  of_.reserve(queries.size());
  for (const std::uint32_t index : queries) {
    const Query& query = patterns.queries()[index];
    if (!of_.empty() && plainly_alike(*last, query)) {
      ++all_[of_.back()].queries;
      of_.push_back(of_.back());
      continue;
    }
    last = &query;
    shape.assign(query.sets.size(), '1');
    if (query.iupac) {
      std::transform(query.sets.begin(), query.sets.end(), shape.begin(),
                     [](BaseSet set) { return static_cast<char>('0' + std::popcount(set)); });
    }
    shape += ' ';
    shape += std::to_string(query.limits.edits);
    if (query.limits.indels != 0) shape += " with indels";
    const auto [place, is_new] = known.try_emplace(shape, static_cast<std::uint32_t>(all_.size()));
    if (is_new) all_.push_back({&query, 0});
    ++all_[place->second].queries;
    of_.push_back(place->second);
  }
}

std::uint64_t table_bytes(std::uint32_t gram, std::uint64_t entries) {
  return sizeof(std::uint32_t) * (2 * entries + (std::uint64_t{1} << 2 * gram));
}

std::uint64_t default_table_bytes(Device device) {
  constexpr std::uint64_t kMin = std::uint64_t{1} << 28;
  constexpr std::uint64_t kMax = std::uint64_t{1} << 34;
  return device == Device::gpu ? kMax : std::clamp(available_memory_bytes() / 2, kMin, kMax);
}

namespace {

// How the queries of these shapes would be searched with one gram; nothing if there are too many entries.
std::optional<Plan> plan_with(const Shapes& shapes, std::uint32_t gram, Device device, double expected_bases) {
  constexpr double kMaxEntries = 4e9;  // they are numbered in 32 bits
  const Costs& costs = costs_on(device);
  Load load;
  bool edits = false;
  for (const Shapes::Shape& shape : shapes.all()) {
    const Load one = load_of(*shape.example, gram);
    load.entries += one.entries * static_cast<double>(shape.queries);
    load.passing += one.passing * static_cast<double>(shape.queries);
    edits = edits || shape.example->limits.indels != 0;
  }
  if (load.entries > kMaxEntries) return std::nullopt;
  const double keys = std::pow(4.0, gram);
  const double list = load.entries / keys;
  const double seconds =
      costs.look_up[gram] + costs.list * (1 - std::exp(-list)) + (edits ? costs.entry_of_edits : costs.entry) * list +
      costs.verification * load.passing / keys + (costs.key * keys + costs.build * load.entries) / expected_bases;
  return Plan{gram, static_cast<std::uint64_t>(load.entries), seconds};
}

}  // namespace

std::optional<Plan> plan(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, Device device,
                         double expected_bases, std::uint64_t max_bytes) {
  const Shapes shapes(patterns, queries);
  std::optional<Plan> best;
  for (std::uint32_t gram = kMinGram; gram <= kMaxGram; ++gram) {
    const std::optional<Plan> one = plan_with(shapes, gram, device, expected_bases);
    if (!one || table_bytes(gram, one->entries) > max_bytes) continue;
    if (!best || one->seconds_per_base < best->seconds_per_base) best = one;
  }
  return best;
}

std::optional<Plan> plan_with_table(const PatternSet& patterns, const std::vector<std::uint32_t>& queries,
                                    std::uint32_t gram) {
  return plan_with(Shapes(patterns, queries), gram, Device::cpu, std::numeric_limits<double>::infinity());
}

double seconds_per_base(const Query& query, std::uint32_t gram, Device device, double expected_bases) {
  const Costs& costs = costs_on(device);
  const double entry = query.limits.indels != 0 ? costs.entry_of_edits : costs.entry;
  const Load load = load_of(query, gram);
  return ((costs.list + entry) * load.entries + costs.verification * load.passing) / std::pow(4.0, gram) +
         costs.build / expected_bases * load.entries;
}

}  // namespace basesweep::neighbors
