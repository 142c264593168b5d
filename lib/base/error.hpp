// Errors, and bytes in their messages.
#pragma once

#include <string>

#include "lib/include/basesweep/error.hpp"

namespace basesweep {

// The byte for a message: 'X' in quotes when it is printable, otherwise "byte 0x07".
std::string printable(char byte);

}  // namespace basesweep
