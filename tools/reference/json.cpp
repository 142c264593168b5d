#include "tools/reference/json.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tools/options.hpp"

namespace basesweep {
namespace {

using Json = nlohmann::ordered_json;

const char* word_of(Takes takes) {
  switch (takes) {
    case Takes::nothing: return "nothing";
    case Takes::anything: return "text";
    case Takes::word: return "word";
    case Takes::file: return "file";
    case Takes::folder: return "folder";
    case Takes::command: return "command";
  }
  return "";
}

Json json_of(const OptionInfo& option) {
  Json json = Json::object();
  json["names"] = option.names;
  const bool optional = option.value.starts_with("[=");
  json["takes"] = optional ? "text, or nothing" : word_of(option.takes);
  if (!option.value.empty()) json["value"] = option.value;
  if (!option.words.empty()) json["words"] = option.words;
  json["required"] = option.required;
  json["repeated"] = option.repeated || optional;
  json["text"] = option.text;
  return json;
}

Json options_of(const CommandInfo& command) {
  Json options = Json::array();
  for (const OptionGroup& group : command.groups) {
    for (const OptionInfo& option : group.options) {
      Json json = json_of(option);
      json["group"] = group.title;
      json["kept_in_parts"] = group.title != group::kHelp && is_kept_in_parts(option.names.back());
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
