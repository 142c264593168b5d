// Exact search (`motif`) as its definition says: every record, every position, every pattern, letter by letter.
//
// The three files of this folder define what the program must find, in code too plain to be wrong: naive.* for exact
// search, approximate.* for `match`, ends.* for the stage in between that GPU and CPU matchers answer. They share no
// code with the rest of lib/, so a mistake there cannot hide here. Tests and `basesweep doctor` compare every algorithm
// with them; trial/ makes the questions and compares the answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oracle {

enum class Strands { both, plus, minus };

// A search: records and the patterns to find in them. Letters of a record that are not A, C, G, T or U match nothing.
struct Question {
  std::vector<std::string> records;   // sequence letters as in the file, without line ends
  std::vector<std::string> patterns;  // IUPAC letters, upper case
  Strands strands = Strands::both;
  bool palindromes_twice = false;  // report a palindromic pattern on both strands, not only on +
  bool skip_soft_masked = false;   // no hit may touch a lower-case letter
  // For each record whether it is circular; empty: none is. The text of a circular record is the record repeated
  // without end in both directions. Hits start in [0, length) and are not longer than the record; their end may exceed
  // the length.
  std::vector<bool> circular{};
};

struct Hit {
  std::int64_t record;  // index into Question::records
  std::int64_t start;   // 0-based, on the forward strand
  std::int64_t end;     // exclusive
  char strand;          // '+' or '-'
  std::size_t pattern;  // index into Question::patterns

  bool operator==(const Hit&) const = default;
};

// All hits, ordered by record, start, end, strand (+ first), pattern.
std::vector<Hit> search(const Question& question);

bool is_circular(const Question& question, std::int64_t record);

// Whether the strand (+ or -) of a pattern is searched at all.
bool is_searched(const Question& question, std::size_t pattern, char strand);

// The hits that --non-overlapping keeps. A hit is kept when it starts at or after the end of the last one kept of the
// same record, pattern and strand. On a circular record, one kept over the origin is dropped at the end if it overlaps
// the first one kept. `hits` must be in order.
std::vector<Hit> without_overlaps(const Question& question, const std::vector<Hit>& hits);

// The letters [start, end) of a record's text, as they are; the record is repeated where it is circular.
std::string stretch(const Question& question, std::int64_t record, std::int64_t start, std::int64_t end);

// The text of [start, end) of a record in upper case, U as T; reverse-complemented for strand '-'.
std::string matched_text(const Question& question, std::int64_t record, std::int64_t start, std::int64_t end,
                         char strand);

// The reverse complement of upper-case IUPAC letters and '-'. U becomes A, and A becomes T. Other
// letters stay as they are.
std::string reverse_complement(const std::string& letters);

// The upper-case text letters that an IUPAC letter of a pattern matches: "AG" for R, "TU" for T; none for '-', a
// position that matches nothing. Throws std::invalid_argument for any other letter.
std::string_view members(char letter);

}  // namespace oracle
