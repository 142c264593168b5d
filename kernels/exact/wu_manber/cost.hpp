// The cost of a search with `wu-manber` on the CPU.
#pragma once

#include "kernels/room.hpp"

namespace basesweep::wu_manber {

// Room::nanoseconds.
double nanoseconds(const SampledSearch& search);

}  // namespace basesweep::wu_manber
