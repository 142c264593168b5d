// Adds commands and options to the program.
//
// Commands use these functions instead of CLI11's templates, which cost seconds of compile time in every source that
// includes them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/help.hpp"
#include "tools/option_facts.hpp"

namespace basesweep {

// Adds -V and --version, which help does not show.
CLI::Option& add_version(CLI::App& command);

// Adds a command to the program, or to the command `parent`. `group`: where the parent's help lists it.
CLI::App& add_command(CLI::App& parent, const std::string& name, const std::string& summary, const char* group,
                      Help help);

// Whether the command line calls `name`, a command of `parent`.
bool is_called(const CLI::App& parent, const std::string& name);

// The name of an option of the command itself that the command line gives; "" if it gives none.
std::string given_option(const CLI::App& command);

// Whether the command line gives this option of the command ("--strand").
bool is_given(const CLI::App& command, const std::string& option);

// The options that the command line gives to the command and that parts keep, with their values, as "--name=value".
std::vector<std::string> given_words(const CLI::App& command);

// Replaces the facts of an option that the command has.
void set_facts(CLI::App& command, const std::string& option, OptionFacts facts);

// Options that are added after this call are listed in `group`.
void begin_group(CLI::App& command, const char* group);

struct OptionRules {
  bool required = false;
  bool hidden = false;       // not in help, man pages and completions
  bool empty_value = false;  // "" is a value too
  bool is_number = false;    // a text that is a number
  // Whether parts keep it, see OptionFacts. They keep no option that is hidden or of the groups kChunks and kRunning.
  bool kept = true;
  std::optional<std::string> in_merge{};  // see OptionFacts
  // Other words for values of a choice, each with the word that it stands for.
  std::vector<std::pair<std::string, std::string>> aliases{};
};

// `names`: "-o,--output", or a name without dashes for a positional argument. `type`: what help calls the value.
void add_flag(CLI::App& command, const std::string& names, bool& value, const std::string& help,
              const OptionRules& rules = {});
// A flag that calls `take` if it is given.
void add_called_flag(CLI::App& command, const std::string& names, const std::function<void()>& take,
                     const std::string& help);
void add_text(CLI::App& command, const std::string& names, const std::string& type, std::string& value,
              const std::string& help, const OptionRules& rules = {});
// The same for a value that `take` parses. It may throw UsageError.
void add_parsed(CLI::App& command, const std::string& names, const std::string& type,
                const std::function<void(const std::string&)>& take, const std::string& help,
                const OptionRules& rules = {});
// An option that may be repeated. `take` gets each value, in the order of the command line also where several options
// call the same function.
void add_parsed_texts(CLI::App& command, const std::string& names, const std::string& type,
                      const std::function<void(const std::string&)>& take, const std::string& help,
                      const OptionRules& rules = {});
// An option that may be repeated, with one value each time.
void add_texts(CLI::App& command, const std::string& names, const std::string& type, std::vector<std::string>& values,
               const std::string& help, const OptionRules& rules = {});
// An option that may be repeated, each time with a value or without. `take` gets the value, or "*". The words of the
// command line must have gone through join_optional_value().
void add_optional_texts(CLI::App& command, const std::string& name, const std::string& type,
                        const std::function<void(const std::string&)>& take, const std::string& help);
// Joins the option to the word after it, as "--name=word", unless the word is an option or the name of a file; then,
// and at the end, it becomes "--name=*". CLI11 alone would take an input for the value.
void join_optional_value(const std::string& name, std::vector<std::string>& words);
// CLI11 splits an argument such as "[a,b]", takes "++" for the end of a command, and words that begin with a dash for
// options, sometimes after "--" too. It does nothing of it once the word has gone through this; add_arguments() gives
// the word back.
void protect_argument(std::string& word);
// All arguments that belong to no option.
void add_arguments(CLI::App& command, const std::string& name, const std::string& type,
                   std::vector<std::string>& values, const std::string& help, const OptionRules& rules = {});

// Parses a whole number; with `suffixes`, 10k, 5M and 2G too. False if it is none, or too large.
bool parse_count(std::string_view text, bool suffixes, std::uint64_t& number);

// Parses a number, or a percentage: 10% is 0.1. False if it is neither.
bool parse_fraction(std::string_view text, double& number);

// A whole number in the range. T is int, uint32_t, uint64_t, or an optional of the latter two.
template <class T>
void add_number(CLI::App& command, const std::string& names, T& value, const NumberRange& range,
                const std::string& help, const OptionRules& rules = {});

// A whole number in the range, which `take` gets. `type`: what help calls the value. `usual`: what holds without it.
void add_number(CLI::App& command, const std::string& names, const std::string& type, const NumberRange& range,
                const std::function<void(std::uint64_t)>& take, const std::string& help, const OptionRules& rules = {},
                std::optional<std::uint64_t> usual = std::nullopt);

// A number of at least 0 and less than 1, or a percentage.
void add_rate(CLI::App& command, const std::string& names, std::optional<double>& value, const std::string& help);

// A number with or without decimals, of at least `least`.
void add_decimal(CLI::App& command, const std::string& names, double& value, double least, const std::string& help);

// An option whose value is one of a few words. `take` gets the index of the word. `usual`: the index of the word that
// holds without the option; words.size(): none.
void add_words(CLI::App& command, const std::string& names, const std::vector<std::string>& words, std::size_t usual,
               const std::function<void(std::size_t)>& take, const std::string& help, const OptionRules& rules = {});

// An option whose value is one of a few words, each of which stands for a value of type T.
template <class T>
void add_choice(CLI::App& command, const std::string& names, T& value,
                const std::vector<std::pair<std::string, T>>& choices, const std::string& help,
                const OptionRules& rules = {}) {
  std::vector<std::string> words;
  words.reserve(choices.size());
  for (const auto& [word, meaning] : choices) words.push_back(word);
  const auto now = std::find_if(choices.begin(), choices.end(), [&](const auto& one) { return one.second == value; });
  add_words(
      command, names, words, static_cast<std::size_t>(now - choices.begin()),
      [&value, choices](std::size_t index) { value = choices[index].second; }, help, rules);
}

}  // namespace basesweep
