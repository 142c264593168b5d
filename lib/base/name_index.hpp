// Finds names that are used twice.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace basesweep {

// Names by number, in a table of 8 bytes for each: a large set fills it several times sooner than a std::set. The names
// themselves are the caller's.
class NameIndex {
 public:
  // Makes room for `names` names, and grows when more are added.
  explicit NameIndex(std::size_t names = 0) : slots_(std::bit_ceil(2 * names + 2), kFree) {}

  // Adds the name of this number, unless there is one like it: returns the number of that. `hash`: hash_of() the name.
  // `name_of`: gives the name of a number.
  template <class NameOf>
  std::optional<std::uint32_t> add(std::uint32_t number, std::size_t hash, const NameOf& name_of) {
    if (2 * (size_ + 1) > slots_.size()) grow(name_of);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      if (slots_[at] == kFree) {
        slots_[at] = std::uint64_t{hash >> 32} << 32 | number;
        ++size_;
        return std::nullopt;
      }
      const auto known = static_cast<std::uint32_t>(slots_[at]);
      if (slots_[at] >> 32 == hash >> 32 && name_of(known) == name_of(number)) return known;
    }
  }
  static std::size_t hash_of(std::string_view name) { return std::hash<std::string_view>()(name); }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  template <class NameOf>
  void grow(const NameOf& name_of) {
    const std::vector<std::uint64_t> old = std::exchange(slots_, std::vector<std::uint64_t>(2 * slots_.size(), kFree));
    const std::size_t mask = slots_.size() - 1;
    for (const std::uint64_t slot : old) {
      if (slot == kFree) continue;
      std::size_t at = hash_of(name_of(static_cast<std::uint32_t>(slot))) & mask;
      while (slots_[at] != kFree) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<std::uint64_t> slots_;  // the high half of a name's hash, and its number
  std::size_t size_ = 0;
};

}  // namespace basesweep
