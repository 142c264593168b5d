// The commands of the program and its command line.
#pragma once

#include <string>
#include <vector>

#include "tools/reference/command_info.hpp"

namespace basesweep {

class PartSet;

// The commands that have chunks, whose parts `merge` takes.
std::vector<CommandInfo> commands_with_parts();

// Runs a command. `words`: its name, options and arguments. `parts`: those of the run that it is to finish, instead of
// searching; then the last of several values of an option counts. Null: a whole run. Returns the exit code.
int run_words(std::vector<std::string> words, PartSet* parts = nullptr);

}  // namespace basesweep
