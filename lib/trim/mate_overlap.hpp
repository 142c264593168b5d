// The length of the fragment that two mates come from, where they overlap.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace basesweep {

// Mates overlap if at least this many bases lie over each other,
inline constexpr std::uint32_t kLeastOverlap = 12;
// of which at most this share differs, an unknown base like any other, and no other length of the fragment does.
inline constexpr double kMostOverlapDifference = 0.12;

// The fragment's length: base i of the first mate lies over the complement of base length - 1 - i of the second.
// Nothing if the mates do not overlap, or do so with several lengths (repeats). A fragment may be shorter than the
// mates, whose ends are then adapter, and longer than each of them.
std::optional<std::uint32_t> fragment_length(std::string_view first, std::string_view second);

}  // namespace basesweep
