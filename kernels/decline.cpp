#include <fmt/format.h>

#include "kernels/room.hpp"

namespace basesweep {

std::optional<std::string> decline_sets(const Entry& entry) {
  if (entry.iupac) return "has IUPAC codes";
  return std::nullopt;
}

std::optional<std::string> decline_longer(const Entry& entry, std::size_t most, const char* why) {
  if (auto reason = decline_sets(entry)) return reason;
  if (entry.columns.size() > most) return fmt::format("is longer than {} bases{}", most, why);
  return std::nullopt;
}

}  // namespace basesweep
