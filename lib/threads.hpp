// How many threads this process may keep busy.
#pragma once

namespace basesweep {

// Processors that it may run on.
int affine_processors();

// The smaller of these and its control group's CPU quota (rounded up); at least 1.
int available_threads();

}  // namespace basesweep
