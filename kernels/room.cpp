#include <fmt/format.h>

#include "kernels/room.hpp"

#include "lib/search/query.hpp"

namespace basesweep {

std::optional<std::string> decline_sets(const Query& query) {
  if (query.iupac) return "has IUPAC codes";
  return std::nullopt;
}

std::optional<std::string> decline_longer(const Query& query, std::size_t max, const char* why) {
  if (auto reason = decline_sets(query)) return reason;
  if (query.sets.size() > max) return fmt::format("is longer than {} bases{}", max, why);
  return std::nullopt;
}

}  // namespace basesweep
