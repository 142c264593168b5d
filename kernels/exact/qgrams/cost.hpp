// The cost of a search with `qgrams` on the CPU.
#pragma once

#include "kernels/room.hpp"

namespace basesweep::qgrams {

// Room::nanoseconds.
double nanoseconds(const SampledSearch& search);

}  // namespace basesweep::qgrams
