#include "kernels/guides/buckets/split.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace basesweep::buckets {
namespace {

// Fitted to README.md, for AVX2.
double seconds_of(const Split& split, const Load& load) {
  constexpr double kSite = 22e-9;     // a site that is put into a bucket
  constexpr double kPlain = 6e-9;     // a site whose planes are made
  constexpr double kNeighbor = 4e-9;  // a bucket of guides that is looked up
  constexpr double kPair = 5e-9;      // a guide that is compared with 256 sites
  constexpr double kBase = 0.6e-9;    // a base of it
  constexpr double kSitesOfVector = 256;
  const double buckets = std::exp2(2.0 * split.q);
  // A bucket begins somewhere in 64 sites.
  const double blocks = split.q == 0 ? load.sites / kSitesOfVector : (load.sites / buckets + 63) / kSitesOfVector + 0.6;
  double seconds = 0;
  for (const int budget : split.budgets) {
    if (budget < 0) continue;
    const double near = near_words(split.q, budget);
    seconds += load.sites * (split.q == 0 ? kPlain : kSite);
    seconds += std::min(buckets, load.sites) * near * kNeighbor;
    seconds +=
        load.guides * near * std::min(1.0, load.sites / buckets) * blocks * (kPair + (load.length - split.q) * kBase);
  }
  return seconds;
}

}  // namespace

double near_words(std::uint32_t q, int budget) {
  double words = 0;
  double exactly = 1;
  for (std::uint32_t i = 0; static_cast<int>(i) <= budget && i <= q; ++i) {
    words += exactly;
    exactly = exactly * 3 * (q - i) / (i + 1);
  }
  return words;
}

Choice choose_split(const Load& load, std::uint32_t least, std::uint32_t most) {
  Choice best{{}, std::numeric_limits<double>::infinity()};
  const auto offer = [&](const Split& split) {
    const double seconds = seconds_of(split, load);
    if (seconds < best.seconds) best = {split, seconds};
  };
  const auto m = static_cast<int>(load.mismatches);
  for (std::uint32_t q = least; q <= std::min({most, kMaxWord, load.length / 2}); ++q) {
    if (q == 0) {
      offer({0, {0, -1}});
      continue;
    }
    for (int first = 0; first < std::max(m, 1); ++first) offer({q, {first, m - 1 - first}});
  }
  return best;
}

Differences differences(std::uint32_t q, std::uint32_t budget) {
  Differences all;
  const std::uint32_t low = (1U << q) - 1;
  for (std::uint32_t bases = 0; bases <= std::min(q, budget); ++bases) {
    for (std::uint32_t key = 0; key < 1U << (2 * q); ++key) {
      if (std::popcount((key | key >> q) & low) == static_cast<int>(bases)) all.keys.push_back(key);
    }
    all.ends.push_back(static_cast<std::uint32_t>(all.keys.size()));
  }
  return all;
}

}  // namespace basesweep::buckets
