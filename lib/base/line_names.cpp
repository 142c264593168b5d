#include "lib/base/line_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; }

}  // namespace

std::string name_fault(std::string_view name, NameRule rule) {
  if (rule == NameRule::any || rule == NameRule::named) return "";
  if (const auto* const found = std::find_if(name.begin(), name.end(), is_control); found != name.end()) {
    if (rule == NameRule::text) return fmt::format("{} is in its name: rename the record", printable(*found));
    return fmt::format("{} is in its name, which this format cannot hold: rename the record, or choose the format csv",
                       printable(*found));
  }
  if (rule != NameRule::bed) return "";
  for (const std::string_view begin : {"#", "track", "browser"}) {
    if (name.starts_with(begin)) {
      return fmt::format("a line of BED that begins with '{}' is no hit to its readers: choose a table, such as csv",
                         begin);
    }
  }
  return "";
}

}  // namespace basesweep
