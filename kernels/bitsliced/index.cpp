#include "kernels/bitsliced/index.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace basesweep::bitsliced {
namespace {

// More survivors than this a column of random text are no filter.
constexpr double kMostSurvivors = 0.02;

// What a column tells, in columns of a single base: 1 for a base, 1/2 for a set of two, 0 for any base.
double information(BaseSet set) { return 1 - std::log2(std::popcount(static_cast<unsigned>(set))) / 2; }

// Columns of random text that survive so many rows, as a share: fits what 12 million columns gave for k up to 12 within
// a factor of 3. (Each edit takes 2.4 rows more, each row leaves a third.)
double survivor_rate(double rows, std::uint32_t edits) {
  return std::min(1.0, 1e-4 * std::pow(3.0, 7.3 + 2.4 * edits - rows));
}

// First column of the `rows` ones that tell most, and what they tell.
std::pair<std::uint32_t, double> best_offset(const std::vector<BaseSet>& columns, std::uint32_t rows) {
  double told = 0;
  for (std::uint32_t c = 0; c < rows; ++c) told += information(columns[c]);
  std::pair<std::uint32_t, double> best{0, told};
  for (std::uint32_t c = rows; c < columns.size(); ++c) {
    told += information(columns[c]) - information(columns[c - rows]);
    if (told > best.second + 1e-9) best = {c + 1 - rows, told};
  }
  return best;
}

}  // namespace

std::optional<Window> choose_window(const Entry& entry, const Costs& costs) {
  const auto length = static_cast<std::uint32_t>(entry.columns.size());
  const std::uint32_t edits = entry.limits.edits;
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
    const auto [column, told] = best_offset(entry.columns, choice);
    const double rate = survivor_rate(told, edits);
    const double cost = choice + rate * costs.verify * (length + 2 * edits + choice);
    if (rate <= kMostSurvivors && cost < least) {
      least = cost;
      rows = choice;
      offset = column;
    }
  }
  if (rows == 0) return std::nullopt;
  const std::uint32_t end = std::min(offset + rows, length);
  const double told = best_offset(entry.columns, std::min(rows, length)).second;
  Window window{rows, edits, end, length - end, rows >= length, survivor_rate(told, edits), {}};
  const std::uint32_t padding = rows > length ? rows - length : 0;
  for (std::uint32_t r = 0; r < rows; ++r) {
    window.sets[r] = r < padding ? kPadding : entry.columns[offset + r - padding];
  }
  return window;
}

}  // namespace basesweep::bitsliced
