// What the control groups that this process runs in allow it (containers, batch systems).
#pragma once

#include <cstdint>
#include <optional>

namespace basesweep {

// CPUs' worth of time; infinity where nothing limits it.
double control_group_cpus();

// Bytes of memory; nothing where nothing limits it.
std::optional<std::uint64_t> control_group_memory_bytes();

}  // namespace basesweep
