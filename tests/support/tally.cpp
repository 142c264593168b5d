#include "tests/support/tally.hpp"

#include <fmt/format.h>

namespace support {

std::uint64_t Tally::total() const {
  std::uint64_t total = 0;
  for (const auto& [target, row] : rows_) total += row.ran;
  return total;
}

std::uint64_t Tally::ran_by(const std::string& target) const {
  const auto row = rows_.find(target);
  return row == rows_.end() ? 0 : row->second.ran;
}

void Tally::print() const {
  if (rows_.empty()) return;
  fmt::print("{:<36} {:>10} {:>14}\n", "cases compared", "ran", "sets declined");
  for (const auto& [target, row] : rows_) {
    fmt::print("{:<36} {:>10} {:>14}{}\n", target, row.ran, row.skipped,
               row.skipped == 0 ? "" : "  last: " + row.reason);
  }
  fmt::print("{:<36} {:>10}\n", "all", total());
}

Tally& tally() {
  static Tally tally;
  return tally;
}

}  // namespace support
