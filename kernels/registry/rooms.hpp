// The array of all rooms.
#pragma once

#include <span>

#include "kernels/room.hpp"

namespace basesweep {

// In the order of Algorithm, which is that of --help.
std::span<const Room* const> rooms();

// The room of an algorithm. Throws Error for `automatic`, which has none.
const Room& room_of(Algorithm algorithm);

}  // namespace basesweep
