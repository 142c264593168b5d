// Completion scripts for shells: commands, options, words and files where an option takes them, and nothing elsewhere.
#pragma once

#include <string>

#include "tools/reference/command_info.hpp"

namespace basesweep {

// Of the program, that is the command above all others.
std::string print_bash_completion(const CommandInfo& program);
std::string print_zsh_completion(const CommandInfo& program);
std::string print_fish_completion(const CommandInfo& program);

// In single quotes, as all three shells read it. Holds for text without line ends.
std::string single_quoted(const std::string& text);
std::string join(const std::vector<std::string>& words, const char* between = " ");
// Names of the commands right below.
std::vector<std::string> names_below(const CommandInfo& command);
// A command's path below the program: "", "motif", "bench paper".
std::string path_below(const CommandInfo& command, const char* between = " ");

}  // namespace basesweep
