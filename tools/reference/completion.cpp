#include "tools/reference/completion.hpp"

#include <fmt/format.h>

namespace basesweep {

std::string single_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string join(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

std::vector<std::string> names_below(const CommandInfo& command) {
  std::vector<std::string> names;
  for (const CommandInfo& below : command.commands) names.push_back(below.path.back());
  return names;
}

std::string path_below(const CommandInfo& command, const char* between) {
  return join({command.path.begin() + 1, command.path.end()}, between);
}

}  // namespace basesweep
