#include "lib/reads/read_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"

namespace basesweep {
namespace {

std::string id_of(std::string_view line) {
  while (!line.empty()) {
    const std::string_view field = take_to(line, '\t');
    if (field.starts_with("ID:")) return std::string(field.substr(3));
  }
  return "";
}

}  // namespace

void ReadGroups::add(const std::string& path, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    if (has(line)) continue;
    std::string id = id_of(line);
    const auto same = std::find_if(groups_.begin(), groups_.end(), [&id](const Group& one) { return one.id == id; });
    if (same != groups_.end())
      throw DataError(
          fmt::format("{}: its read group '{}' is another one than that of {}: rename one of them, or map the "
                      "files one by one",
                      path, id, same->path));
    groups_.push_back({std::move(id), line, path});
  }
}

bool ReadGroups::has(std::string_view line) const {
  return std::any_of(groups_.begin(), groups_.end(), [line](const Group& group) { return group.line == line; });
}

std::string ReadGroups::lines() const {
  std::string text;
  for (const Group& group : groups_) text.append(group.line).append("\n");
  return text;
}

}  // namespace basesweep
