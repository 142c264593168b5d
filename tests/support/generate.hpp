// Random texts and pattern sets, small and nasty.
#pragma once

#include <string>
#include <vector>

#include "tests/oracle/naive.hpp"
#include "tests/support/random.hpp"

namespace support {

enum class TextShape { random, repeats, n_runs, lower_case, tiny_records, iupac_text };
inline constexpr int kTextShapes = 6;
const char* to_string(TextShape shape);

enum class PatternKind {
  acgt,
  iupac,
  many_acgt,
  many_mixed,
  long_acgt,   // none shorter than 16
  equal_acgt,  // up to 200 of one length
};

// Letters of `alphabet`, all equally often.
std::string random_letters(Random& random, std::size_t length, const std::string& alphabet);

// Records of a text, without patterns planted in it.
std::vector<std::string> random_records(Random& random, TextShape shape);

// Patterns: 1 to 70 letters, now and then up to 300; palindromes, repeats, one inside the other, some twice, some cut
// out of `records`.
std::vector<std::string> random_patterns(Random& random, PatternKind kind, const std::vector<std::string>& records);

// Overwrites places of the text with what patterns match, or would but for one letter.
void plant(Random& random, const std::vector<std::string>& patterns, std::vector<std::string>& records);

// Strands, palindromes and soft-masking by chance; records and patterns as given.
oracle::Question random_question(Random& random, std::vector<std::string> records, std::vector<std::string> patterns);

bool has_iupac(const std::vector<std::string>& patterns);

// The question as a C++ literal.
std::string literal(const oracle::Question& question);

}  // namespace support
