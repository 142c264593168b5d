// Percent-encoding of names in FASTA titles and GFF3.
#pragma once

#include <string>
#include <string_view>

namespace basesweep {

// Appends the text, with each byte for which `plain` is false as % and two hexadecimal digits.
template <class Plain>
void append_escaped(std::string_view text, Plain plain, std::string& to) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : text) {
    if (plain(c)) {
      to += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    to += '%';
    to += kDigits[byte >> 4];
    to += kDigits[byte & 15];
  }
}

}  // namespace basesweep
