// The characters of text in an encoding that is not known: UTF-8, or else the code page of Western Windows.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace basesweep {

struct Character {
  std::size_t at;  // offset of its first byte
  std::size_t bytes;
  char plain;  // ' ' for every blank, '\'' for every prime, '-' for every dash, 0 for others outside of ASCII
};

std::vector<Character> characters_of(std::string_view text);

}  // namespace basesweep
