#include "lib/reader/primer_role.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace basesweep {
namespace {

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

bool all_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Whether the text after LEFT or RIGHT names an alternative: nothing, _1, _alt, _alt1.
bool is_variant(std::string_view rest) {
  if (rest.empty()) return true;
  if (rest.front() != '_') return false;
  rest.remove_prefix(1);
  if (rest.starts_with("alt")) return all_digits(rest.substr(3));
  return !rest.empty() && all_digits(rest);
}

}  // namespace

PrimerRole primer_role(const std::string& name) {
  struct Side {
    std::string_view word;
    bool forward;
  };
  constexpr std::array<Side, 10> kSides{{{"f", true},
                                         {"l", true},
                                         {"r", false},
                                         {"fw", true},
                                         {"rv", false},
                                         {"fwd", true},
                                         {"rev", false},
                                         {"forward", true},
                                         {"reverse", false},
                                         {"for", true}}};
  constexpr std::string_view kBefore = "_-. ";  // come between the pair and the side
  const std::string lower = in_lower_case(name);
  for (const auto& [side, forward] : {std::pair("left", true), {"right", false}}) {
    const std::size_t at = lower.rfind(side);
    if (at == std::string::npos || at < 2 || kBefore.find(lower[at - 1]) == std::string_view::npos) continue;
    if (!is_variant(std::string_view(lower).substr(at + std::string_view(side).size()))) continue;
    return {name.substr(0, at - 1), forward, name.substr(at)};
  }
  for (const auto& [ending, forward] : {std::pair(std::string_view("/1"), true), {"/2", false}}) {
    if (lower.size() > ending.size() && lower.ends_with(ending)) {
      return {name.substr(0, name.size() - ending.size()), forward, ""};
    }
  }
  const std::size_t at = lower.find_last_of(kBefore);
  if (at == std::string::npos || at == 0) return {};
  const auto side = std::find_if(kSides.begin(), kSides.end(),
                                 [&](const Side& one) { return one.word == std::string_view(lower).substr(at + 1); });
  return side == kSides.end() ? PrimerRole() : PrimerRole{name.substr(0, at), side->forward, ""};
}

}  // namespace basesweep
