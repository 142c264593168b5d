// Completion scripts for shells. They complete commands, options, and the words or files that an option takes.
#pragma once

#include <string>

#include "tools/reference/command_info.hpp"

namespace basesweep {

// `program`: the top command.
std::string print_bash_completion(const CommandInfo& program);
std::string print_zsh_completion(const CommandInfo& program);
std::string print_fish_completion(const CommandInfo& program);

// The text in single quotes, for all three shells. The text must not contain line ends.
std::string single_quoted(const std::string& text);
std::string join(const std::vector<std::string>& words, const char* between = " ");
// Names of the direct subcommands.
std::vector<std::string> names_below(const CommandInfo& command);
// A command's path without the program: "", "motif", "bench paper".
std::string path_below(const CommandInfo& command, const char* between = " ");

}  // namespace basesweep
