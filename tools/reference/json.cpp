#include "tools/reference/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace basesweep {
namespace {

using Json = nlohmann::ordered_json;

const char* type_of(const OptionInfo& option) {
  if (option.takes == Takes::file) return "file";
  if (option.takes == Takes::folder) return "folder";
  if (option.takes == Takes::command) return "choice";
  switch (option.facts.type) {
    case ValueType::flag: return "flag";
    case ValueType::integer: return "integer";
    case ValueType::number: return "number";
    case ValueType::choice: return "choice";
    case ValueType::text: return "text";
  }
  return "";
}

void add_range(const OptionFacts& facts, Json& json) {
  if (facts.type == ValueType::integer) {
    json["min"] = facts.range.min;
    if (facts.range.max != NumberRange().max) json["max"] = facts.range.max;
    if (facts.range.suffixes) json["suffixes"] = {"k", "M", "G"};
  }
  if (facts.least) json["min"] = *facts.least;
  if (facts.beyond) json["less_than"] = *facts.beyond;
}

// Adds the value that holds without the option, if there is one.
void add_default(const OptionFacts& facts, Json& json) {
  std::visit(
      [&json](const auto& value) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) json["default"] = value;
      },
      facts.usual);
}

Json json_of(const OptionInfo& option) {
  Json json = Json::object();
  json["names"] = option.names;
  const bool optional = option.value.starts_with("[=");
  json["type"] = type_of(option);
  if (!option.value.empty()) json["value"] = option.value;
  if (optional) json["value_may_be_left_out"] = true;
  if (!option.words.empty()) json["words"] = option.words;
  add_range(option.facts, json);
  add_default(option.facts, json);
  json["required"] = option.required;
  json["repeated"] = option.repeated || optional;
  json["text"] = option.text;
  return json;
}

Json options_of(const CommandInfo& command) {
  Json options = Json::array();
  const std::vector<OptionInfo> all = command.options();
  const bool has_parts =
      std::any_of(all.begin(), all.end(), [](const OptionInfo& option) { return option.names.back() == "--chunk"; });
  for (const OptionGroup& group : command.groups) {
    for (const OptionInfo& option : group.options) {
      Json json = json_of(option);
      json["group"] = group.title;
      if (has_parts) json["kept_in_parts"] = option.facts.kept;
      options.push_back(std::move(json));
    }
  }
  return options;
}

Json columns_of(const CommandInfo& command) {
  Json columns = Json::array();
  for (const HelpColumn& column : command.help.columns) {
    columns.push_back(
        {{"name", column.name}, {"type", column.type}, {"usual", column.usual}, {"meaning", column.meaning}});
  }
  return columns;
}

// The words of --format; none: the command has no such option.
std::vector<std::string> formats_of(const CommandInfo& command) {
  for (const OptionInfo& option : command.options()) {
    if (option.names.back() == "--format") return option.words;
  }
  return {};
}

Json terms_of(const std::vector<Term>& terms) {
  Json all = Json::object();
  for (const Term& term : terms) all[term.name] = term.meaning;
  return all;
}

Json json_of(const CommandInfo& command) {
  Json json = Json::object();
  json["name"] = command.name();
  json["summary"] = command.summary;
  json["group"] = command.group;
  json["usage"] = command.help.synopsis;
  Json arguments = Json::array();
  for (const OptionInfo& argument : command.arguments) arguments.push_back(json_of(argument));
  json["arguments"] = std::move(arguments);
  json["options"] = options_of(command);
  json["formats"] = formats_of(command);
  json["columns"] = columns_of(command);
  json["exit_codes"] = terms_of(command.help.exit_codes);
  json["environment"] = terms_of(command.help.environment);
  json["see_also"] = command.help.see_also;
  return json;
}

}  // namespace

std::string print_json(const CommandInfo& command) {
  Json json = Json::object();
  json["schema"] = "basesweep-help/1";
  json["version"] = BASESWEEP_VERSION;
  Json commands = Json::array();
  for (const CommandInfo* one : with_all_below(command)) commands.push_back(json_of(*one));
  json["commands"] = std::move(commands);
  return json.dump(2) + "\n";
}

}  // namespace basesweep
