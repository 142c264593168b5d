// The cost of aligning a query to text.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "lib/search/query.hpp"

namespace basesweep {

// The cost of an alignment. Ordered by edits, then indels.
struct Cost {
  std::uint32_t edits;
  std::uint32_t indels;  // among the edits
  auto operator<=>(const Cost&) const = default;
};

inline constexpr Cost kNoAlignment{std::numeric_limits<std::uint32_t>::max(),
                                   std::numeric_limits<std::uint32_t>::max()};

// The query with its positions and clamps in reverse order (not complemented), to be aligned to reversed text. `sets`,
// as many as the query has, holds its sets and must outlive it.
Query mirrored(const Query& query, std::span<BaseSet> sets);

// The positions of a query between its clamps: only there may edits lie.
std::span<const BaseSet> core(const Query& query);
// How many indels the core may have.
std::uint32_t core_indels(const Query& query);

// The costs of aligning a query to all intervals of text with the same left end, for several such texts at once: that
// takes little longer than one. Keeps its memory from one run to the next.
class CostScan {
 public:
  static constexpr std::size_t kMaxTexts = 8;
  // A run finds costs() and best(), or best() alone, which takes less time.
  enum class Wanted { costs, best };

  CostScan();
  ~CostScan();

  // `text`: the letters from the left end on, as sets. It may be longer or shorter than what the query can align to.
  void run(const Query& query, std::span<const BaseSet> text) { run(query, std::span(&text, 1)); }
  // `texts`: at most kMaxTexts.
  void run(const Query& query, std::span<const std::span<const BaseSet>> texts, Wanted wanted = Wanted::costs);

  // costs(t)[i] is the cost for the first min_length() + i letters of text t, or kNoAlignment.
  std::span<const Cost> costs(std::size_t text = 0) const { return costs_[text]; }
  std::uint32_t min_length() const { return min_length_; }
  // The length with the least (edits, indels, length); {0, kNoAlignment} when there is no alignment.
  struct Best {
    std::uint32_t length;
    Cost cost;
  };
  Best best(std::size_t text = 0) const { return best_[text]; }

 private:
  template <class Texts>
  class Band;
  struct Bands;
  // A text behind the query's left clamp.
  struct Aligned {
    std::span<const BaseSet> letters;
    std::size_t text;
  };

  Best best_of_costs(std::size_t text) const;
  void run_core(const Query& query, std::span<const Aligned> texts, bool best_alone);
  template <class Texts>
  void align(const Query& query, std::span<const Aligned> texts, bool best_alone);
  void apply_right_clamp(const Query& query, std::span<const Aligned> texts);
  void count_mismatches(const Query& query, std::span<const BaseSet> text, std::vector<Cost>& costs) const;

  std::array<std::vector<Cost>, kMaxTexts> costs_;
  std::array<Best, kMaxTexts> best_{};
  std::uint32_t min_length_ = 0;
  std::unique_ptr<Bands> bands_;
};

}  // namespace basesweep
