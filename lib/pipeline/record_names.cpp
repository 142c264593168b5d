#include "lib/pipeline/record_names.hpp"

#include <fmt/format.h>

#include <functional>
#include <utility>

namespace basesweep {

void RecordNames::add(const std::string& path, std::string_view name) {
  if (!looking_ || name.empty()) return;
  if (!insert(std::hash<std::string_view>()(name))) {
    warn_(fmt::format("{}: record name '{}' was used before; hits on these records cannot be told apart", path, name));
    looking_ = false;
  } else if (used_ == kMaxNames) {
    looking_ = false;
  }
  if (!looking_) std::vector<std::uint64_t>().swap(slots_);
}

// Returns whether the hash is new.
bool RecordNames::insert(std::uint64_t hash) {
  constexpr std::size_t kFirstSlots = 1024;
  if (2 * (used_ + 1) > slots_.size()) {
    const std::vector<std::uint64_t> old =
        std::exchange(slots_, std::vector<std::uint64_t>(slots_.empty() ? kFirstSlots : 2 * slots_.size()));
    used_ = 0;
    for (const std::uint64_t known : old) {
      if (known != 0) insert(known);
    }
  }
  hash |= 1;  // never 0
  std::size_t slot = hash >> 1 & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    if (slots_[slot] == hash) return false;
  }
  slots_[slot] = hash;
  ++used_;
  return true;
}

}  // namespace basesweep
