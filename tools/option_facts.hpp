// The properties of an option besides its names and its help: for `help --json`, for parts and for `merge`.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace basesweep {

// Whole numbers, both ends included.
struct NumberRange {
  std::uint64_t min = 0;
  std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
  bool suffixes = false;  // a count may end in k, M or G: 1k is 1,000, 10M is 10,000,000
};

enum class ValueType { flag, integer, number, choice, text };

struct OptionFacts {
  ValueType type = ValueType::text;
  // The value of an option that is not given; nothing: there is none, or it depends on other options.
  std::variant<std::monostate, bool, std::uint64_t, double, std::string> usual{};
  NumberRange range{};             // of an integer
  std::optional<double> least{};   // of a number
  std::optional<double> beyond{};  // a number is less than this
  // Whether a part keeps the option for `merge`: not those that say where to read and to write, what to search for and
  // on what machine.
  bool kept = false;
  // Whether `merge` has the option too, and hands it to the command of the parts; the text of its help, "": that of the
  // command.
  std::optional<std::string> in_merge{};
};

// Keeps the facts with the command, which must have its help.
void keep_facts(CLI::App& command, const CLI::Option& option, OptionFacts facts);
// The facts of an option of the command; null: nothing is known, as of --help.
const OptionFacts* facts_of(const CLI::App& command, const CLI::Option& option);

}  // namespace basesweep
