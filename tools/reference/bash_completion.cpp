#include <fmt/format.h>

#include "tools/reference/completion.hpp"

namespace basesweep {
namespace {

// Sets the script's variables `takes` and `words` to what an option or an argument takes.
std::string settings(const OptionInfo& option) {
  switch (option.takes) {
    case Takes::nothing: return "takes=nothing";
    case Takes::anything: return "takes=anything";
    case Takes::file: return "takes=file";
    case Takes::folder: return "takes=folder";
    case Takes::command: return "takes=command";
    case Takes::word: return fmt::format("takes=word words={}", single_quoted(join(option.words)));
  }
  return "";
}

std::string option_cases(const CommandInfo& command) {
  std::string cases;
  for (const OptionInfo& option : command.options()) {
    if (option.takes == Takes::nothing) continue;
    std::string patterns;
    for (const std::string& name : option.names) {
      patterns += (patterns.empty() ? "" : "|") + single_quoted(path_below(command) + " " + name);
    }
    cases += fmt::format("    {}) {} ;;\n", patterns, settings(option));
  }
  return cases;
}

std::string command_case(const CommandInfo& command) {
  std::vector<std::string> options;
  for (const OptionInfo& option : command.options()) {
    options.insert(options.end(), option.names.begin(), option.names.end());
  }
  std::string argument = "takes=nothing";
  if (!command.arguments.empty()) {
    argument = settings(command.arguments.front());
    if (!command.arguments.front().repeated) argument += " most=1";
  }
  return fmt::format("    {}) options={} commands={} {} ;;\n", single_quoted(path_below(command)),
                     single_quoted(join(options)), single_quoted(join(names_below(command))), argument);
}

constexpr const char* kHead = R"(# bash completion for basesweep, made by 'basesweep completion bash'

# Sets takes and words for option $2 of command $1.
_basesweep_option() {
  takes=nothing words=
  case "$1 $2" in
)";
constexpr const char* kBetween = R"(  esac
}

# Sets the options and commands of command $1, and what its arguments take.
_basesweep_command() {
  options= commands= takes=nothing words= most=
  case $1 in
)";
constexpr const char* kTail = R"(  esac
}

_basesweep() {
  local line=("${COMP_WORDS[@]:1:COMP_CWORD-1}") current=${COMP_WORDS[COMP_CWORD]}
  local command='' takes=nothing words='' options='' commands='' most='' ended='' last='' word
  local -a arguments=()
  COMPREPLY=()
  # --option=value comes as three words
  if [[ $current == = ]]; then
    current=''
  elif ((${#line[@]})) && [[ ${line[-1]} == = ]]; then
    unset 'line[-1]'
  fi
  _basesweep_command ''
  for word in "${line[@]}"; do
    if [[ $last ]]; then
      [[ $word == = ]] || last=''
    elif [[ $ended ]]; then
      arguments+=("$word")
    elif [[ $word == -- ]]; then
      ended=1
    elif [[ $word == -* ]]; then
      _basesweep_option "$command" "$word"
      [[ $takes == nothing ]] || last=$word
    elif [[ " $commands " == *" $word "* ]]; then
      command=${command:+$command }$word
      _basesweep_command "$command"
    else
      arguments+=("$word")
    fi
  done
  if [[ $last ]]; then
    _basesweep_option "$command" "$last"
  else
    _basesweep_command "$command"
    if [[ $current == -* && ! $ended ]]; then
      takes=word words=$options
    elif [[ $commands ]]; then
      takes=word words=$commands
    elif [[ $takes == command ]]; then
      _basesweep_command "${arguments[*]}"
      takes=word words=$commands
    elif [[ $most && ${#arguments[@]} -ge $most ]]; then
      takes=nothing
    fi
  fi
  case $takes in
    word) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
    file) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    folder) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
  esac
}

complete -F _basesweep basesweep
)";

}  // namespace

std::string print_bash_completion(const CommandInfo& program) {
  std::string script = kHead;
  for (const CommandInfo* command : with_all_below(program)) script += option_cases(*command);
  script += kBetween;
  for (const CommandInfo* command : with_all_below(program)) script += command_case(*command);
  return script + kTail;
}

}  // namespace basesweep
