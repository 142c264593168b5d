#include "tools/usage_fault.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "lib/base/letter_case.hpp"
#include "tools/usage_advice.hpp"

namespace basesweep {
namespace {

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() != 0; }
bool may_take_value(const CLI::Option& option) { return option.get_type_name().starts_with("[="); }

// Whether CLI11 takes the word for an option: "-k", "-k2", "--edits", "--edits=2", but not "-" and "- x".
bool is_option(const std::string& word) {
  const auto letter = [&word](std::size_t at) {
    return word.size() > at && std::string_view("-! \n").find(word[at]) == std::string_view::npos;
  };
  return word.size() > 1 && word[0] == '-' && (word[1] == '-' ? letter(2) : letter(1));
}

const CLI::App* command_below(const CLI::App& command, const std::string& word) {
  for (const CLI::App* below : command.get_subcommands({})) {
    if (below->get_name() == word) return below;
  }
  return nullptr;
}

std::string advice_below(const CLI::App& command, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* below : command.get_subcommands({})) names.push_back(below->get_name());
  return command_advice(word, names);
}

// Reads words as CLI11 does.
class WordReader {
 public:
  WordReader(const CLI::App& program, const std::vector<std::string>& words)
      : program_(program), words_(words), command_(&program), name_(program.get_name()) {}

  CommandLine read() {
    std::optional<std::size_t> end;
    while (!fault_ && at_ < words_.size()) {
      const std::string& word = words_[at_++];
      if (!end && word == "--") {
        end = at_ - 1;
      } else if (end || !is_option(word)) {
        read_argument(word);
      } else if (is_word_with_one_dash(*command_, word)) {
        unknown_option(word, next_value());
      } else if (word[1] == '-') {
        read_long(word);
      } else {
        read_short(word);
      }
    }
    if (!fault_ && command_ != &program_) find_missing();
    if (asks_for_help()) fault_.reset();
    return {fault_, arguments_, end};
  }

 private:
  // An option on the command line: its name as it was written, and the value.
  struct Given {
    std::string name;
    std::string value;
  };

  void fail(std::string text) {
    if (!fault_) fault_ = {name_, std::move(text)};
  }

  static bool is_help(const std::string& name) {
    return name == "-h" || name == "--help" || name == "-V" || name == "--version";
  }

  // Whether help or the version is asked for, also after the fault. They win over it.
  bool asks_for_help() const {
    const auto begin = words_.begin() + static_cast<std::ptrdiff_t>(at_);
    return help_ || std::any_of(begin, std::find(begin, words_.end(), "--"), is_help);
  }

  const CLI::Option* option_of(const std::string& name) const { return command_->get_option_no_throw(name); }

  // The word after the option, if it may be a value.
  std::optional<std::string> next_value() const {
    if (at_ == words_.size() || is_option(words_[at_]) || words_[at_] == "--") return std::nullopt;
    return words_[at_];
  }

  // Whether the next word is an option of the command and so no value. A value may begin with a dash too, such as a
  // number below 0.
  bool next_is_option() const {
    if (at_ == words_.size()) return false;
    const std::string& word = words_[at_];
    if (word == "--") return true;
    const bool number = word.size() > 1 && std::isdigit(static_cast<unsigned char>(word[1])) != 0;
    return is_option(word) && !number && option_of(word.substr(0, word.find('='))) != nullptr;
  }

  void read_argument(const std::string& word) {
    if (const CLI::App* const below = command_below(*command_, word)) {
      command_ = below;
      name_ += ' ' + word;
      return;
    }
    if (command_ == &program_)
      return fail(fmt::format("there is no command '{}'{}", word, advice_below(program_, word)));
    std::error_code failed;
    if (word.find('=') != std::string::npos && !std::filesystem::exists(word, failed)) {
      const bool pairs =
          std::any_of(words_.begin(), words_.end(), [](const auto& one) { return one.starts_with("in2="); });
      const std::string advice = argument_advice(program_, *command_, word, pairs);
      if (!advice.empty()) return fail(fmt::format("there is no file '{}'{}", word, advice));
    }
    arguments_.push_back(at_ - 1);
    const auto arguments = command_->get_options([](const CLI::Option* option) { return option->get_positional(); });
    if (arguments.empty()) {
      return fail(command_->get_subcommands({}).empty()
                      ? fmt::format("{} takes no argument, but '{}' is given", name_, word)
                      : fmt::format("{} has no command '{}'{}", name_, word, advice_below(*command_, word)));
    }
    const auto [first, fresh] = given_.try_emplace(arguments.front(), Given{"", word});
    if (!fresh && arguments.front()->get_items_expected_max() == 1) {
      fail(fmt::format("{} takes one argument, but '{}' and '{}' are given", name_, first->second.value, word));
    }
  }

  void read_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::optional<std::string> joined =
        equals == std::string::npos ? std::nullopt : std::optional(word.substr(equals + 1));
    const CLI::Option* const option = option_of(name);
    if (option == nullptr) return unknown_option(name, joined ? joined : next_value());
    if (!takes_value(*option)) {
      help_ = help_ || is_help(name);
      if (!joined) return;
      if (!may_take_value(*option)) return fail(fmt::format("{} takes no value: leave '={}' out", name, *joined));
      if (joined->empty()) fail(fmt::format("{}= lacks its value", name));
      return;
    }
    if (joined && joined->empty()) return fail(fmt::format("{0}= lacks its value: {0}={1}", name, type_of(*option)));
    joined ? take(*option, name, *joined) : take_next(*option, name);
  }

  // One or more options of a letter: "-k", "-k2", "-qv".
  void read_short(const std::string& word) {
    for (std::size_t i = 1; i < word.size() && !fault_; ++i) {
      const std::string name = std::string("-") + word[i];
      const std::string rest = word.substr(i + 1);
      const CLI::Option* const option = option_of(name);
      if (option == nullptr && i == 1) return unknown_option(name, rest.empty() ? next_value() : std::optional(rest));
      if (option == nullptr && word[i] == '=')
        return fail(fmt::format("{} takes no value: leave '{}' out", word.substr(0, i), word.substr(i)));
      if (option == nullptr) return fail(fmt::format("{}: {} has no option '{}'", word, name_, name));
      help_ = help_ || is_help(name);
      if (!takes_value(*option)) continue;
      if (rest.starts_with('=')) {
        return fail(fmt::format("{}: write '{} {}' or '{}{}'", word, name, rest.substr(1), option->get_name(), rest));
      }
      return rest.empty() ? take_next(*option, name) : take(*option, name, rest);
    }
  }

  void take_next(const CLI::Option& option, const std::string& name) {
    const std::string cure = fmt::format("{} {}", name, type_of(option));
    if (next_is_option()) {
      return fail(fmt::format("{} needs a value, but the option '{}' follows it: {}", name, words_[at_++], cure));
    }
    if (at_ == words_.size()) return fail(fmt::format("{} needs a value: {}", name, cure));
    take(option, name, words_[at_++]);
  }

  void take(const CLI::Option& option, const std::string& name, const std::string& value) {
    const auto [first, fresh] = given_.try_emplace(&option, Given{name, value});
    const bool last_counts = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeLast;
    if (fresh || option.get_items_expected_max() > 1 || last_counts) return;
    const std::string both = first->second.name == name
                                 ? fmt::format("{} is given twice", name)
                                 : fmt::format("{} and {} are the same option", first->second.name, name);
    fail(fmt::format("{}, with '{}' and '{}': give it once", both, first->second.value, value));
  }

  void unknown_option(const std::string& name, const std::optional<std::string>& value) {
    if (command_ == &program_) {
      for (std::size_t i = at_; i < words_.size(); ++i) {
        const CLI::App* const command = command_below(program_, words_[i]);
        if (command == nullptr || shown_option(*command, name) == nullptr) continue;
        return fail(fmt::format("{0} has no option '{1}': options of '{2}' come after it: {0} {2} {1} ...", name_, name,
                                words_[i]));
      }
    }
    fail(fmt::format("{} has no option '{}'{}", name_, name, option_advice(program_, *command_, name, value)));
  }

  // Fails if an option or an argument that the command requires is missing.
  void find_missing() {
    for (const CLI::Option* option : command_->get_options()) {
      if (!option->get_required() || given_.contains(option)) continue;
      if (option->nonpositional()) {
        const std::string name = option->get_snames().empty() ? option->get_name() : "-" + option->get_snames().front();
        return fail(fmt::format("{} needs {} {}", name_, name, type_of(*option)));
      }
      const std::string type = type_of(*option);
      return fail(type == "FILE" ? fmt::format("{} needs a file: {}", name_, upper_case(option->get_single_name()))
                                 : fmt::format("{} needs an argument: {}", name_, type));
    }
  }

  static std::string type_of(const CLI::Option& option) { return option.get_type_name(); }

  const CLI::App& program_;
  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
  const CLI::App* command_;  // the innermost that was called
  std::string name_;         // of it, with those around it
  std::map<const CLI::Option*, Given> given_;
  std::vector<std::size_t> arguments_;
  bool help_ = false;  // or the version
  std::optional<UsageFault> fault_;
};

}  // namespace

CommandLine read_command_line(const CLI::App& program, const std::vector<std::string>& words) {
  return WordReader(program, words).read();
}

}  // namespace basesweep
