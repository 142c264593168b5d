#include "kernels/registry/assignment.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "kernels/approximate/bitsliced/index.hpp"
#include "kernels/approximate/neighbors/index.hpp"
#include "kernels/approximate/pigeonhole/index.hpp"
#include "kernels/registry/rooms.hpp"
#include "lib/search/match_block.hpp"

namespace basesweep {
namespace {

// Seconds per base of text, rounded; the last two are seconds of a run. CPU: one thread of a Zen 3 with AVX2; GPU: an
// H200. See docs/benchmarks.md.
struct Costs {
  double bitsliced_row;     // for each row of a query's filter
  double bitsliced_verify;  // of a position that is verified, in such rows
  double hamming_position;  // for each position of a query
  double myers_word;        // for a query of up to 32 positions, or half of each 64 positions of a longer one
  double probe;             // pigeonhole's look-ups, for all queries together
  double check;             // of pigeonhole, to compare a seed where its q-gram is looked up and found
  double verified_base;     // of pigeonhole, for each base of text around a seed
  double verified_word;     // the same for each word of queries that take several
  double prepared_query;    // of pigeonhole, once: its table's entries of a query, and the tables that verify it
  double prepared_letter;   // the same for each letter of the query
};

constexpr Costs kCpuCosts{4.3e-12, 1500, 1.6e-12, 5.1e-10, 9e-10, 1e-8, 1.6e-9, 5.2e-9, 1e-6, 1e-8};
constexpr Costs kGpuCosts{1.3e-14, 400, 6.4e-15, 8e-13, 1.2e-12, 1e-11, 3.3e-12, 1.1e-11, 1e-6, 1e-8};

// Of a seed of pigeonhole that is found: the text around it, as far as edits can reach, is aligned to the query.
double verification(const Query& query, const Costs& costs) {
  constexpr double kWord = 64;
  const double words = std::ceil(static_cast<double>(query.sets.size()) / kWord);
  const double bases = static_cast<double>(query.sets.size()) + 2.0 * query.limits.edits;
  return bases * (words == 1 ? costs.verified_base : costs.verified_word * words);
}

// About how many positions of a query hamming compares before every position of the text has too many mismatches. IUPAC
// codes, which need more, and a GPU's steps of 32 positions are neglected.
double counted_positions(const Query& query) {
  return std::min<double>(static_cast<double>(query.sets.size()), 14.0 + 3.0 * query.limits.edits);
}

// What bitsliced costs a query, in rows of its filter. Most queries of a set have the same length and limits.
class FilterCosts {
 public:
  explicit FilterCosts(const Costs& costs) : costs_{{8, 12, 16, 20, 24, 28, 32}, costs.bitsliced_verify} {}

  double of(const Query& query) {
    if (query.iupac) return computed(query);
    const auto [known, is_new] = known_.try_emplace({query.sets.size(), query.limits.edits}, 0);
    if (is_new) known->second = computed(query);
    return known->second;
  }

 private:
  // Infinite if bitsliced declines the query.
  double computed(const Query& query) const {
    const std::optional<bitsliced::Seed> seed = bitsliced::choose_seed(query, costs_);
    return seed ? bitsliced::cost_of(*seed, query, costs_) : std::numeric_limits<double>::infinity();
  }

  const bitsliced::Costs costs_;  // about those of both devices
  std::map<std::pair<std::size_t, std::uint32_t>, double> known_;
};

struct Choice {
  Algorithm algorithm;
  double seconds_per_base;
};

// The cheapest algorithm that searches a query on its own. An algorithm is asked only where a cheaper one declines.
Choice cheapest(const Query& query, const Costs& costs, FilterCosts& filter, const PatternSet& patterns) {
  static const Room& hamming = room_of(Algorithm::hamming);
  static const Room& bitsliced = room_of(Algorithm::bitsliced);
  static const Room& myers = room_of(Algorithm::myers);
  const auto length = static_cast<double>(query.sets.size());
  struct Candidate {
    const Room* room;
    double seconds_per_base;
  };
  Candidate candidates[] = {{&hamming, costs.hamming_position * counted_positions(query)},
                            {&bitsliced, costs.bitsliced_row * filter.of(query)},
                            {&myers, costs.myers_word * std::max(1.0, 2 * std::ceil(length / 64))}};
  std::sort(std::begin(candidates), std::end(candidates),
            [](const Candidate& a, const Candidate& b) { return a.seconds_per_base < b.seconds_per_base; });
  for (const Candidate& candidate : candidates) {
    if (!candidate.room->decline(query)) return {candidate.room->algorithm, candidate.seconds_per_base};
  }
  bad_pattern(patterns.patterns()[query.pattern], *myers.decline(query));
}

// The longest q-grams that pigeonhole can look up for a query; nothing if it declines the query.
std::optional<std::uint32_t> gram_positions(const Query& query) {
  if (pigeonhole::unfit(query)) return std::nullopt;
  return std::min(pigeonhole::kMaxGram, static_cast<std::uint32_t>(query.sets.size()) / (query.limits.edits + 1));
}

// About how many q-grams pigeonhole looks up for a query: one for each seed, more if codes stand for several bases.
double gram_words(const Query& query, std::uint32_t q) {
  const std::size_t seeds = query.limits.edits + 1;
  if (!query.iupac) return static_cast<double>(seeds);
  double words = 0;
  for (std::size_t p = 0; p < seeds; ++p) {
    std::vector<int> sizes;
    for (std::size_t c = p * query.sets.size() / seeds; c < (p + 1) * query.sets.size() / seeds; ++c) {
      sizes.push_back(std::popcount(query.sets[c]));
    }
    std::sort(sizes.begin(), sizes.end());
    double seed = 1;
    for (std::size_t i = 0; i < std::min<std::size_t>(q, sizes.size()); ++i) seed *= sizes[i];
    words += seed;
  }
  return words;
}

// The cheapest algorithm for each of the queries alone, or pigeonhole for some of them, without neighbors.
Assignment assign_others(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, const Costs& costs,
                         double expected_bases) {
  FilterCosts filter(costs);
  std::vector<Choice> alone;
  std::vector<std::optional<std::uint32_t>> grams;
  double all_alone = 0;
  for (const std::uint32_t index : queries) {
    const Query& query = patterns.queries()[index];
    alone.push_back(cheapest(query, costs, filter, patterns));
    grams.push_back(gram_positions(query));
    all_alone += alone.back().seconds_per_base;
  }

  // pigeonhole has one table of q-grams for all queries whose seeds have at least q positions. With a larger q fewer
  // queries can use it, but finds are rarer. Takes the q that costs least. Queries that cost less alone stay alone.
  const auto in_table = [&](std::size_t i, std::uint32_t q) {
    if (!grams[i] || *grams[i] < q) return std::numeric_limits<double>::infinity();
    const Query& query = patterns.queries()[queries[i]];
    const auto seed = std::min<std::size_t>(query.sets.size() / (query.limits.edits + 1), kMatchBlockPositions);
    const double whole = std::pow(0.25, static_cast<double>(seed) - q);  // of the q-grams that are found
    const double prepared = costs.prepared_query + costs.prepared_letter * static_cast<double>(query.sets.size());
    return (costs.check + whole * verification(query, costs)) * gram_words(query, q) / std::pow(4.0, q) +
           prepared / expected_bases;
  };
  std::uint32_t best_q = 0;  // 0: no table
  Assignment assignment;
  assignment.seconds_per_base = all_alone;
  for (std::uint32_t q = pigeonhole::kMinSeed; q <= pigeonhole::kMaxGram; ++q) {
    double seconds = all_alone + costs.probe;
    for (std::size_t i = 0; i < queries.size(); ++i)
      seconds += std::min(0.0, in_table(i, q) - alone[i].seconds_per_base);
    if (seconds >= assignment.seconds_per_base) continue;
    assignment.seconds_per_base = seconds;
    best_q = q;
  }

  std::map<Algorithm, std::vector<std::uint32_t>> shares;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const bool shared = best_q != 0 && in_table(i, best_q) < alone[i].seconds_per_base;
    shares[shared ? Algorithm::pigeonhole : alone[i].algorithm].push_back(queries[i]);
  }
  for (auto& [algorithm, taken] : shares)
    assignment.shares.push_back({algorithm, std::move(taken), "by expected cost"});
  return assignment;
}

// The queries that are not among these, which are sorted.
std::vector<std::uint32_t> all_but(const std::vector<std::uint32_t>& taken, const PatternSet& patterns) {
  std::vector<std::uint32_t> all(patterns.queries().size());
  std::iota(all.begin(), all.end(), 0U);
  std::vector<std::uint32_t> rest;
  std::set_difference(all.begin(), all.end(), taken.begin(), taken.end(), std::back_inserter(rest));
  return rest;
}

// neighbors for the queries that it takes for less than another algorithm does, each on its own, and the others'
// assignment for the rest. Nothing if it takes none.
std::optional<Assignment> assign_neighbors(const PatternSet& patterns, Device device, const Costs& costs,
                                           double expected_bases, std::uint64_t table_bytes) {
  std::vector<std::uint32_t> taken;
  for (std::uint32_t index = 0; index < patterns.queries().size(); ++index) {
    if (!neighbors::unfit(patterns.queries()[index])) taken.push_back(index);
  }
  if (taken.empty()) return std::nullopt;
  std::optional<neighbors::TablePlan> plan = neighbors::plan(patterns, taken, device, expected_bases, table_bytes);
  if (!plan) return std::nullopt;
  const std::size_t before = taken.size();
  const std::vector<double> of_each =
      neighbors::seconds_per_base_of_each(patterns, taken, *plan, device, expected_bases);
  FilterCosts filter(costs);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < before; ++i) {
    const double alone = cheapest(patterns.queries()[taken[i]], costs, filter, patterns).seconds_per_base;
    if (of_each[i] <= alone) taken[kept++] = taken[i];
  }
  taken.resize(kept);
  if (taken.empty()) return std::nullopt;
  if (taken.size() < before) plan = neighbors::plan(patterns, taken, device, expected_bases, table_bytes);
  Assignment assignment = assign_others(patterns, all_but(taken, patterns), costs, expected_bases);
  assignment.seconds_per_base += plan->seconds_per_base;
  assignment.shares.push_back({Algorithm::neighbors, std::move(taken), "by expected cost"});
  return assignment;
}

// neighbors with its stored table for the queries of that, and the others' assignment for the rest. Nothing if there is
// no such table.
std::optional<Assignment> assign_stored(const PatternSet& patterns, const StoredTables* tables, double expected_bases) {
  const std::optional<neighbors::StoredPlan> stored = neighbors::stored_plan(patterns, tables);
  if (!stored) return std::nullopt;
  Assignment assignment = assign_others(patterns, all_but(stored->queries, patterns), kCpuCosts, expected_bases);
  assignment.seconds_per_base += stored->plan.seconds_per_base;
  assignment.shares.push_back({Algorithm::neighbors, stored->queries, "its table is stored"});
  return assignment;
}

}  // namespace

Assignment assign_approximate(const PatternSet& patterns, Device device, double expected_bases,
                              std::optional<std::uint64_t> table_bytes, const StoredTables* tables) {
  const Costs& costs = device == Device::gpu ? kGpuCosts : kCpuCosts;
  expected_bases = std::max(expected_bases, 1.0);
  std::optional<Assignment> stored;
  if (device != Device::gpu) stored = assign_stored(patterns, tables, expected_bases);
  if (stored && stored->seconds_per_base * expected_bases < neighbors::kSecondsToWeigh) return std::move(*stored);
  std::vector<std::uint32_t> all(patterns.queries().size());
  std::iota(all.begin(), all.end(), 0U);
  Assignment others = assign_others(patterns, all, costs, expected_bases);
  std::optional<Assignment> with = assign_neighbors(patterns, device, costs, expected_bases,
                                                    table_bytes.value_or(neighbors::default_table_bytes(device)));
  Assignment& built = with && with->seconds_per_base < others.seconds_per_base ? *with : others;
  return std::move(stored && stored->seconds_per_base <= built.seconds_per_base ? *stored : built);
}

}  // namespace basesweep
