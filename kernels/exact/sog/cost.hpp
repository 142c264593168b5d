// The cost of a search with `sog` on the CPU.
#pragma once

#include "kernels/room.hpp"

namespace basesweep::sog {

// Room::nanoseconds. A large number unless all queries have the length of a q-gram: only these were measured best.
double nanoseconds(const SampledSearch& search);

}  // namespace basesweep::sog
