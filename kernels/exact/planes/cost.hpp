// The cost of a search with `planes` on the CPU.
#pragma once

#include "kernels/room.hpp"

namespace basesweep::planes {

// Room::nanoseconds. A large number for more queries than this.
inline constexpr std::size_t kMaxQueries = 256;
double nanoseconds(const SampledSearch& search);

}  // namespace basesweep::planes
