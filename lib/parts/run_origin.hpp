// Where a report comes from: the run that wrote it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace basesweep {

struct RunOrigin {
  std::vector<std::string> command_line{};  // its words, the program first
  std::string started{};                    // UTC, ISO 8601: "2026-11-26T13:45:33Z"
  // Files that the run wrote: the option that names each ("--output"), and its path.
  std::vector<std::pair<std::string, std::string>> outputs{};
};

// Adds `command_line` and `outputs` to a report.
void add_origin(const RunOrigin& origin, nlohmann::ordered_json& report);

}  // namespace basesweep
