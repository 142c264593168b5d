// Output of commands: text to stdout, messages to stderr.
#pragma once

#include <string>

namespace basesweep {

// Writes the text to stdout and returns exit code 0. Throws IoError.
int print(const std::string& text);

// Writes "basesweep: TEXT" and a line end to stderr. It is no error if stderr cannot be written to.
void tell(const std::string& text);

}  // namespace basesweep
