// Messages about a command line that the program does not understand.
#pragma once

#include <string>

#include "tools/usage_fault.hpp"

namespace CLI {
class App;
class Error;
}  // namespace CLI

namespace basesweep {

// The message for stderr, with the command whose help to read.
std::string usage_message(const UsageFault& fault);
// The same for what CLI11 finds: values that an option does not take.
// `command`: whose help to read; "": that which the words call.
std::string usage_message(const CLI::App& program, const CLI::Error& error, const std::string& command = "");

}  // namespace basesweep
