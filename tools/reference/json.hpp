// The commands as JSON: the list that wrappers, workflows, documents and tests are made of or compared with.
#pragma once

#include <string>

#include "tools/reference/command_info.hpp"

namespace basesweep {

// `command`: the program, or one of its commands; those below it are listed too. Schema "basesweep-help/1".
std::string print_json(const CommandInfo& command);

}  // namespace basesweep
