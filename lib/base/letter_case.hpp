// Upper and lower case that do not depend on the locale.
#pragma once

#include <string>

namespace basesweep {

// The text with its ASCII letters in upper case.
inline std::string upper_case(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

// The text with its ASCII letters in lower case.
inline std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

}  // namespace basesweep
