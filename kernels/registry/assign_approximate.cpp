#include "kernels/registry/assignment.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "kernels/approximate/pigeonhole/index.hpp"
#include "kernels/registry/rooms.hpp"

namespace basesweep {
namespace {

// Seconds per base of text, rounded. CPU: one thread of a Zen 3 with AVX2; GPU: an H200. See docs/benchmarks.md.
struct Costs {
  double bitsliced_row;     // for each row of a query's filter
  double hamming_position;  // for each position of a query
  double myers_word;        // for a query of up to 32 positions, or half of each 64 positions of a longer one
  double probe;             // pigeonhole's look-ups, for all queries together
  double verification;      // of pigeonhole, for each q-gram of random text that is looked up and found
};

constexpr Costs kCpuCosts{4.3e-12, 1.6e-12, 5.1e-10, 9e-10, 3.5e-8};
constexpr Costs kGpuCosts{1.3e-14, 6.4e-15, 8e-13, 1.2e-12, 8e-11};

// About how many rows bitsliced takes.
double filter_rows(const Query& query) {
  return std::min<double>(static_cast<double>(query.sets.size()), 6.0 + 3.0 * query.limits.edits);
}

struct Choice {
  Algorithm algorithm;
  double seconds_per_base;
};

// The cheapest algorithm that searches a query on its own.
Choice cheapest(const Query& query, const Costs& costs, const PatternSet& patterns) {
  const auto length = static_cast<double>(query.sets.size());
  std::vector<Choice> choices;
  const auto declined = [&query](Algorithm algorithm) { return room_of(algorithm).decline(query); };
  if (!declined(Algorithm::hamming)) choices.push_back({Algorithm::hamming, costs.hamming_position * length});
  if (!declined(Algorithm::bitsliced))
    choices.push_back({Algorithm::bitsliced, costs.bitsliced_row * filter_rows(query)});
  const auto reason = declined(Algorithm::myers);
  if (!reason) choices.push_back({Algorithm::myers, costs.myers_word * std::max(1.0, 2 * std::ceil(length / 64))});
  if (choices.empty()) bad_pattern(patterns.patterns()[query.pattern], *reason);
  return *std::min_element(choices.begin(), choices.end(),
                           [](const Choice& a, const Choice& b) { return a.seconds_per_base < b.seconds_per_base; });
}

// The longest q-grams that pigeonhole can look up for a query; nothing if it declines the query.
std::optional<std::uint32_t> gram_positions(const Query& query) {
  if (room_of(Algorithm::pigeonhole).decline(query)) return std::nullopt;
  return std::min(pigeonhole::kMaxGram, static_cast<std::uint32_t>(query.sets.size()) / (query.limits.edits + 1));
}

// About how many q-grams pigeonhole looks up for a query: one for each seed, more if codes stand for several bases.
double gram_words(const Query& query, std::uint32_t q) {
  const std::size_t seeds = query.limits.edits + 1;
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

}  // namespace

Assignment assign_approximate(const PatternSet& patterns, Device device) {
  const Costs& costs = device == Device::gpu ? kGpuCosts : kCpuCosts;
  const std::vector<Query>& queries = patterns.queries();
  std::vector<Choice> alone;
  std::vector<std::optional<std::uint32_t>> grams;
  double all_alone = 0;
  for (const Query& query : queries) {
    alone.push_back(cheapest(query, costs, patterns));
    grams.push_back(gram_positions(query));
    all_alone += alone.back().seconds_per_base;
  }

  // pigeonhole has one table of q-grams for all queries whose seeds have at least q positions. With a larger q fewer
  // queries can use it, but finds are rarer. Takes the q that costs least.
  constexpr std::uint32_t kNone = ~0U;
  std::uint32_t min_grams = kNone;
  Assignment assignment;
  assignment.seconds_per_base = all_alone;
  for (std::uint32_t q = pigeonhole::kMinSeed; q <= pigeonhole::kMaxGram; ++q) {
    double seconds = all_alone + costs.probe;
    for (std::size_t e = 0; e < queries.size(); ++e) {
      if (!grams[e] || *grams[e] < q) continue;
      seconds += costs.verification * gram_words(queries[e], q) / std::pow(4.0, q) - alone[e].seconds_per_base;
    }
    if (seconds >= assignment.seconds_per_base) continue;
    assignment.seconds_per_base = seconds;
    min_grams = q;
  }

  std::map<Algorithm, std::vector<std::uint32_t>> shares;
  for (std::uint32_t e = 0; e < queries.size(); ++e) {
    const bool in_table = grams[e] && *grams[e] >= min_grams;
    shares[in_table ? Algorithm::pigeonhole : alone[e].algorithm].push_back(e);
  }
  for (auto& [algorithm, taken] : shares)
    assignment.shares.push_back({algorithm, std::move(taken), "by expected cost"});
  return assignment;
}

}  // namespace basesweep
