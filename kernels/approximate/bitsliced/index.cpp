#include "kernels/approximate/bitsliced/index.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace basesweep::bitsliced {
namespace {

// A seed must leave at most this share of the positions of random text.
constexpr double kMaxSurvivors = 0.02;

// The information of a position, where a single base counts as 1: 1/2 for a set of two bases, 0 for any base.
double information(BaseSet set) { return 1 - std::log2(std::popcount(static_cast<unsigned>(set))) / 2; }

// The share of positions of random text that survive this many rows. The formula fits what was measured on 12 million
// positions for k up to 12, within a factor of 3: each edit takes 2.4 more rows, each row leaves a third.
double survivor_rate(double rows, std::uint32_t edits) {
  return std::min(1.0, 1e-4 * std::pow(3.0, 7.3 + 2.4 * edits - rows));
}

// The first of the `rows` consecutive positions with the most information, and their information.
std::pair<std::uint32_t, double> best_offset(const Query& query, std::uint32_t rows) {
  if (!query.iupac) return {0, rows};
  const std::span<const BaseSet> sets = query.sets;
  double sum = 0;
  for (std::uint32_t c = 0; c < rows; ++c) sum += information(sets[c]);
  std::pair<std::uint32_t, double> best{0, sum};
  for (std::uint32_t c = rows; c < sets.size(); ++c) {
    sum += information(sets[c]) - information(sets[c - rows]);
    if (sum > best.second + 1e-9) best = {c + 1 - rows, sum};
  }
  return best;
}

double cost_with(std::uint32_t rows, double survivors, const Query& query, const Costs& costs) {
  const double verified = static_cast<double>(query.sets.size()) + 2.0 * query.limits.edits + rows;
  return rows + survivors * costs.verify * verified;
}

}  // namespace

double cost_of(const Seed& seed, const Query& query, const Costs& costs) {
  return cost_with(seed.rows, seed.whole ? 0 : seed.survivors, query, costs);
}

std::optional<Seed> choose_seed(const Query& query, const Costs& costs) {
  const auto length = static_cast<std::uint32_t>(query.sets.size());
  const std::uint32_t edits = query.limits.edits;
  std::uint32_t rows = 0;
  std::uint32_t offset = 0;
  double least = HUGE_VAL;
  for (const std::uint32_t choice : costs.rows) {
    if (choice >= length) {
      if (choice < least) {
        rows = choice;
        offset = 0;
      }
      break;
    }
    if (choice <= edits) continue;
    const auto [position, known] = best_offset(query, choice);
    const double rate = survivor_rate(known, edits);
    const double cost = cost_with(choice, rate, query, costs);
    if (rate <= kMaxSurvivors && cost < least) {
      least = cost;
      rows = choice;
      offset = position;
    }
  }
  if (rows == 0) return std::nullopt;
  const std::uint32_t end = std::min(offset + rows, length);
  const double known = best_offset(query, std::min(rows, length)).second;
  Seed seed{rows, edits, end, length - end, rows >= length, survivor_rate(known, edits), {}};
  const std::uint32_t padding = rows > length ? rows - length : 0;
  for (std::uint32_t r = 0; r < rows; ++r) {
    seed.sets[r] = r < padding ? kPadding : query.sets[offset + r - padding];
  }
  return seed;
}

}  // namespace basesweep::bitsliced
