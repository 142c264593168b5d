// --help: plain text, 80 columns.
#pragma once

#include <string>

#include "tools/reference/command_info.hpp"

namespace basesweep {

// The most used options and two examples, at most 40 lines.
std::string print_short_help(const CommandInfo& command);

std::string print_help(const CommandInfo& command);

}  // namespace basesweep
