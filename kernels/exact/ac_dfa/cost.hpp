// The cost of a search with `ac-dfa` on the CPU.
#pragma once

#include "kernels/room.hpp"

namespace basesweep::ac_dfa {

// Room::nanoseconds.
double nanoseconds(const SampledSearch& search);

}  // namespace basesweep::ac_dfa
