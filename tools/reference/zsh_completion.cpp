#include <fmt/format.h>

#include "tools/reference/completion.hpp"

namespace basesweep {
namespace {

// The text with a backslash before each character of `special`.
std::string escaped(const std::string& text, const char* special) {
  std::string result;
  for (const char c : text) {
    if (std::string(special).find(c) != std::string::npos) result += '\\';
    result += c;
  }
  return result;
}

// ":message:action" for what an option or an argument takes.
std::string value_spec(const OptionInfo& option, const std::string& message) {
  const std::string named = ":" + escaped(message, ":\\");
  switch (option.takes) {
    case Takes::nothing: return "";
    case Takes::anything: return named + ": ";
    case Takes::command: return ":" + named + ":_basesweep_named";  // two colons: $words then holds only the arguments
    case Takes::word: return named + ":(" + escaped(join(option.words), ":\\") + ")";
    case Takes::file: return named + ":_files";
    case Takes::folder: return named + ":_files -/";
  }
  return "";
}

// A line of _arguments for each name. A name that was typed rules out the others.
std::string option_specs(const OptionInfo& option) {
  const std::string before = option.repeated ? "*" : "(" + join(option.names) + ")";
  const std::string after = "[" + escaped(option.text, "[]\\") + "]" + value_spec(option, option.value);
  std::string lines;
  for (const std::string& name : option.names) {
    const char* const joint = option.takes == Takes::nothing ? "" : name.starts_with("--") ? "=" : "+";
    lines += fmt::format(" \\\n    {}", single_quoted(fmt::format("{}{}{}{}", before, name, joint, after)));
  }
  return lines;
}

std::string function_of(const CommandInfo& command) {
  std::string body = "  _arguments -S -C";
  if (command.commands.empty()) body = "  _arguments -S";
  for (const OptionInfo& option : command.options()) body += option_specs(option);
  for (const OptionInfo& argument : command.arguments) {
    body += fmt::format(" \\\n    {}",
                        single_quoted((argument.repeated ? "*" : "") + value_spec(argument, argument.names.front())));
  }
  const std::string name = "_basesweep" + (command.path.size() == 1 ? "" : "_" + path_below(command, "_"));
  if (command.commands.empty()) return fmt::format("{}() {{\n{}\n}}\n\n", name, body);

  std::string choices;
  std::string cases;
  for (const CommandInfo& below : command.commands) {
    choices += "    " + single_quoted(escaped(below.path.back(), ":\\") + ":" + below.summary) + "\n";
    cases += fmt::format("    {}) _basesweep_{} ;;\n", below.path.back(), path_below(below, "_"));
  }
  return fmt::format(
      "{0}() {{\n"
      "  local context state state_descr line curcontext=\"$curcontext\"\n"
      "  typeset -A opt_args\n"
      "  local -a below=(\n{1}  )\n"
      "{2} \\\n    '1:command:->command' \\\n    '*::argument:->argument' && return\n"
      "  case $state in\n"
      "    command) _describe -t commands command below; return ;;\n"
      "  esac\n"
      "  case $words[1] in\n{3}  esac\n}}\n\n",
      name, choices, body, cases);
}

// The commands that can follow those typed so far.
std::string function_for_named(const CommandInfo& program) {
  std::string cases;
  for (const CommandInfo* command : with_all_below(program)) {
    if (command->commands.empty()) continue;
    cases += fmt::format("    {}) compadd {} ;;\n", single_quoted(path_below(*command)), join(names_below(*command)));
  }
  return "_basesweep_named() {\n  case ${(j: :)words[1,CURRENT-1]} in\n" + cases + "  esac\n}\n\n";
}

}  // namespace

std::string print_zsh_completion(const CommandInfo& program) {
  std::string script = "#compdef basesweep\n# made by 'basesweep completion zsh'\n\n";
  for (const CommandInfo* command : with_all_below(program)) script += function_of(*command);
  script += function_for_named(program);
  // zsh runs a file in $fpath as the body of the function; a script run by 'source' must register the function itself.
  return script +
         "if [[ $funcstack[1] == _basesweep ]]; then\n  _basesweep \"$@\"\nelse\n  compdef _basesweep basesweep\nfi\n";
}

}  // namespace basesweep
