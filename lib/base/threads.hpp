// How many threads this process can keep busy.
#pragma once

namespace basesweep {

// Processors that the process may run on, by its CPU affinity.
int affine_processors();

// The number of these processors or the control group's CPU limit, rounded up, whichever is smaller; at least 1.
int available_threads();

}  // namespace basesweep
