// Says quickly which adapters may be in a read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lib/trim/locate.hpp"

namespace basesweep {

// Edit distances of adapters, bit-parallel (Myers, J. ACM 46, 395-415, 1999). An adapter that AdapterLocator finds is
// never left out; some that it does not find pass. Thread-safe.
class AdapterFilter {
 public:
  // Adapters with more letters always pass.
  static constexpr std::size_t kMaxLetters = 64;

  // The locators are needed during construction only.
  explicit AdapterFilter(std::span<const AdapterLocator* const> locators);

  // Appends the indices of the adapters that may be in the read, in increasing order.
  void find(std::span<const LetterSet> read, std::vector<std::uint32_t>& found) const;

 private:
  // Adapters that are searched together hide each other's latency.
  static constexpr std::size_t kLanes = 4;

  // An adapter in the highest bits of a word. Bits below match everything, so that the lowest of its rows sees a row of
  // zeros below it.
  struct Lane {
    std::uint32_t index = 0;
    std::uint32_t rows = 0;
    std::uint32_t limit = 0;        // errors of a whole adapter
    std::uint64_t differences = 0;  // of the first column: 1 where a row costs one more than that below
    std::array<std::uint64_t, kReadSets> equal{};
    // The errors that an alignment may have which ends with the adapter at base j + 1 of the read; -1: there is none.
    // `limit` for ends after these.
    std::vector<std::int32_t> early_limits{};
    std::vector<std::int32_t> part_limits{};  // errors of the first i letters at the end of the read; -1: none
    // Stretches of the adapter, one more than it may have errors, so that one of them has none where the whole adapter
    // is. Empty: they would be too short to tell anything.
    std::vector<std::vector<LetterSet>> stretches{};
    bool counts_start = false;  // bases before the adapter cost 1 each
    bool ends_anywhere = true;  // else at the end of the read
  };
  // The state of a lane within a read.
  struct Column {
    std::uint64_t up;
    std::uint64_t down;
    std::int32_t cost;  // of the last row
  };

  static void add_stretches(const AdapterLocator& locator, Lane& lane);
  template <std::size_t Count>
  static void find_lanes(const Lane* const* lanes, std::span<const LetterSet> read, std::vector<std::uint32_t>& found);
  static bool may_be_whole(const Lane& lane, std::span<const LetterSet> read);
  static bool passes_in_part(const Lane& lane, std::span<const LetterSet> read);
  static bool passes_alone(const Lane& lane, std::span<const LetterSet> read);
  static bool passes_at_end(const Lane& lane, const Column& column);
  static void step(std::uint64_t equal, std::uint64_t start_cost, Column& column);

  std::vector<Lane> lanes_;          // of adapters that may be anywhere in the read
  std::vector<Lane> tied_;           // of adapters at an end of the read
  std::vector<std::uint32_t> long_;  // adapters that always pass
};

}  // namespace basesweep
