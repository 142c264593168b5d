// Random records and patterns for tests: small, and rich in the cases that break programs.
#pragma once

#include <string>
#include <vector>

#include "lib/oracle/naive.hpp"
#include "lib/oracle/trial/random.hpp"

namespace trial {

// The kind of records that a text has.
enum class TextShape { random, repeats, n_runs, lower_case, tiny_records, iupac_text };
inline constexpr int kTextShapes = 6;
const char* to_string(TextShape shape);

// The kind of patterns that a set has.
enum class PatternKind {
  acgt,        // few
  iupac,       // few, many of them with IUPAC codes
  many_acgt,   // 80 or more
  many_mixed,  // 80 or more, some with IUPAC codes
  long_acgt,   // few, none shorter than 16
  equal_acgt,  // up to about 200, all of one length
};

// Letters of `alphabet`, each equally likely.
std::string random_letters(Random& random, std::size_t length, const std::string& alphabet);

// The records of a text; no pattern is planted in them, see plant().
std::vector<std::string> random_records(Random& random, TextShape shape);

// Patterns of 1 to 70 letters, now and then up to 300, unless the kind says otherwise. Among them are palindromes,
// repeats, patterns inside others, patterns twice, and patterns cut out of `records`.
std::vector<std::string> random_patterns(Random& random, PatternKind kind, const std::vector<std::string>& records);

// Overwrites up to 7 places of the records with text that a pattern matches. Some of it has one letter changed.
void plant(Random& random, const std::vector<std::string>& patterns, std::vector<std::string>& records);

// A question with these records and patterns; strands, palindromes and soft-masking are random.
oracle::Question random_question(Random& random, std::vector<std::string> records, std::vector<std::string> patterns);

bool has_iupac(const std::vector<std::string>& patterns);

// The question as a C++ literal, to repeat a failure.
std::string literal(const oracle::Question& question);

}  // namespace trial
