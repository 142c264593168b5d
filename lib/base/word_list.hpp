// Lists of words in messages.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace basesweep {

// "a", "a or b", "a, b or c". `last`: the word before the last one, such as "or".
inline std::string list_words(std::span<const std::string> words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i != 0 && i + 1 == words.size()) {
      text.append(" ").append(last).append(" ");
    } else if (i != 0) {
      text += ", ";
    }
    text += words[i];
  }
  return text;
}

}  // namespace basesweep
