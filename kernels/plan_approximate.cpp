#include "kernels/plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "kernels/pigeonhole/index.hpp"
#include "kernels/room.hpp"

namespace basesweep {
namespace {

// Seconds per base of text, rounded; CPU: one thread of a Zen 3 with AVX2, GPU: an H200. See docs/benchmarks.md.
struct Costs {
  double bitsliced_row;   // an entry's filter of so many rows
  double hamming_column;  // an entry's column
  double myers_word;      // an entry of up to 32 columns, and 64 columns of a longer one
  double probe;           // pigeonhole, whatever the entries
  double verification;    // of pigeonhole, for each time that a q-gram of random text is looked up and found
};

constexpr Costs kCpuCosts{4.3e-12, 1.6e-12, 5.1e-10, 9e-10, 3.5e-8};
constexpr Costs kGpuCosts{1.3e-14, 6.4e-15, 8e-13, 1.2e-12, 8e-11};

// bitsliced takes about so many rows.
double filter_rows(const Entry& entry) {
  return std::min<double>(static_cast<double>(entry.columns.size()), 6.0 + 3.0 * entry.limits.edits);
}

struct Choice {
  Algorithm algorithm;
  double seconds_per_base;
};

// The cheapest algorithm that searches an entry on its own.
Choice cheapest(const Entry& entry, const Costs& costs, const PatternSet& patterns) {
  const auto length = static_cast<double>(entry.columns.size());
  std::vector<Choice> choices;
  if (!hamming::decline(entry)) choices.push_back({Algorithm::hamming, costs.hamming_column * length});
  if (!bitsliced::decline(entry)) choices.push_back({Algorithm::bitsliced, costs.bitsliced_row * filter_rows(entry)});
  const auto declined = myers::decline(entry);
  if (!declined) choices.push_back({Algorithm::myers, costs.myers_word * std::max(1.0, 2 * std::ceil(length / 64))});
  if (choices.empty()) bad_pattern(patterns.patterns()[entry.pattern], *declined);
  return *std::min_element(choices.begin(), choices.end(),
                           [](const Choice& a, const Choice& b) { return a.seconds_per_base < b.seconds_per_base; });
}

// Columns of the q-grams that pigeonhole would look up for an entry; nothing where it declines.
std::optional<std::uint32_t> gram_columns(const Entry& entry) {
  if (pigeonhole::decline(entry)) return std::nullopt;
  return std::min(pigeonhole::kMostGram, static_cast<std::uint32_t>(entry.columns.size()) / (entry.limits.edits + 1));
}

// About how many q-grams pigeonhole would look up for an entry: one a piece, more where codes stand for several bases.
double gram_words(const Entry& entry, std::uint32_t q) {
  const std::size_t pieces = entry.limits.edits + 1;
  double words = 0;
  for (std::size_t p = 0; p < pieces; ++p) {
    std::vector<int> sizes;
    for (std::size_t c = p * entry.columns.size() / pieces; c < (p + 1) * entry.columns.size() / pieces; ++c) {
      sizes.push_back(std::popcount(entry.columns[c]));
    }
    std::sort(sizes.begin(), sizes.end());
    double piece = 1;
    for (std::size_t i = 0; i < std::min<std::size_t>(q, sizes.size()); ++i) piece *= sizes[i];
    words += piece;
  }
  return words;
}

}  // namespace

Plan plan_approximate(const PatternSet& patterns, Device device) {
  const Costs& costs = device == Device::gpu ? kGpuCosts : kCpuCosts;
  const std::vector<Entry>& entries = patterns.entries();
  std::vector<Choice> alone;
  std::vector<std::optional<std::uint32_t>> grams;
  double all_alone = 0;
  for (const Entry& entry : entries) {
    alone.push_back(cheapest(entry, costs, patterns));
    grams.push_back(gram_columns(entry));
    all_alone += alone.back().seconds_per_base;
  }

  // One table of q-grams for all entries with pieces of at least q columns: the larger q, the fewer of them take part
  // and the rarer is a find.
  constexpr std::uint32_t kNone = ~0U;
  std::uint32_t least_grams = kNone;
  Plan plan;
  plan.seconds_per_base = all_alone;
  for (std::uint32_t q = pigeonhole::kLeastPiece; q <= pigeonhole::kMostGram; ++q) {
    double seconds = all_alone + costs.probe;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (!grams[e] || *grams[e] < q) continue;
      seconds += costs.verification * gram_words(entries[e], q) / std::pow(4.0, q) - alone[e].seconds_per_base;
    }
    if (seconds >= plan.seconds_per_base) continue;
    plan.seconds_per_base = seconds;
    least_grams = q;
  }

  std::map<Algorithm, std::vector<std::uint32_t>> shares;
  for (std::uint32_t e = 0; e < entries.size(); ++e) {
    const bool in_table = grams[e] && *grams[e] >= least_grams;
    shares[in_table ? Algorithm::pigeonhole : alone[e].algorithm].push_back(e);
  }
  for (auto& [algorithm, taken] : shares) plan.shares.push_back({algorithm, std::move(taken), "by expected cost"});
  return plan;
}

}  // namespace basesweep
