#include "lib/pipeline/record_names.hpp"

#include <fmt/format.h>

#include <functional>
#include <utility>

namespace basesweep {

void RecordNames::add(const std::string& path, std::string_view name) {
  if (!looking_ || name.empty()) return;
  if (2 * (used_ + pending_.size() + 1) > slots_.size()) grow();
  Pending& here = pending_[next_];
  next_ = (next_ + 1) % pending_.size();
  look_up(here);
  if (!looking_) return;
  here.hash = std::hash<std::string_view>()(name) | 1;  // never 0
  here.name = name;
  if (here.path != path) here.path = path;
  __builtin_prefetch(&slots_[here.hash >> 1 & (slots_.size() - 1)], 1);
}

void RecordNames::finish() {
  for (std::size_t i = 0; i < pending_.size() && looking_; ++i) look_up(pending_[(next_ + i) % pending_.size()]);
}

void RecordNames::look_up(Pending& name) {
  const std::uint64_t hash = std::exchange(name.hash, 0);
  if (hash == 0) return;
  if (!insert(hash)) {
    warn_(fmt::format("{}: record name '{}' was used before; hits on these records cannot be told apart", name.path,
                      name.name));
    looking_ = false;
  } else if (used_ == kMaxNames) {
    looking_ = false;
  }
  if (!looking_) std::vector<std::uint64_t>().swap(slots_);
}

void RecordNames::grow() {
  constexpr std::size_t kFirstSlots = 1024;
  const std::vector<std::uint64_t> old =
      std::exchange(slots_, std::vector<std::uint64_t>(slots_.empty() ? kFirstSlots : 2 * slots_.size()));
  used_ = 0;
  for (const std::uint64_t known : old) {
    if (known != 0) insert(known);
  }
}

// Returns whether the hash is new.
bool RecordNames::insert(std::uint64_t hash) {
  std::size_t slot = hash >> 1 & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    if (slots_[slot] == hash) return false;
  }
  slots_[slot] = hash;
  ++used_;
  return true;
}

}  // namespace basesweep
