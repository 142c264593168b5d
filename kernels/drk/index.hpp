// What `drk` and its kin prepare from the patterns: the fingerprints of entries, by length.
#pragma once

#include <cstdint>

#include "kernels/drk/step.hpp"
#include "kernels/fingerprints.hpp"
#include "kernels/room.hpp"

namespace basesweep::drk {

using Wom32 = WithoutModulo<std::uint32_t>;
using Wom64 = WithoutModulo<std::uint64_t>;

// Numbers of 16 columns, as first_window() asks for them, of an EntryText or of PlanesText from `begin` on.
template <class Text>
struct TextNumbers {
  Text text;
  std::uint32_t begin;
  std::uint32_t operator()(std::uint32_t column) const {
    return static_cast<std::uint32_t>(number_of(text.lo_at(begin + column), text.hi_at(begin + column)) >> 32);
  }
};

// Policy: Modulo, Wom32 or Wom64.
template <class Policy>
Fingerprints make_index(const RoomOptions& options);

}  // namespace basesweep::drk
