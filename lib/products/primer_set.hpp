// The primers of a run as patterns, and which of them make products with each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lib/products/primer_pairs.hpp"
#include "lib/search/pattern.hpp"
#include "lib/search/strand.hpp"

namespace basesweep {

// Which primers of a pair stand at the ends of a product. The order is that of the output.
enum class PrimerEnds : std::uint8_t { forward_reverse, forward_forward, reverse_reverse };

struct JoinOptions {
  bool single = false;  // also products of forward with forward, and of reverse with reverse
  bool pool = false;    // all primers of a pool with all, instead of pairs
  std::int64_t min_size = 0;
  std::int64_t max_size = 5000;
};

// A product that two primers can make.
struct Join {
  // The pair's index twice; with JoinOptions::pool the indices of the two primers, first <= second.
  std::uint32_t first;
  std::uint32_t second;
  Strand strand;  // + when the forward primer, or the first of a pool, is the left one
  PrimerEnds ends;
  std::int64_t min_size;
  std::int64_t max_size;
};

class PrimerSet {
 public:
  struct Primer {
    std::string name;
    std::string sequence;
    std::string pool;
    std::uint32_t pattern;  // index into patterns()
  };

  // Throws UsageError or DataError for a name that is used twice, and when JoinOptions::pool meets a pair with probe or
  // sizes of its own.
  PrimerSet(std::vector<PrimerPair> pairs, const JoinOptions& options);

  // The patterns to search for. Primers that accept the same sequences share one.
  const std::vector<Pattern>& patterns() const { return patterns_; }
  const std::vector<PrimerPair>& pairs() const { return pairs_; }
  // The forward and the reverse primer of each pair, in the order of the pairs. With JoinOptions::pool each primer
  // once, in the order of the files' lines.
  const std::vector<Primer>& primers() const { return primers_; }
  const JoinOptions& options() const { return options_; }
  // The size of the largest product that may be found.
  std::int64_t max_size() const { return max_size_; }
  // The pattern of a pair's probe; nothing: it has none.
  std::optional<std::uint32_t> probe(std::uint32_t pair) const { return probes_[pair]; }
  bool has_probes() const { return has_probes_; }

  // Patterns that make products with this one when it is the left primer, sorted. Empty with JoinOptions::pool, where
  // all do.
  struct Partner {
    std::uint32_t pattern;
    Join join;
  };
  const std::vector<Partner>& partners(std::uint32_t left) const { return partners_[left]; }
  // Calls use(Join) for the products of two patterns of a pool, the left one first.
  template <class Use>
  void for_pool(std::uint32_t left, std::uint32_t right, Use use) const {
    for (const std::uint32_t a : owners_[left]) {
      for (const std::uint32_t b : owners_[right]) {
        // Two primers with one pattern make the same product in both orders: only + counts.
        if (primers_[a].pool != primers_[b].pool || (left == right && b < a)) continue;
        use(Join{std::min(a, b), std::max(a, b), a <= b ? Strand::plus : Strand::minus, PrimerEnds::forward_reverse,
                 options_.min_size, options_.max_size});
      }
    }
  }

  // The name that the output shows.
  std::string name(const Join& join) const;
  // The primers of a product as they stand in `name`: forward, then reverse; with `ends` the same one twice.
  const Primer& forward(const Join& join) const;
  const Primer& reverse(const Join& join) const;
  // Whether the forward primer is the left one of the product.
  static bool forward_is_left(const Join& join) { return join.strand == Strand::plus; }

 private:
  std::uint32_t pattern_of(const std::string& name, const std::string& sequence, const PrimerPair& pair, bool probe);
  void add_partners(std::uint32_t pair);
  void make_pool();

  std::vector<PrimerPair> pairs_;
  JoinOptions options_;
  std::vector<Pattern> patterns_;
  std::vector<Primer> primers_;
  std::vector<std::optional<std::uint32_t>> probes_;
  std::vector<std::vector<Partner>> partners_;      // of each pattern
  std::vector<std::vector<std::uint32_t>> owners_;  // of each pattern: indices of primers
  std::unordered_map<std::string, std::uint32_t> pattern_keys_;
  std::unordered_set<std::string> pattern_names_;
  std::int64_t max_size_ = 0;
  bool has_probes_ = false;
};

}  // namespace basesweep
