#include "lib/reader/letter_marks.hpp"

#include <fmt/format.h>

#include <vector>

#include "lib/base/dna.hpp"
#include "lib/base/letter_case.hpp"

namespace basesweep {
namespace {

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

struct Counts {
  std::size_t prefixes = 0;
  std::size_t bare = 0;            // bases without a prefix
  std::vector<std::size_t> bonds;  // where an s is behind a base
  bool run = false;                // two neighbouring bases have one
  bool others = false;             // there are marks of other kinds
  bool possible = true;            // all other letters are capitals
};

// Where what opens at `at` closes: a modification or a bracket; npos if nothing opens there, or it stays open.
std::size_t closing(std::string_view text, std::size_t at) {
  const char open = text[at];
  const char close = open == '/' ? '/' : open == '[' ? ']' : open == '(' ? ')' : open == '{' ? '}' : '\0';
  return close == '\0' ? std::string_view::npos : text.find(close, at + 1);
}

Counts count_marks(std::string_view text) {
  Counts counts;
  std::size_t bond_at = 0;  // bases before the last s
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::size_t bases = counts.prefixes + counts.bare;
    counts.others = counts.others || std::string_view("/[{*+").find(c) != std::string_view::npos;
    if (const std::size_t close = closing(text, i); close != std::string_view::npos) {
      i = close;
    } else if (c == '[' || c == '(' || c == '{') {
      break;  // it stays open, which is a fault
    } else if (i + 1 < text.size() && is_prefix_of(c, text[i + 1])) {
      ++counts.prefixes;
      ++i;
    } else if (i > 0 && is_bond_of(text[i - 1], c)) {
      counts.run = counts.run || (!counts.bonds.empty() && bases == bond_at + 1);
      bond_at = bases;
      counts.bonds.push_back(i);
    } else if (pattern_letter_set(c) != 0) {
      counts.possible = counts.possible && is_capital(c);
      ++counts.bare;
    }
  }
  return counts;
}

}  // namespace

bool is_prefix(char c) { return c == 'r' || c == 'm' || c == 'd'; }

bool is_prefix_of(char prefix, char base) {
  return is_prefix(prefix) && std::string_view("ACGTUI").find(base) != std::string_view::npos;
}

bool may_be_prefix_of(char prefix, char next) { return is_prefix(prefix) && is_capital(next); }

bool is_bond_of(char base, char bond) { return is_capital(base) && bond == 's'; }

LetterMarks letter_marks(std::string_view text) {
  const Counts counts = count_marks(text);
  LetterMarks marks;
  if (!counts.possible) return marks;
  marks.are_marks = counts.others || counts.run || (counts.bare == 0 && counts.prefixes > 1);
  if (marks.are_marks) return marks;
  marks.doubtful = counts.prefixes;
  if (counts.bonds.empty()) return marks;
  auto bond = counts.bonds.begin();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_bond = bond != counts.bonds.end() && *bond == i;
    if (is_bond) ++bond;
    if (!is_bond) marks.without += text[i];
  }
  marks.fault_at = counts.bonds.front();
  marks.fault =
      fmt::format("'s' behind a capital may mark a phosphorothioate, or be the code S (C or G): write {}, or {}",
                  marks.without, upper_case(std::string(text)));
  return marks;
}

}  // namespace basesweep
