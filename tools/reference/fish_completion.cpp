#include <fmt/format.h>

#include "tools/reference/completion.hpp"

namespace basesweep {
namespace {

std::string values(const OptionInfo& option) {
  switch (option.takes) {
    case Takes::nothing: return "";
    case Takes::anything: return " -x";
    case Takes::word: return " -x -a " + single_quoted(join(option.words));
    case Takes::file: return " -r -F";
    case Takes::folder: return " -x -a '(__fish_complete_directories)'";
  }
  return "";
}

std::string option_line(const std::string& begin, const OptionInfo& option) {
  std::string line = begin;
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  return line + values(option) + " -d " + single_quoted(option.text) + "\n";
}

std::string lines_of(const CommandInfo& command) {
  const std::string begin =
      "complete -c basesweep -n " + single_quoted("__basesweep_in " + single_quoted(path_below(command)));
  std::string lines;
  for (const CommandInfo& below : command.commands) {
    lines += fmt::format("{} -a {} -d {}\n", begin, below.path.back(), single_quoted(below.summary));
  }
  for (const OptionInfo& option : command.options()) lines += option_line(begin, option);
  if (!command.arguments.empty()) {
    const OptionInfo& argument = command.arguments.front();
    if (argument.takes == Takes::file) lines += begin + " -F\n";
    if (argument.takes == Takes::word) lines += begin + " -a " + single_quoted(join(argument.words)) + "\n";
  }
  return lines;
}

// Cases of a switch over "COMMAND WORD": what leads to a command below, and options that take the word behind them.
std::string cases(const CommandInfo& command) {
  std::string lines;
  for (const CommandInfo& below : command.commands) {
    lines +=
        fmt::format("            case {}\n                set path {}\n",
                    single_quoted(path_below(command) + " " + below.path.back()), single_quoted(path_below(below)));
  }
  std::vector<std::string> taking;
  for (const OptionInfo& option : command.options()) {
    if (option.takes == Takes::nothing) continue;
    for (const std::string& name : option.names) taking.push_back(single_quoted(path_below(command) + " " + name));
  }
  if (!taking.empty()) lines += fmt::format("            case {}\n                set skip 1\n", join(taking));
  return lines;
}

constexpr const char* kHead = R"(# fish completion for basesweep, made by 'basesweep completion fish'

# Whether the command typed so far is this one.
function __basesweep_in
    set -l path ''
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch "$path $word"
)";

}  // namespace

std::string print_fish_completion(const CommandInfo& program) {
  std::string script = kHead;
  for (const CommandInfo* command : with_all_below(program)) script += cases(*command);
  script += "        end\n    end\n    test \"$path\" = \"$argv[1]\"\nend\n\ncomplete -c basesweep -f\n";
  for (const CommandInfo* command : with_all_below(program)) script += lines_of(*command);
  return script;
}

}  // namespace basesweep
