// The search, so plain that it cannot be wrong: every record, position and pattern, letter by letter. Uses nothing of
// lib/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace oracle {

enum class Strands { both, plus, minus };

struct Question {
  std::vector<std::string> records;   // letters as they stand in the file
  std::vector<std::string> patterns;  // IUPAC letters, upper case
  Strands strands = Strands::both;
  bool palindromes_twice = false;
  bool skip_soft_masked = false;
};

// Positions are 0-based, half-open, on the forward strand.
struct Hit {
  std::int64_t record;
  std::int64_t start;
  std::int64_t end;
  char strand;  // + or -
  std::size_t pattern;

  bool operator==(const Hit&) const = default;
};

// All hits, ordered by record, start, end, strand (+ first), pattern.
std::vector<Hit> search(const Question& question);

// Whether the strand (+ or -) of a pattern is searched at all.
bool is_searched(const Question& question, std::size_t pattern, char strand);

// Those that start at or after the end of the last kept one of their record, pattern and strand.
std::vector<Hit> without_overlaps(const std::vector<Hit>& hits);

// The text of a place in upper case, U as T, as the strand reads it.
std::string matched_text(const Question& question, std::int64_t record, std::int64_t start, std::int64_t end,
                         char strand);

std::string reverse_complement(const std::string& letters);

// The letters that a pattern's IUPAC letter stands for, "TU" for T; none for -, which is a column that matches nothing.
std::string members(char letter);

}  // namespace oracle
