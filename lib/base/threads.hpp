// How many threads this process can keep busy.
#pragma once

namespace basesweep {

// Processors that the process may run on, by its CPU affinity.
int affine_processors();

// The number of these processors or the control group's CPU limit, rounded up, whichever is smaller; at least 1.
int available_threads();

// Starts and ends threads to see whether a run may have `workers` of them; returns how many it may have, at most
// `workers`. Beside its workers a run has helpers of HTSlib, as many for each of input, output and spool, and threads
// that feed them. oneTBB and HTSlib hang or abort when they get no thread, so it is tried before. Throws Error when the
// system does not give a single thread.
int affordable_threads(int workers);

}  // namespace basesweep
