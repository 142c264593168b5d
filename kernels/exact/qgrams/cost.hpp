// What a search with `qgrams` costs on the CPU.
#pragma once

#include "kernels/room.hpp"

namespace basesweep::qgrams {

// Room::nanoseconds.
double nanoseconds(const SampledSearch& search);

}  // namespace basesweep::qgrams
