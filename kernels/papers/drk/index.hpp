// The index of `drk`, `drk-wom32` and `drk-wom64`: the fingerprints of the queries, by length.
#pragma once

#include <cstdint>

#include "kernels/papers/drk/step.hpp"
#include "kernels/room.hpp"
#include "kernels/tables/fingerprints.hpp"

namespace basesweep::drk {

using Wom32 = WithoutModulo<std::uint32_t>;
using Wom64 = WithoutModulo<std::uint64_t>;

// The numbers of 16 positions that first_fingerprint() needs, of a QueryText or PlanesText from `begin` on.
template <class Text>
struct TextNumbers {
  Text text;
  std::uint32_t begin;
  std::uint32_t operator()(std::uint32_t position) const {
    return static_cast<std::uint32_t>(number_of(text.lo_at(begin + position), text.hi_at(begin + position)) >> 32);
  }
};

// Policy: Modulo, Wom32 or Wom64.
template <class Policy>
Fingerprints make_index(const RoomOptions& options);

}  // namespace basesweep::drk
