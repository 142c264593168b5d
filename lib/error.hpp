// Errors, and how their messages show a byte.
#pragma once

#include <string>

#include "lib/include/basesweep/error.hpp"

namespace basesweep {

// A byte as a message shows it: 'X' when printable, 0x07 else.
std::string printable(char byte);

}  // namespace basesweep
