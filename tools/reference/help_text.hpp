// --help: plain text, 80 columns.
#pragma once

#include <string>

#include "tools/reference/command_info.hpp"

namespace basesweep {

std::string print_help(const CommandInfo& command);

}  // namespace basesweep
