#include "tools/usage_message.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/nearest.hpp"
#include "tools/help.hpp"

namespace basesweep {
namespace {

std::vector<std::string> names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> names_of_commands(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

bool has(const CLI::App& command, const std::string& option) {
  const std::vector<std::string> names = names_of_options(command);
  return std::find(names.begin(), names.end(), option) != names.end();
}

// The name of the option in an argument: "--edits" of "--edits=2", "-k" of "-k2".
std::string option_in(const std::string& argument) {
  if (argument.starts_with("--")) return argument.substr(0, argument.find('='));
  return argument.substr(0, 2);
}

// What helps whoever gave an option that the command does not have.
std::string advice(const CLI::App& program, const CLI::App& command, const std::string& option) {
  const CLI::App* const match = program.get_subcommand("match");
  if (command.get_name() == "motif" && has(*match, option)) {
    const CLI::Option* const known = match->get_option(option);
    return known->get_group() == group::kHits && option != "--report" ? ": edits are for 'match'"
                                                                      : ": it is an option of 'match'";
  }
  std::string meant = did_you_mean(option, names_of_options(command));
  if (!meant.empty() && option.starts_with("--")) return meant;
  for (const CLI::App* other : program.get_subcommands({})) {
    if (has(*other, option)) return fmt::format(": it is an option of '{}'", other->get_name());
  }
  return meant;
}

std::string explain(const CLI::App& program, const CLI::App& command, const std::string& name,
                    const CLI::Error& error) {
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError)) return error.what();
  const std::vector<std::string> rest = command.remaining();
  if (&command == &program && !rest.empty() && !rest.front().starts_with('-')) {
    return fmt::format("there is no command '{}'{}", rest.front(),
                       did_you_mean(rest.front(), names_of_commands(program)));
  }
  const auto option = std::find_if(rest.begin(), rest.end(), [](const std::string& word) {
    return word.size() > 1 && word.starts_with('-') && word != "--";
  });
  if (option == rest.end()) return error.what();
  const std::string given = option_in(*option);
  return fmt::format("{} has no option '{}'{}", name, given, advice(program, command, given));
}

}  // namespace

std::string usage_message(const CLI::App& program, const CLI::Error& error) {
  const CLI::App* command = &program;
  std::string name = program.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += ' ' + command->get_name();
  }
  return fmt::format("basesweep: {}\nTry '{} --help'.\n",
                     printable(std::string_view(explain(program, *command, name, error))), name);
}

}  // namespace basesweep
