// The names of mates. They are equal, apart from /1 and /2 at the end, which either may lack; or they are numbered:
// equal up to a last .1 and .2, or _1 and _2, as `fastq-dump --readids` writes them.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

namespace basesweep {

// The name of a pair by that of its first mate, or its second, unless the mates are numbered.
constexpr std::string_view pair_of_first(std::string_view name) {
  if (name.ends_with("/1")) name.remove_suffix(2);
  return name;
}
constexpr std::string_view pair_of_second(std::string_view name) {
  if (name.ends_with("/2")) name.remove_suffix(2);
  return name;
}

// The name of a pair whose mates have a number each: what comes before /1 and /2, .1 and .2, or _1 and _2. Nothing if
// the names are not such ones.
constexpr std::optional<std::string_view> numbered_pair(std::string_view first, std::string_view second) {
  constexpr std::size_t kEnding = 2;
  if (first.size() <= kEnding || first.size() != second.size()) return std::nullopt;
  if (first.back() != '1' || second.back() != '2') return std::nullopt;
  first.remove_suffix(1);
  second.remove_suffix(1);
  if (first != second || std::string_view("/._").find(first.back()) == std::string_view::npos) return std::nullopt;
  first.remove_suffix(1);
  return first;
}

// The name of the pair of two mates; nothing if their names are not those of mates.
constexpr std::optional<std::string_view> pair_name(std::string_view first, std::string_view second) {
  const std::string_view pair = pair_of_first(first);
  return pair == pair_of_second(second) ? pair : numbered_pair(first, second);
}

// The sentence of messages about a first mate whose second has another name. `path` and `name`: of the second.
inline std::string other_mate(std::string_view first, std::string_view path, std::string_view name) {
  if (numbered_pair(name, first)) {
    return fmt::format("its mate in {} is '{}', the first of the pair: exchange the files of -1 and -2", path, name);
  }
  if (pair_of_first(pair_of_second(first)) == pair_of_first(pair_of_second(name))) {
    return fmt::format("its mate in {} is '{}': first mates end in /1 and second mates in /2, or neither does", path,
                       name);
  }
  return fmt::format(
      "its mate in {} has another name, '{}'; expected the same, apart from /1 and /2 (or .1 and .2, _1 and _2) at the "
      "end",
      path, name);
}

}  // namespace basesweep
