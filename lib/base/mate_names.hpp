// The names of mates, which are equal apart from /1 and /2 at the end.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace basesweep {

// The name of a pair by that of its first mate, or its second.
constexpr std::string_view pair_of_first(std::string_view name) {
  if (name.ends_with("/1")) name.remove_suffix(2);
  return name;
}
constexpr std::string_view pair_of_second(std::string_view name) {
  if (name.ends_with("/2")) name.remove_suffix(2);
  return name;
}

// The sentence of messages about a first mate whose second has another name. `path` and `name`: of the second.
inline std::string other_mate(std::string_view first, std::string_view path, std::string_view name) {
  const bool one_pair = pair_of_first(pair_of_second(first)) == pair_of_first(pair_of_second(name));
  if (one_pair && first.ends_with("/2") && name.ends_with("/1")) {
    return fmt::format("its mate in {} is '{}', the first of the pair: exchange the files of -1 and -2", path, name);
  }
  if (one_pair) {
    return fmt::format("its mate in {} is '{}': first mates end in /1 and second mates in /2, or neither does", path,
                       name);
  }
  return fmt::format("its mate in {} has another name, '{}'; expected the same, apart from /1 and /2 at the end", path,
                     name);
}

}  // namespace basesweep
