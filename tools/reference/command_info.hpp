// A command as its CLI11 definition has it: what --help, man pages and completions are printed from.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/help.hpp"

namespace basesweep {

enum class Takes { nothing, anything, word, file, folder, command };

struct OptionInfo {
  std::vector<std::string> names;  // "-o", "--output"; of an argument its name alone, in capitals
  Takes takes;
  std::string value;               // what it takes ("FILE"); of words all of them ("bed|tsv")
  std::vector<std::string> words;  // that can be completed: those without capitals, which stand for others
  std::string text;
  bool required, repeated;

  bool is_argument() const { return names.front().front() != '-'; }
  // As a person reads them: long lists of words stand in the text, not behind the name.
  std::string shown_value() const;
  std::string shown_text() const;
};

struct OptionGroup {
  std::string title;
  std::vector<OptionInfo> options;
};

struct CommandInfo {
  std::vector<std::string> path;  // "basesweep", "bench", "paper"
  std::string summary;
  std::string group;
  Help help;
  std::vector<OptionInfo> arguments;
  std::vector<OptionGroup> groups;
  std::vector<CommandInfo> commands;

  std::string name(const char* between = " ") const;  // the path
  std::vector<OptionInfo> options() const;            // of all groups
};

CommandInfo describe(const CLI::App& command);

// The command, then all below it.
std::vector<const CommandInfo*> with_all_below(const CommandInfo& command);

}  // namespace basesweep
