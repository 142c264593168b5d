// Limits that control groups put on this process, as containers and batch systems do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace basesweep {

inline constexpr const char* kControlGroups = "/sys/fs/cgroup";  // where the kernel lists them

// The CPU time that is allowed, in CPUs (1.5: one and a half); infinity when there is no limit.
double control_group_cpus(const std::string& root = kControlGroups);

// The memory that is allowed, in bytes; nothing when there is no limit.
std::optional<std::uint64_t> control_group_memory_bytes(const std::string& root = kControlGroups);

}  // namespace basesweep
