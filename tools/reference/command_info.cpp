#include "tools/reference/command_info.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <memory>

#include "lib/base/letter_case.hpp"
#include "tools/reference/help_text.hpp"

namespace basesweep {
namespace {

// Holds a command's help, and the facts of its options. CLI11 hands the formatter of a command on to its subcommands,
// so it also holds the command.
class HelpFormatter : public CLI::FormatterBase {
 public:
  HelpFormatter(const CLI::App& command, Help help) : command_(&command), help_(std::move(help)) {}
  std::string make_help(const CLI::App* command, std::string /*name*/, CLI::AppFormatMode mode) const override {
    return mode == CLI::AppFormatMode::All ? print_help(describe(*command)) : print_short_help(describe(*command));
  }
  Help help_of(const CLI::App& command) const { return &command == command_ ? help_ : Help(); }

  void keep(const CLI::Option& option, OptionFacts facts) { facts_[&option] = std::move(facts); }
  const OptionFacts* facts_of(const CLI::Option& option) const {
    const auto found = facts_.find(&option);
    return found == facts_.end() ? nullptr : &found->second;
  }

 private:
  const CLI::App* command_;
  Help help_;
  std::map<const CLI::Option*, OptionFacts> facts_;
};

HelpFormatter* formatter_of(const CLI::App& command) {
  return dynamic_cast<HelpFormatter*>(command.get_formatter().get());
}

const CLI::App& top_of(const CLI::App& command) {
  return command.get_parent() == nullptr ? command : top_of(*command.get_parent());
}

std::vector<std::string> names_of_commands(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* below : command.get_subcommands({})) names.push_back(below->get_name());
  return names;
}

bool is_capital(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

std::vector<std::string> split_words(const std::string& words) {
  std::vector<std::string> all;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find('|', begin), words.size());
    all.push_back(words.substr(begin, end - begin));
    begin = end + 1;
  }
  std::erase_if(all, [](const std::string& word) { return std::any_of(word.begin(), word.end(), is_capital); });
  return all;
}

OptionInfo describe_option(const CLI::Option& option, const CLI::App& command) {
  OptionInfo info{};
  for (const std::string& name : option.get_snames()) info.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) info.names.push_back("--" + name);
  if (info.names.empty()) {
    info.names.push_back(upper_case(option.get_single_name()));
  }
  if (const OptionFacts* const facts = facts_of(command, option)) info.facts = *facts;
  info.text = option.get_description();
  info.required = option.get_required();
  info.repeated = option.get_expected_max() > 1 || option.get_trigger_on_parse();
  if (option.get_items_expected_max() != 0 || option.get_type_name().starts_with("[=")) {
    info.value = option.get_type_name();
  }
  if (option.get_items_expected_max() == 0) {
    if (info.value.empty()) info.facts.type = ValueType::flag;
    return info;
  }
  info.takes = Takes::anything;
  if (info.value == "FILE") info.takes = Takes::file;
  if (info.value == "FOLDER") info.takes = Takes::folder;
  if (info.value == "COMMAND") info.words = names_of_commands(top_of(command));
  if (info.value.find('|') != std::string::npos) info.words = split_words(info.value);
  if (!info.words.empty()) info.takes = info.value == "COMMAND" ? Takes::command : Takes::word;
  return info;
}

// Whether the words are too long to stand beside the option's name.
bool is_long_list(const OptionInfo& option) { return !option.words.empty() && option.value.size() > 18; }

// The command's groups in the order of group::kAll, after all others.
std::vector<std::string> ordered_groups(const CLI::App& command) {
  std::vector<std::string> groups = command.get_groups();
  const auto rank = [](const std::string& group) {
    const auto* const found = std::find(std::begin(group::kAll), std::end(group::kAll), group);
    return found == std::end(group::kAll) ? -1 : static_cast<int>(found - std::begin(group::kAll));
  };
  std::stable_sort(groups.begin(), groups.end(),
                   [&rank](const std::string& a, const std::string& b) { return rank(a) < rank(b); });
  return groups;
}

}  // namespace

void set_help(CLI::App& command, Help help) {
  for (const char* name : {"-h", "--help"}) {
    if (CLI::Option* option = command.get_option_no_throw(name)) option->group(group::kHelp);
  }
  command.formatter(std::make_shared<HelpFormatter>(command, std::move(help)));
}

void keep_facts(CLI::App& command, const CLI::Option& option, OptionFacts facts) {
  formatter_of(command)->keep(option, std::move(facts));
}

const OptionFacts* facts_of(const CLI::App& command, const CLI::Option& option) {
  const auto* const formatter = formatter_of(command);
  return formatter == nullptr ? nullptr : formatter->facts_of(option);
}

std::string OptionInfo::shown_value() const {
  if (is_argument()) return repeated ? "..." : "";
  if (value.empty() || value.starts_with("[=")) return value;
  return is_long_list(*this) ? " WORD" : " " + value;
}

std::string OptionInfo::shown_text() const {
  std::string shown = text;
  if (is_long_list(*this)) {
    for (const std::string& word : words) shown += (&word == &words.front() ? ": " : ", ") + word;
  }
  return required && !is_argument() ? shown + " (required)" : shown;
}

std::string CommandInfo::name(const char* between) const {
  std::string all;
  for (const std::string& word : path) all += (all.empty() ? "" : between) + word;
  return all;
}

std::vector<OptionInfo> CommandInfo::options() const {
  std::vector<OptionInfo> all;
  for (const OptionGroup& group : groups) all.insert(all.end(), group.options.begin(), group.options.end());
  return all;
}

CommandInfo describe(const CLI::App& command) {
  CommandInfo info;
  for (const CLI::App* app = &command; app != nullptr; app = app->get_parent()) {
    info.path.insert(info.path.begin(), app->get_name());
  }
  info.summary = command.get_description();
  info.group = command.get_group();
  if (const auto* formatter = formatter_of(command)) info.help = formatter->help_of(command);
  for (const CLI::Option* option : command.get_options([](const CLI::Option* o) { return o->get_positional(); })) {
    info.arguments.push_back(describe_option(*option, command));
  }
  for (const std::string& title : ordered_groups(command)) {
    if (title.empty()) continue;  // hidden
    OptionGroup group{title, {}};
    for (const CLI::Option* option : command.get_options(
             [&title](const CLI::Option* o) { return o->get_group() == title && o->nonpositional(); })) {
      group.options.push_back(describe_option(*option, command));
    }
    if (!group.options.empty()) info.groups.push_back(std::move(group));
  }
  for (const CLI::App* below : command.get_subcommands({})) info.commands.push_back(describe(*below));
  return info;
}

std::vector<const CommandInfo*> with_all_below(const CommandInfo& command) {
  std::vector<const CommandInfo*> all{&command};
  for (const CommandInfo& below : command.commands) {
    const std::vector<const CommandInfo*> more = with_all_below(below);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace basesweep
