// What the program says about a command line that it does not understand.
#pragma once

#include <string>

namespace CLI {
class App;
class Error;
}  // namespace CLI

namespace basesweep {

// The message for stderr, with the command whose help to read, and the option or command that was probably meant.
std::string usage_message(const CLI::App& program, const CLI::Error& error);

}  // namespace basesweep
