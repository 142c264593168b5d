#include "tools/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "lib/base/fields.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kProtected = "\x01\x01";  // see protect_argument()

// `facts`: those of the value.
void keep(CLI::App& command, const CLI::Option& option, const OptionRules& rules, OptionFacts facts) {
  const std::string& title = option.get_group();
  facts.kept = rules.kept && !rules.hidden && title != group::kChunks && title != group::kRunning;
  facts.in_merge = rules.in_merge;
  keep_facts(command, option, std::move(facts));
}

void apply(CLI::App& command, CLI::Option& option, const std::string& type, const OptionRules& rules,
           OptionFacts facts) {
  keep(command, option, rules, std::move(facts));
  option.type_name(type);
  if (rules.required) option.required();
  if (rules.hidden) option.group("");
}

OptionFacts facts_of_text(const OptionRules& rules, const std::string& value = "") {
  OptionFacts facts{.type = rules.is_number ? ValueType::number : ValueType::text};
  if (!value.empty()) facts.usual = value;
  return facts;
}

OptionFacts facts_of_number(const NumberRange& range, std::optional<std::uint64_t> usual) {
  OptionFacts facts{.type = ValueType::integer, .range = range};
  if (usual && *usual >= range.min && *usual <= range.max) facts.usual = *usual;
  return facts;
}

void refuse_empty(CLI::Option& option, const OptionRules& rules) {
  if (rules.empty_value) return;
  option.check([](const std::string& text) { return text.empty() ? "the value is empty" : std::string(); });
}

// The number that the letter behind a count stands for; 1 for other letters.
std::uint64_t multiple_of(char suffix) {
  switch (suffix) {
    case 'k':
    case 'K': return 1'000;
    case 'M': return 1'000'000;
    case 'G': return 1'000'000'000;
    default: return 1;
  }
}

// The reason why the text is not a number in the range; "" if it is one.
std::string number_fault(const std::string& text, const NumberRange& range) {
  std::string too_small = fmt::format("'{}': must be at least {}", text, range.min);
  if (text.starts_with('-')) return too_small;
  const bool multiple = range.suffixes && text.size() > 1 && multiple_of(text.back()) != 1;
  const std::size_t digits = text.size() - (multiple ? 1 : 0);
  if (digits == 0 || text.find_first_not_of("0123456789") < digits) {
    return fmt::format("'{}' is not a whole number", text);
  }
  std::uint64_t number = 0;
  const bool fits = parse_count(text, range.suffixes, number);
  if (fits && number < range.min) return too_small;
  if (fits && number <= range.max) return "";
  if (range.max == NumberRange().max) return fmt::format("'{}' is too large", text);
  return fmt::format("'{}' is too large: must be at most {}", text, range.max);
}

std::string rate_fault(const std::string& text) {
  double rate = 0;
  if (!parse_fraction(text, rate)) return fmt::format("'{}' is not a number", text);
  if (rate >= 0 && rate < 1) return "";
  std::uint64_t edits = 0;
  const bool is_count = parse_number(std::string_view(text), edits);
  return fmt::format("'{}': must be at least 0 and less than 1{}", text,
                     is_count ? fmt::format(" (a number of edits: -k {})", text) : "");
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

}  // namespace

bool parse_count(std::string_view text, bool suffixes, std::uint64_t& number) {
  const std::uint64_t multiple = suffixes && !text.empty() ? multiple_of(text.back()) : 1;
  if (multiple != 1) text.remove_suffix(1);
  return parse_number(text, number) && !__builtin_mul_overflow(number, multiple, &number);
}

CLI::Option& add_version(CLI::App& command) {
  return *command.set_version_flag("-V,--version", "basesweep " BASESWEEP_VERSION, "Show the version and exit")
              ->group("");
}

bool parse_fraction(std::string_view text, double& number) {
  constexpr double kHundred = 100;
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  if (!parse_number(text, number)) return false;
  if (percent) number /= kHundred;
  return true;
}

CLI::App& add_command(CLI::App& parent, const std::string& name, const std::string& summary, const char* group,
                      Help help) {
  CLI::App& command = *parent.add_subcommand(name, summary);
  set_help(command, std::move(help));
  add_version(command);
  command.group(group);
  return command;
}

bool is_called(const CLI::App& parent, const std::string& name) { return parent.got_subcommand(name); }

std::string given_option(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() != 0) return option->get_name();
  }
  return "";
}

bool is_given(const CLI::App& command, const std::string& option) {
  const CLI::Option* const found = command.get_option_no_throw(option);
  return found != nullptr && found->count() != 0;
}

std::vector<std::string> given_words(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_lnames().empty() || option->count() == 0) continue;
    const OptionFacts* const facts = facts_of(command, *option);
    if (facts == nullptr || !facts->kept) continue;
    const std::string name = "--" + option->get_lnames().back();
    const bool may_have_values = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    if (option->get_items_expected_max() == 0 && !may_have_values) {
      words.push_back(name);
      continue;
    }
    for (const std::string& value : option->results()) words.push_back(name + "=" + value);
  }
  return words;
}

void set_facts(CLI::App& command, const std::string& option, OptionFacts facts) {
  keep_facts(command, *command.get_option(option), std::move(facts));
}

void begin_group(CLI::App& command, const char* group) { command.option_defaults()->group(group); }

void add_flag(CLI::App& command, const std::string& names, bool& value, const std::string& help,
              const OptionRules& rules) {
  keep(command, *command.add_flag(names, value, help), rules, {.type = ValueType::flag, .usual = value});
}

void add_called_flag(CLI::App& command, const std::string& names, const std::function<void()>& take,
                     const std::string& help) {
  keep(command, *command.add_flag_callback(names, take, help), {}, {.type = ValueType::flag, .usual = false});
}

void add_text(CLI::App& command, const std::string& names, const std::string& type, std::string& value,
              const std::string& help, const OptionRules& rules) {
  CLI::Option& option = *command.add_option(names, value, help);
  refuse_empty(option, rules);
  apply(command, option, type, rules, facts_of_text(rules, value));
}

void add_parsed(CLI::App& command, const std::string& names, const std::string& type,
                const std::function<void(const std::string&)>& take, const std::string& help,
                const OptionRules& rules) {
  CLI::Option& option = *command.add_option_function<std::string>(names, take, help);
  refuse_empty(option, rules);
  apply(command, option, type, rules, facts_of_text(rules));
}

void add_parsed_texts(CLI::App& command, const std::string& names, const std::string& type,
                      const std::function<void(const std::string&)>& take, const std::string& help,
                      const OptionRules& rules) {
  CLI::Option& option = *command.add_option_function<std::string>(names, take, help);
  option.multi_option_policy(CLI::MultiOptionPolicy::TakeLast)->trigger_on_parse();
  refuse_empty(option, rules);
  apply(command, option, type, rules, facts_of_text(rules));
}

void add_texts(CLI::App& command, const std::string& names, const std::string& type, std::vector<std::string>& values,
               const std::string& help, const OptionRules& rules) {
  CLI::Option& option = *command.add_option(names, values, help)->allow_extra_args(false);
  refuse_empty(option, rules);
  apply(command, option, type, rules, facts_of_text(rules));
}

void add_optional_texts(CLI::App& command, const std::string& name, const std::string& type,
                        const std::function<void(const std::string&)>& take, const std::string& help) {
  const auto take_all = [take](const std::vector<std::string>& values) {
    std::for_each(values.begin(), values.end(), take);
    return true;
  };
  CLI::Option& option = *command.add_option(name, take_all, help);
  option.expected(0)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  apply(command, option, "[=" + type + "]", {}, {});
}

void join_optional_value(const std::string& name, std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    if (words[i] != name) continue;
    const std::string next = i + 1 < words.size() ? words[i + 1] : "";
    std::error_code failed;
    const bool is_value = !next.empty() && next.front() != '-' && !std::filesystem::exists(next, failed);
    words[i] += "=" + (is_value ? next : "*");
    if (is_value) words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

void protect_argument(std::string& word) {
  const bool option = word.size() > 1 && word.starts_with('-');
  if (option || word == "++" || (word.starts_with('[') && word.ends_with(']'))) word.insert(0, kProtected);
}

void add_arguments(CLI::App& command, const std::string& name, const std::string& type,
                   std::vector<std::string>& values, const std::string& help, const OptionRules& rules) {
  CLI::Option& option = *command.add_option(name, values, help);
  option.transform(
      [](const std::string& word) { return word.starts_with(kProtected) ? word.substr(kProtected.size()) : word; });
  apply(command, option, type, rules, {});
}

namespace {

CLI::Option& add_number_option(CLI::App& command, const std::string& names, const NumberRange& range,
                               const std::function<void(std::uint64_t)>& take, const std::string& help) {
  const auto parse = [take, range](const std::string& text) {
    std::uint64_t number = 0;
    parse_count(text, range.suffixes, number);
    take(number);
  };
  CLI::Option& option = *command.add_option_function<std::string>(names, parse, help);
  option.check([range](const std::string& text) { return number_fault(text, range); });
  return option;
}

}  // namespace

template <class T>
void add_number(CLI::App& command, const std::string& names, T& value, const NumberRange& range,
                const std::string& help, const OptionRules& rules) {
  const auto take = [&value](std::uint64_t number) {
    if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(number);
    } else {
      value = static_cast<typename T::value_type>(number);
    }
  };
  std::optional<std::uint64_t> usual;
  if constexpr (std::is_integral_v<T>) {
    usual = static_cast<std::uint64_t>(value);
  } else if (value) {
    usual = *value;
  }
  apply(command, add_number_option(command, names, range, take, help), "N", rules, facts_of_number(range, usual));
}

template void add_number(CLI::App&, const std::string&, int&, const NumberRange&, const std::string&,
                         const OptionRules&);
template void add_number(CLI::App&, const std::string&, std::uint32_t&, const NumberRange&, const std::string&,
                         const OptionRules&);
template void add_number(CLI::App&, const std::string&, std::uint64_t&, const NumberRange&, const std::string&,
                         const OptionRules&);
template void add_number(CLI::App&, const std::string&, std::optional<std::uint32_t>&, const NumberRange&,
                         const std::string&, const OptionRules&);
template void add_number(CLI::App&, const std::string&, std::optional<std::uint64_t>&, const NumberRange&,
                         const std::string&, const OptionRules&);

void add_number(CLI::App& command, const std::string& names, const std::string& type, const NumberRange& range,
                const std::function<void(std::uint64_t)>& take, const std::string& help, const OptionRules& rules,
                std::optional<std::uint64_t> usual) {
  apply(command, add_number_option(command, names, range, take, help), type, rules, facts_of_number(range, usual));
}

void add_rate(CLI::App& command, const std::string& names, std::optional<double>& value, const std::string& help) {
  const auto take = [&value](const std::string& text) { parse_fraction(text, value.emplace()); };
  CLI::Option& option = *command.add_option_function<std::string>(names, take, help);
  option.check(rate_fault);
  apply(command, option, "RATE", {}, {.type = ValueType::number, .least = 0, .beyond = 1});
}

void add_decimal(CLI::App& command, const std::string& names, double& value, double least, const std::string& help) {
  const auto take = [&value](const std::string& text) { parse_number(text, value); };
  CLI::Option& option = *command.add_option_function<std::string>(names, take, help);
  option.check([least](const std::string& text) {
    double number = 0;
    const bool good = parse_number(text, number) && std::isfinite(number) && number >= least;
    return good ? std::string() : fmt::format("'{}' is not a number of at least {}", text, least);
  });
  apply(command, option, "X", {}, {.type = ValueType::number, .usual = value, .least = least});
}

void add_words(CLI::App& command, const std::string& names, const std::vector<std::string>& words, std::size_t usual,
               const std::function<void(std::size_t)>& take, const std::string& help, const OptionRules& rules) {
  const auto index_of = [words, aliases = rules.aliases](std::string text) {
    for (const auto& [alias, word] : aliases) {
      if (text == alias) text = word;
    }
    return static_cast<std::size_t>(std::find(words.begin(), words.end(), text) - words.begin());
  };
  CLI::Option& option = *command.add_option_function<std::string>(
      names, [index_of, take](const std::string& text) { take(index_of(text)); }, help);
  option.check([words, index_of](const std::string& text) {
    const bool known = index_of(text) != words.size();
    return known ? std::string() : fmt::format("'{}' is not one of {}", text, joined(words, ", "));
  });
  OptionFacts facts{.type = ValueType::choice};
  if (usual < words.size()) facts.usual = words[usual];
  apply(command, option, joined(words, "|"), rules, std::move(facts));
}

}  // namespace basesweep
