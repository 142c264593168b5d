// Rules of FASTA and FASTQ text, each in one place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace basesweep {

// Whether the byte is one position of a sequence. Letters other than A, C, G, T and U, and '-', '*' and '.', stand for
// an unknown base. Line ends may stand between positions; any other byte is an error. The packer's vector code
// (lib/packer/pack_kernel.cpp) has the same rule in its own instructions; a unit test compares the two for all bytes.
constexpr bool is_sequence_byte(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '*' || c == '.';
}

constexpr bool is_line_end(char c) { return c == '\n' || c == '\r'; }

// How many letters there are, and how many of them are A, C, G, T, U or N.
struct LetterCounts {
  std::int64_t letters = 0;
  std::int64_t nucleotides = 0;
};

// A warning when under half of the letters of `text` ("reads.fa") are nucleotides; nothing otherwise.
std::optional<std::string> warning_of(const LetterCounts& counts, const std::string& text);

// The message about a byte that is neither of the two: "'1' is not sequence (expected ...)".
std::string not_sequence(char byte);

// The first word of a title, which names the record, or of another line. It ends before a space, a tab or the line end.
constexpr std::string_view first_word(std::string_view line) {
  const auto ends = [](char c) { return c == ' ' || c == '\t' || is_line_end(c); };
  return {line.begin(), std::find_if(line.begin(), line.end(), ends)};
}

}  // namespace basesweep
