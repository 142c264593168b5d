// How many threads this process may keep busy.
#pragma once

namespace basesweep {

// The smaller of the processors it may run on and its control group's CPU quota (rounded up); at least 1.
int available_threads();

}  // namespace basesweep
