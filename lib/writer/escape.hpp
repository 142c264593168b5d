// How values stand in lines of text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lib/rows/letters.hpp"

namespace basesweep {

enum class Escape : std::uint8_t {
  none,
  lower,      // letters in lower case
  seqid,      // %XX for what the first column of GFF3 does not allow
  attribute,  // the same for a value of an attribute of GFF3
  field,      // the same for a field in the title of FASTA: a value without blanks
  csv,        // in quotes if it holds a quote, a comma or a line end (RFC 4180)
  json,       // a string with its quotes; bytes that are no UTF-8 become U+FFFD
};

// The most bytes that a text of this size takes.
constexpr std::size_t most_escaped(std::size_t bytes, Escape escape) {
  constexpr std::size_t kMostPerByte = 6;  // "\u0001"
  return escape == Escape::none || escape == Escape::lower ? bytes : kMostPerByte * bytes + 2;
}
// Writes the text to `to`, which has most_escaped() bytes of room, and returns the place behind it.
char* put_changed(char* to, std::string_view text, Escape escape);
inline char* put_escaped(char* to, std::string_view text, Escape escape) {
  return escape == Escape::none ? put(to, text) : put_changed(to, text, escape);
}
std::string escaped(std::string_view text, Escape escape);

}  // namespace basesweep
