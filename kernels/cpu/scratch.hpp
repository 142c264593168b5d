// Scratch memory of a thread, for the intermediate masks of scans.
#pragma once

#include <cstddef>
#include <cstdint>

namespace basesweep {

// Returns at least `words` 64-bit words, aligned to 64 bytes, that belong to the calling thread. The next call on this
// thread may free them.
std::uint64_t* thread_scratch(std::size_t words);

}  // namespace basesweep
