#include "tools/usage_message.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "lib/base/error.hpp"

namespace basesweep {

std::string usage_message(const UsageFault& fault) {
  return fmt::format("basesweep: {}\nTry '{} --help'.\n", printable(std::string_view(fault.text)), fault.command);
}

std::string usage_message(const CLI::App& program, const CLI::Error& error, const std::string& read) {
  const CLI::App* command = &program;
  std::string name = program.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += ' ' + command->get_name();
  }
  std::string text = error.what();
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) {  // help was asked for, too
    text = fmt::format("{} is given twice, or lacks its value", text.substr(0, text.find(':')));
  }
  return usage_message(UsageFault{read.empty() ? name : read, std::move(text)});
}

}  // namespace basesweep
