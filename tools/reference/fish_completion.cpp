#include <fmt/format.h>

#include <optional>

#include "tools/reference/completion.hpp"

namespace basesweep {
namespace {

std::string values(const OptionInfo& option) {
  switch (option.takes) {
    case Takes::nothing: return "";
    case Takes::command:  // only arguments take this
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

// The start of a line that applies when this command was typed, with these arguments behind it if any are given here.
std::string line_in(const CommandInfo& command, const std::optional<std::string>& arguments = {}) {
  std::string condition = "__basesweep_in " + single_quoted(path_below(command));
  if (arguments) condition += " " + single_quoted(*arguments);
  return "complete -c basesweep -n " + single_quoted(condition);
}

std::string lines_of_argument(const CommandInfo& command, const CommandInfo& program) {
  if (command.arguments.empty()) return "";
  const OptionInfo& argument = command.arguments.front();
  if (argument.takes == Takes::command) {
    std::string lines;
    for (const CommandInfo* named : with_all_below(program)) {
      if (named->commands.empty()) continue;
      lines += line_in(command, path_below(*named)) + " -a " + single_quoted(join(names_below(*named))) + "\n";
    }
    return lines;
  }
  const std::string begin = argument.repeated ? line_in(command) : line_in(command, "");
  if (argument.takes == Takes::file) return begin + " -F\n";
  if (argument.takes == Takes::word) return begin + " -a " + single_quoted(join(argument.words)) + "\n";
  return "";
}

std::string lines_of(const CommandInfo& command, const CommandInfo& program) {
  const std::string begin = line_in(command);
  std::string lines;
  for (const CommandInfo& below : command.commands) {
    lines += fmt::format("{} -a {} -d {}\n", begin, below.path.back(), single_quoted(below.summary));
  }
  for (const OptionInfo& option : command.options()) lines += option_line(begin, option);
  return lines + lines_of_argument(command, program);
}

// Cases of a switch over "COMMAND WORD": words that name a subcommand, and options that take the next word.
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

# Whether the command typed so far is this one, and its arguments are these, if any are given here.
function __basesweep_in
    set -l path ''
    set -l arguments
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch "$path $word"
)";
constexpr const char* kTail = R"(            case '*'
                string match -q -- '-*' $word; or set -a arguments $word
        end
    end
    test "$path" = "$argv[1]"; or return
    test (count $argv) = 1; or test "$arguments" = "$argv[2]"
end

complete -c basesweep -f
)";

}  // namespace

std::string print_fish_completion(const CommandInfo& program) {
  std::string script = kHead;
  for (const CommandInfo* command : with_all_below(program)) script += cases(*command);
  script += kTail;
  for (const CommandInfo* command : with_all_below(program)) script += lines_of(*command, program);
  return script;
}

}  // namespace basesweep
