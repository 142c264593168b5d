// What a command prints at once.
#pragma once

#include <string>

namespace basesweep {

// All of it on stdout; returns the exit code 0. Throws IoError.
int print(const std::string& text);

}  // namespace basesweep
