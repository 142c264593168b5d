// Manual pages, in roff's man macros.
#pragma once

#include <string>

#include "tools/reference/command_info.hpp"

namespace basesweep {

std::string print_man_page(const CommandInfo& command);

}  // namespace basesweep
