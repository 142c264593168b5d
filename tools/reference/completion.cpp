#include "tools/reference/completion.hpp"

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
  std::string all;
  for (const std::string& word : words) all += (&word == &words.front() ? "" : between) + word;
  return all;
}

std::string path_below(const CommandInfo& command, const char* between) {
  return join({command.path.begin() + 1, command.path.end()}, between);
}

}  // namespace basesweep
