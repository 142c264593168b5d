// Errors, and bytes in their messages.
#pragma once

#include <string>
#include <string_view>

#include "lib/include/basesweep/error.hpp"

namespace basesweep {

// The byte for a message: 'X' in quotes when it is printable, "a blank", "a tab", otherwise "byte 0x07".
std::string printable(char byte);
// The text with control characters shown as \n, \t, \r or \x1b, so that names from files cannot steer a terminal, and
// with bytes that are not UTF-8 as \xff. A line end that is followed by two blanks stays: messages of several lines are
// written so.
std::string printable(std::string_view text);

}  // namespace basesweep
