// Options of a command, each described once: the command line, the report, the label of a part and @PG walk the list.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lib/report/report.hpp"
#include "tools/options.hpp"

namespace basesweep {

// `Options`: the struct that has the value.
template <class Options>
struct OptionRow {
  std::string names;  // on the command line, "-k,--edits"; "": it is in the report only
  std::function<void(CLI::App& command, Options& options)> add;
  // The value as reports have it: "yes" and "no" of a flag, the word of a choice, null where nothing is given.
  std::function<ParameterValue(const Options& options)> value{};
  std::string key{};   // in reports and labels; "": it does not affect what is found
  bool always = true;  // reports have it at its default too
  // The words of @PG, each with a blank before it, where it is not at its default. Empty: @PG does not name it.
  std::function<std::string(const Options& options)> words{};
};
template <class Options>
using OptionTable = std::vector<OptionRow<Options>>;

// A member of a member, as TableMaker takes it in place of a member.
template <class Outer, class Inner, class Value>
auto at(Inner Outer::*outer, Value Inner::*inner) {
  return [=](auto& options) -> auto& { return options.*outer.*inner; };
}

// Values as reports and command lines have them.
inline ParameterValue parameter_of(bool value) { return value ? "yes" : "no"; }
inline ParameterValue parameter_of(const std::string& value) {
  return value.empty() ? ParameterValue() : ParameterValue(value);
}
inline ParameterValue parameter_of(double value) { return value; }
template <class T>
requires std::is_integral_v<T> ParameterValue parameter_of(T value) {
  if constexpr (std::is_same_v<T, std::uint64_t>) return value;
  return static_cast<std::int64_t>(value);
}
template <class T>
ParameterValue parameter_of(const std::optional<T>& value) {
  return value ? parameter_of(*value) : ParameterValue();
}

// The rows of a table that is being made. `access`: a member of Options, or what at() gives.
template <class Options>
class TableMaker {
 public:
  // Options that follow are listed in `group`.
  TableMaker& begin(const char* group) {
    return row({"", [group](CLI::App& command, Options&) { begin_group(command, group); }});
  }
  // Calls a function that adds options that do not affect what is found.
  TableMaker& call(std::function<void(CLI::App& command, Options& options)> add) { return row({"", std::move(add)}); }

  template <class Access>
  TableMaker& flag(const std::string& names, Access access, const std::string& help, const OptionRules& rules = {}) {
    return add(names, access,
               [=](CLI::App& command, Options& o) { add_flag(command, names, std::invoke(access, o), help, rules); });
  }
  template <class Access>
  TableMaker& number(const std::string& names, Access access, const NumberRange& range, const std::string& help,
                     const OptionRules& rules = {}) {
    return add(names, access, [=](CLI::App& command, Options& o) {
      add_number(command, names, std::invoke(access, o), range, help, rules);
    });
  }
  template <class Access>
  TableMaker& rate(const std::string& names, Access access, const std::string& help) {
    return add(names, access,
               [=](CLI::App& command, Options& o) { add_rate(command, names, std::invoke(access, o), help); });
  }
  template <class Access>
  TableMaker& decimal(const std::string& names, Access access, double least, const std::string& help) {
    return add(names, access, [=](CLI::App& command, Options& o) {
      add_decimal(command, names, std::invoke(access, o), least, help);
    });
  }
  template <class Access>
  TableMaker& text(const std::string& names, const std::string& type, Access access, const std::string& help,
                   const OptionRules& rules = {}) {
    return add(names, access, [=](CLI::App& command, Options& o) {
      add_text(command, names, type, std::invoke(access, o), help, rules);
    });
  }
  template <class Access>
  TableMaker& texts(const std::string& names, const std::string& type, Access access, const std::string& help,
                    const OptionRules& rules = {}) {
    return row({names, [=](CLI::App& command, Options& o) {
                  add_texts(command, names, type, std::invoke(access, o), help, rules);
                }});
  }
  template <class Access, class T>
  TableMaker& choice(const std::string& names, Access access, const std::vector<std::pair<std::string, T>>& choices,
                     const std::string& help, const OptionRules& rules = {}) {
    row({names, [=](CLI::App& command, Options& o) {
           add_choice<T>(command, names, std::invoke(access, o), choices, help, rules);
         }});
    rows_.back().value = [=](const Options& o) {
      const auto found = std::find_if(choices.begin(), choices.end(),
                                      [&](const auto& one) { return one.second == std::invoke(access, o); });
      return found == choices.end() ? ParameterValue() : ParameterValue(found->first);
    };
    return *this;
  }
  // A row of another kind.
  TableMaker& row(OptionRow<Options> row) {
    rows_.push_back(std::move(row));
    return *this;
  }
  // Adds a value that reports have besides options.
  TableMaker& value(const std::string& key, std::function<ParameterValue(const Options& options)> value) {
    return row({"", nullptr, std::move(value), key});
  }

  // These set the key of the row that was added last.
  TableMaker& reported(const std::string& key) {
    rows_.back().key = key;
    return *this;
  }
  TableMaker& reported_as(const std::string& key, std::function<ParameterValue(const Options& options)> value) {
    rows_.back().value = std::move(value);
    return reported(key);
  }
  TableMaker& reported_if_given(const std::string& key) {
    rows_.back().always = false;
    return reported(key);
  }
  // @PG names it by the first of its names.
  TableMaker& in_program() {
    const std::string& names = rows_.back().names;
    const std::string option = " " + names.substr(0, names.find(','));
    rows_.back().words = [option, value_of = rows_.back().value](const Options& o) {
      const ParameterValue value = value_of(o);
      if (value == value_of(Options())) return std::string();
      return value == ParameterValue("yes") ? option : option + " " + word_of(value);
    };
    return *this;
  }

  TableMaker& words(std::function<std::string(const Options& options)> words) {
    rows_.back().words = std::move(words);
    return *this;
  }

  // The rows of another table, for the options that `access` gives.
  template <class Access, class Inner>
  TableMaker& table(Access access, const OptionTable<Inner>& inner) {
    for (const OptionRow<Inner>& one : inner) {
      OptionRow<Options> own{one.names, nullptr, nullptr, one.key, one.always};
      if (one.add) {
        own.add = [add = one.add, access](CLI::App& command, Options& o) { add(command, std::invoke(access, o)); };
      }
      if (one.value)
        own.value = [value = one.value, access](const Options& o) { return value(std::invoke(access, o)); };
      if (one.words)
        own.words = [words = one.words, access](const Options& o) { return words(std::invoke(access, o)); };
      row(std::move(own));
    }
    return *this;
  }

  OptionTable<Options> take() { return std::move(rows_); }

 private:
  template <class Access>
  TableMaker& add(const std::string& names, Access access,
                  std::function<void(CLI::App& command, Options& options)> add) {
    return row({names, std::move(add), [=](const Options& o) { return parameter_of(std::invoke(access, o)); }});
  }

  OptionTable<Options> rows_;
};

template <class Options>
void add_options(CLI::App& command, const OptionTable<Options>& table, Options& options) {
  for (const OptionRow<Options>& row : table) {
    if (row.add) row.add(command, options);
  }
}

// The options as reports and labels show them.
template <class Options>
RunParameters parameters_of(const OptionTable<Options>& table, const Options& options) {
  const Options defaults;
  RunParameters all;
  for (const OptionRow<Options>& row : table) {
    if (row.key.empty()) continue;
    ParameterValue value = row.value(options);
    if (row.always || value != row.value(defaults)) all.emplace_back(row.key, std::move(value));
  }
  return all;
}

// The command line of @PG: the options that bear on alignments, without those at their default.
template <class Options>
std::string program_of(const std::string& command, const OptionTable<Options>& table, const Options& options) {
  std::string line = "basesweep " + command;
  for (const OptionRow<Options>& row : table) {
    if (row.words) line += row.words(options);
  }
  return line;
}

}  // namespace basesweep
