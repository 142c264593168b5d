#include "lib/writer/read_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

[[noreturn]] void refuse(std::string text, const char* what) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' '; }, ' ');
  throw UsageError(
      fmt::format("read group '{}': {}; expected a line such as '@RG\\tID:name\\tPL:platform'", text, what));
}

}  // namespace

ReadGroup parse_read_group(std::string text) {
  ReadGroup group;
  if (text.empty()) return group;
  for (std::size_t at; (at = text.find("\\t")) != std::string::npos;) text.replace(at, 2, "\t");
  std::string_view rest = text;
  if (!rest.starts_with("@RG\t")) refuse(text, "must begin with @RG and a tab");
  rest.remove_prefix(3);
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view field = rest.substr(0, rest.find('\t'));
    rest.remove_prefix(field.size());
    if (field.size() < 4 || field[2] != ':') refuse(text, "a field does not have the form XX:value");
    if (std::any_of(field.begin(), field.end(), [](char c) { return c < ' ' || c > '~'; })) {
      refuse(text, "only printable ASCII characters are allowed");
    }
    if (field.starts_with("ID:")) group.id = field.substr(3);
  }
  if (group.id.empty()) refuse(text, "has no ID");
  group.line = text + "\n";
  return group;
}

}  // namespace basesweep
