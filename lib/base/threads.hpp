// How many threads this process can keep busy.
#pragma once

#include <algorithm>
#include <cstdint>

namespace basesweep {

// The most threads that options, the library and the environment can ask for.
inline constexpr int kMaxThreads = 4096;

// How much of an input a batch may have so that each thread gets several batches.
inline std::int64_t share_of_batch(std::int64_t input, int threads) {
  constexpr std::int64_t kBatchesOfThread = 4;
  return input / (kBatchesOfThread * std::max(threads, 1));
}

// Processors that the process may run on, by its CPU affinity.
int affine_processors();

// The number of these processors or the control group's CPU limit, rounded up, whichever is smaller; at least 1.
int available_threads();

// Starts and ends threads to see whether a run may have `workers` of them. Returns how many it may have, at most
// `workers`. A run has more threads than its workers: as many helpers for each of input, output and spool, and threads
// that feed them. oneTBB and HTSlib hang or abort when the system refuses them a thread, so this function tries first.
// Throws Error when the system does not give a single thread.
int affordable_threads(int workers);

}  // namespace basesweep
