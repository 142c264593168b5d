// basesweep help, man, completion: printed from the definitions of the commands.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "lib/base/error.hpp"
#include "lib/writer/output_file.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/options.hpp"
#include "tools/print.hpp"
#include "tools/reference/completion.hpp"
#include "tools/reference/help_text.hpp"
#include "tools/reference/json.hpp"
#include "tools/reference/man_page.hpp"
#include "tools/usage_advice.hpp"

namespace basesweep {
namespace {

const std::vector<Term> kExitCodes = {
    {"0", "done"}, {"2", "the command line is wrong"}, {"4", "a file cannot be written"}};

// The command that the words name; the program if there are none. Throws UsageError if there is no such command.
CommandInfo find_command(const CLI::App& app, const std::vector<std::string>& words) {
  CommandInfo found = describe(app);
  for (const std::string& word : words) {
    const auto below = std::find_if(found.commands.begin(), found.commands.end(),
                                    [&word](const CommandInfo& command) { return command.path.back() == word; });
    if (below == found.commands.end()) {
      std::vector<std::string> known;
      for (const CommandInfo& command : found.commands) known.push_back(command.path.back());
      const std::string meant = command_advice(word, known);
      throw UsageError(fmt::format("{} has no command '{}'{}", found.name(), word,
                                   meant.empty() ? fmt::format("; try '{} --help'", found.name()) : meant));
    }
    found = CommandInfo(*below);
  }
  return found;
}

void write_man_pages(const CommandInfo& program, const std::string& folder) {
  for (const CommandInfo* command : with_all_below(program)) {
    OutputFile output(folder + "/" + command->name("-") + ".1", 1);
    output.write(print_man_page(*command));
    output.commit();
  }
}

}  // namespace

std::function<int()> add_help_command(CLI::App& app) {
  struct Options {
    std::vector<std::string> words;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App& command = add_command(app, "help", "Show the options and examples of a command", kReferenceCommands,
                                  {.synopsis = {"[COMMAND]...", "--json [COMMAND]..."},
                                   .examples = {{"The same as 'basesweep motif --help'", {"basesweep help motif"}},
                                                {"A command of a command", {"basesweep help bench paper"}},
                                                {"What it has, for scripts", {"basesweep help motif --json"}}},
                                   .exit_codes = kExitCodes,
                                   .see_also = {"man"}});
  add_arguments(command, "command", "COMMAND", options->words, "Command to describe (default: list all)");
  begin_group(command, group::kOutput);
  add_flag(
      command, "--json", options->json,
      "Print all commands, or this one and those below it, as JSON: their options, formats, columns and exit codes");
  return [&app, options] {
    const CommandInfo found = find_command(app, options->words);
    return print(options->json ? print_json(found) : print_help(found));
  };
}

std::function<int()> add_man_command(CLI::App& app) {
  struct Options {
    std::vector<std::string> words;
    std::string folder;
  };
  auto options = std::make_shared<Options>();
  CLI::App& command = add_command(
      app, "man", "Print the manual page of a command", kReferenceCommands,
      {.synopsis = {"[COMMAND]...", "--folder FOLDER"},
       .sections = {{"Output format",
                     {"roff with man macros, for man, groff and mandoc. An installed basesweep comes with its pages: "
                      "read them with 'man basesweep-motif'."}}},
       .examples = {{"Read the page of a program that is not installed",
                     {"basesweep man motif > motif.1", "man ./motif.1"}},
                    {"All pages: basesweep.1 and one for each command",
                     {"mkdir -p man1", "basesweep man --folder man1"}}},
       .exit_codes = kExitCodes,
       .see_also = {"help", "completion"}});
  add_arguments(command, "command", "COMMAND", options->words, "Command to describe (default: the program)");
  begin_group(command, group::kOutput);
  add_text(command, "--folder", "FOLDER", options->folder,
           "Write the pages of all commands to this folder, one file each");
  return [&app, options] {
    if (options->folder.empty()) return print(print_man_page(find_command(app, options->words)));
    if (!options->words.empty()) throw UsageError("--folder is for the pages of all commands; name none");
    write_man_pages(describe(app), options->folder);
    return 0;
  };
}

std::function<int()> add_completion_command(CLI::App& app) {
  auto shell = std::make_shared<std::string (*)(const CommandInfo&)>();
  CLI::App& command = add_command(
      app, "completion", "Print a script that completes commands and options in a shell", kReferenceCommands,
      {.synopsis = {"bash|zsh|fish"},
       .about =
           {"An installed basesweep comes with these scripts, and the shells find them. If it is not installed, put "
            "the script where the examples do."},
       .examples = {{"bash, for this session; put the line into ~/.bashrc for all",
                     {"source <(basesweep completion bash)"}},
                    {"bash, where the package bash-completion finds it",
                     {"mkdir -p ~/.local/share/bash-completion/completions",
                      "cd ~/.local/share/bash-completion/completions", "basesweep completion bash > basesweep"}},
                    {"zsh; the folder must be in $fpath before ~/.zshrc calls compinit",
                     {"mkdir -p ~/.zfunc", "basesweep completion zsh > ~/.zfunc/_basesweep"}},
                    {"fish",
                     {"mkdir -p ~/.config/fish/completions",
                      "basesweep completion fish > ~/.config/fish/completions/basesweep.fish"}}},
       .exit_codes = kExitCodes,
       .see_also = {"help", "man"}});
  add_choice<std::string (*)(const CommandInfo&)>(
      command, "shell", *shell,
      {{"bash", print_bash_completion}, {"zsh", print_zsh_completion}, {"fish", print_fish_completion}},
      "Shell to complete in", {.required = true});
  return [&app, shell] { return print((*shell)(describe(app))); };
}

}  // namespace basesweep
