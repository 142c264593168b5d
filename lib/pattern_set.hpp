// The patterns of a run, and the strand-expanded list that matchers search for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/dna.hpp"
#include "lib/hit.hpp"

namespace basesweep {

enum class StrandChoice { both, plus, minus };
enum class PalindromeChoice { once, both };

struct Pattern {
  std::string name;
  std::string sequence;  // IUPAC letters, upper case
};

// One thing to search for on the forward text: a pattern, or its reverse complement for strand -.
struct Entry {
  std::uint32_t pattern;
  Strand strand;
  bool iupac;                    // some column is not a single base
  std::vector<BaseSet> columns;  // one set a column, left to right on the forward text
};

// Immutable once made. Entries are sorted by length, strand (+ first) and pattern, so that (start, entry index) order
// is the total order of hits.
class PatternSet {
 public:
  // Throws UsageError naming the pattern for an empty sequence, a letter outside IUPAC, or a name used twice.
  // A palindromic pattern (column sets equal to those of its reverse complement) is searched once, as strand +, unless
  // `palindromes` asks for both or `strands` for minus only.
  PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes);

  const std::vector<Pattern>& patterns() const { return patterns_; }
  const std::vector<Entry>& entries() const { return entries_; }
  std::uint32_t max_length() const { return max_length_; }
  bool palindromic(std::size_t pattern) const { return palindromic_[pattern]; }

 private:
  std::vector<Pattern> patterns_;
  std::vector<Entry> entries_;
  std::vector<bool> palindromic_;
  std::uint32_t max_length_ = 0;
};

}  // namespace basesweep
