// What the control groups that this process runs in allow it (containers, batch systems).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace basesweep {

inline constexpr const char* kControlGroups = "/sys/fs/cgroup";  // where the kernel shows them

// CPUs' worth of time; infinity where nothing limits it.
double control_group_cpus(const std::string& root = kControlGroups);

// Bytes of memory; nothing where nothing limits it.
std::optional<std::uint64_t> control_group_memory_bytes(const std::string& root = kControlGroups);

}  // namespace basesweep
