// A command's CLI11 definition as plain data, from which --help, man pages and completions are printed.
#pragma once

#include <string>
#include <vector>

#include "tools/help.hpp"
#include "tools/option_facts.hpp"

namespace basesweep {

enum class Takes { nothing, anything, word, file, folder, command };

struct OptionInfo {
  std::vector<std::string> names;  // "-o", "--output"; an argument has one name, in capitals
  Takes takes;
  std::string value;               // the type ("FILE"), all words ("bed|tsv"), or "[=NAME]" if it may be left out
  std::vector<std::string> words;  // words to complete; a word with capitals is a placeholder and is left out
  std::string text;
  bool required, repeated;
  OptionFacts facts;

  bool is_argument() const { return names.front().front() != '-'; }
  // Type and text as help prints them: a long list of words goes into the text, not beside the name.
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

  std::string name(const char* between = " ") const;  // the joined path
  std::vector<OptionInfo> options() const;            // those of all groups
};

CommandInfo describe(const CLI::App& command);

// The command and all its subcommands, the command first.
std::vector<const CommandInfo*> with_all_below(const CommandInfo& command);

}  // namespace basesweep
