// Reads a command line before CLI11 does, which says in its own words what is wrong with its form or, where it guesses,
// not at all: it takes the word after "--output=" for the file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace basesweep {

struct UsageFault {
  std::string command;  // whose help to read: "basesweep motif"
  std::string text;     // the fault, and how to cure it
};

// The result of reading a command line.
struct CommandLine {
  // The first fault: a command or an option that is not there, a value that is missing or one too many, an option given
  // twice, an argument that the command does not take or lacks. Nothing if help is asked for. Values are not checked.
  std::optional<UsageFault> fault{};
  std::vector<std::size_t> arguments{};  // which words are arguments of a command: neither options nor their values
  std::optional<std::size_t> end_of_options{};  // which word is the "--" after which all words are arguments
};

// `words`: those after the program's name, which must have gone through join_optional_value().
CommandLine read_command_line(const CLI::App& program, const std::vector<std::string>& words);

}  // namespace basesweep
