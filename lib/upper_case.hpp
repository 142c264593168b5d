// Letters in upper case.
#pragma once

#include <string>

namespace basesweep {

// ASCII letters only, whatever the locale.
inline std::string upper_case(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

}  // namespace basesweep
