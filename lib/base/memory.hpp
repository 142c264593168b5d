// Memory that this process can still take.
#pragma once

#include <cstdint>

namespace basesweep {

// A number of bytes from /proc/meminfo by its name there ("MemAvailable"); 0 if it is not there.
std::uint64_t meminfo_bytes(const char* name);

// The memory that is free or can be freed, but not more than control groups allow in all, in bytes.
std::uint64_t available_memory_bytes();

// The same, read at most once a second, since that takes as long as a search in a short text.
std::uint64_t lately_available_memory_bytes();

}  // namespace basesweep
