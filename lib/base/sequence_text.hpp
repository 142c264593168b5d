// Rules of FASTA and FASTQ text, each in one place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

// A line ends with LF, with CR LF, or with CR alone as on old Macs and in some exports of spreadsheets.
constexpr bool is_line_end(char c) { return c == '\n' || c == '\r'; }

// Returns where the line that begins at `text` ends: at its line end, or at `end`. Looks at a few hundred bytes past it
// at most, so that text without any LF costs no more than other text.
inline const char* find_line_end(const char* text, const char* end) {
  constexpr std::ptrdiff_t kStep = 256;
  while (text != end) {
    const char* const stop = text + std::min(kStep, end - text);
    const void* const lf = std::memchr(text, '\n', static_cast<std::size_t>(stop - text));
    const char* const before = lf != nullptr ? static_cast<const char*>(lf) : stop;
    const void* const cr = std::memchr(text, '\r', static_cast<std::size_t>(before - text));
    if (cr != nullptr) return static_cast<const char*>(cr);
    if (lf != nullptr) return before;
    text = stop;
  }
  return end;
}

// The same as the size of the first line of the text, without its line end.
inline std::size_t line_size(std::string_view text) {
  return static_cast<std::size_t>(find_line_end(text.data(), text.data() + text.size()) - text.data());
}

// Returns the size of the line end that the text begins with: 2 for CR LF, 1 for LF or CR, 0 for anything else.
constexpr std::size_t line_end_size(std::string_view text) {
  if (text.starts_with("\r\n")) return 2;
  return !text.empty() && is_line_end(text.front()) ? 1 : 0;
}

// Removes the first line from the text, with its line end, and returns it without.
inline std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, line_size(text));
  text.remove_prefix(line.size());
  text.remove_prefix(line_end_size(text));
  return line;
}

// Returns how many bytes the whole lines take that the text begins with, their line ends included; 0: there is no line
// end. A CR LF may be cut in two if the text ends between them, which leaves an empty line.
inline std::size_t whole_lines(std::string_view text) {
  const std::size_t lf = text.rfind('\n') + 1;  // 0: there is none
  const std::size_t cr = text.substr(lf).rfind('\r');
  return cr == std::string_view::npos ? lf : lf + cr + 1;
}

// How many letters there are, and how many of them are A, C, G, T, U or N.
struct LetterCounts {
  std::int64_t letters = 0;
  std::int64_t nucleotides = 0;
};

// A warning when under half of the letters of `text` ("reads.fa") are nucleotides; nothing otherwise.
std::optional<std::string> warning_of(const LetterCounts& counts, const std::string& text);

// The message about a byte that is neither of the two: "'1' is not sequence (expected ...)".
std::string not_sequence(char byte);

// The first word of a line. It ends before a space, a tab or the line end.
constexpr std::string_view first_word(std::string_view line) {
  const auto ends = [](char c) { return c == ' ' || c == '\t' || is_line_end(c); };
  return {line.begin(), std::find_if(line.begin(), line.end(), ends)};
}

// The name of a record: the first word of its title, which is the title line behind '>' or '@'. Spaces and tabs before
// it are passed over, as samtools does. Empty if there is no word.
constexpr std::string_view name_in_title(std::string_view title) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  title.remove_prefix(static_cast<std::size_t>(std::find_if_not(title.begin(), title.end(), blank) - title.begin()));
  return first_word(title);
}

}  // namespace basesweep
