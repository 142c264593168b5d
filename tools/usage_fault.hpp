// Finds what is wrong with the form of a command line before CLI11 parses it, which says it in its own words or, where
// it guesses, not at all: it takes the word after "--output=" for the file.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace basesweep {

struct UsageFault {
  std::string command;  // whose help to read: "basesweep motif"
  std::string text;     // what is wrong, and what cures it
};

// The first fault of the words after the program's name: a command or an option that is not there, a value that is
// missing or one too many, an option given twice, an argument that the command does not take or lacks. Nothing if help
// is asked for. The words must have gone through join_optional_value(). Values are not checked.
std::optional<UsageFault> find_usage_fault(const CLI::App& program, const std::vector<std::string>& words);

}  // namespace basesweep
