#include "tools/usage_advice.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "lib/base/fields.hpp"
#include "lib/base/nearest.hpp"
#include "tools/meanings.hpp"
#include "tools/options.hpp"

namespace basesweep {
namespace {

constexpr std::array<std::string_view, 6> kSearching{"motif", "match", "pcr", "pwm", "guides", "map"};

std::vector<std::string> names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// A word as Meaning::words has it.
std::string normal(std::string word) {
  constexpr std::size_t kShort = 2;  // "-k": case counts
  if (word.size() <= kShort) return word;
  for (char& c : word) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

bool is_number(std::string text) {
  constexpr std::string_view kUnits = "kKMG%";
  if (!text.empty() && kUnits.find(text.back()) != std::string_view::npos) text.pop_back();
  double number = 0;
  return parse_number(std::string_view(text), number);
}

bool fits(const Meaning& meaning, const std::optional<std::string>& value) {
  return meaning.value == ValueKind::any || !value || (meaning.value == ValueKind::number) == is_number(*value);
}

// The meanings of an option: of the word itself, and of other commands' options that it is a short name of.
std::vector<const Meaning*> meanings_of(const CLI::App& program, const std::string& option,
                                        const std::optional<std::string>& value) {
  std::vector<std::string> words{normal(option)};
  for (const CLI::App* command : program.get_subcommands({})) {
    const CLI::Option* const known = shown_option(*command, option);
    if (known == nullptr) continue;
    for (const std::string& name : known->get_lnames()) words.push_back("--" + name);
  }
  std::vector<const Meaning*> found;
  for (const Meaning& meaning : meanings()) {
    const bool meant = std::any_of(meaning.words.begin(), meaning.words.end(), [&words](std::string_view word) {
      return std::find(words.begin(), words.end(), word) != words.end();
    });
    if (meant && fits(meaning, value)) found.push_back(&meaning);
  }
  return found;
}

// The effect of an option, from the first part of its help: "print at most N secondary alignments per read".
std::string in_short(const CLI::Option& option) {
  std::string text = option.get_description();
  for (const std::string_view end : {" (", ": ", "; ", ", "}) text.resize(std::min(text.find(end), text.size()));
  const bool word = text.size() > 1 && (std::islower(static_cast<unsigned char>(text[1])) != 0 || text[1] == ' ');
  if (word) text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
  return text;
}

bool takes(const CLI::Option& option, std::string_view value) {
  const std::string type = option.get_type_name();
  if (value.empty() || type.find('|') == std::string::npos) return true;
  std::string_view rest = type;
  while (!rest.empty()) {
    if (take_to(rest, '|') == value) return true;
  }
  return false;
}

// The option in the style of `given`: by its short name if theirs is short.
std::string name_like(const CLI::Option& option, const std::string& given) {
  constexpr std::size_t kShort = 2;
  return given.size() <= kShort && !option.get_snames().empty() ? "-" + option.get_snames().front() : option.get_name();
}

// The first option of the command that means the same; "" if it has none.
std::string suggestion(const Meaning& meaning, const CLI::App& command, const std::string& given) {
  for (const std::string_view words : meaning.options) {
    std::string_view value = words;
    const CLI::Option* const option = shown_option(command, std::string(take_to(value, ' ')));
    if (option == nullptr || !takes(*option, value)) continue;
    const std::string name = name_like(*option, given);
    return value.empty() ? fmt::format("; did you mean '{}' ({})?", name, in_short(*option))
                         : fmt::format("; did you mean '{} {}'?", name, value);
  }
  return "";
}

std::string advice_of(const Meaning& meaning, const std::string& command) {
  const bool searches = std::find(kSearching.begin(), kSearching.end(), command) != kSearching.end();
  for (const CommandAdvice& advice : meaning.advice) {
    if (advice.command == command || (advice.command.empty() && searches)) return fmt::format(": {}", advice.text);
  }
  return "";
}

}  // namespace

const CLI::Option* shown_option(const CLI::App& command, const std::string& name) {
  const CLI::Option* const option = command.get_option_no_throw(name);
  return option == nullptr || option->get_group().empty() ? nullptr : option;
}

bool is_word_with_one_dash(const CLI::App& command, const std::string& word) {
  constexpr std::size_t kLetters = 3;
  if (word.size() < kLetters || word[0] != '-' || word[1] == '-') return false;
  if (shown_option(command, "-" + word) != nullptr) return true;
  return std::any_of(meanings().begin(), meanings().end(), [name = normal(word)](const Meaning& meaning) {
    return std::find(meaning.words.begin(), meaning.words.end(), name) != meaning.words.end();
  });
}

std::string option_advice(const CLI::App& program, const CLI::App& command, const std::string& option,
                          const std::optional<std::string>& value) {
  if (is_word_with_one_dash(command, option) && shown_option(command, "-" + option) != nullptr)
    return fmt::format("; did you mean '-{}'?", option);
  std::vector<const Meaning*> found = meanings_of(program, option, value);
  if (found.empty()) found = meanings_of(program, option, std::nullopt);
  for (const Meaning* meaning : found) {
    if (std::string text = suggestion(*meaning, command, option); !text.empty()) return text;
  }
  for (const Meaning* meaning : found) {
    if (std::string text = advice_of(*meaning, command.get_name()); !text.empty()) return text;
  }
  std::string meant = did_you_mean(option, names_of_options(command));
  if (!meant.empty() && option.starts_with("--")) return meant;
  for (const CLI::App* other : program.get_subcommands({})) {
    if (shown_option(*other, option) != nullptr) return fmt::format(": it is an option of '{}'", other->get_name());
  }
  return meant;
}

std::string argument_advice(const CLI::App& program, const CLI::App& command, const std::string& word, bool pairs) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) return "";
  const std::string key = normal(word.substr(0, equals));
  const bool plain = std::all_of(key.begin(), key.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
  if (key.empty() || !plain) return "";
  const std::string option = key == "in" && pairs ? "--in1" : option_meant(key);
  std::vector<const Meaning*> found = meanings_of(program, option, word.substr(equals + 1));
  if (found.empty()) return "";
  return option_advice(program, command, option, word.substr(equals + 1));
}

std::string command_advice(const std::string& word, const std::vector<std::string>& known) {
  const std::string_view meant = command_meant(normal(word));
  if (std::find(known.begin(), known.end(), meant) != known.end()) return fmt::format("; did you mean '{}'?", meant);
  return did_you_mean(word, known);
}

}  // namespace basesweep
