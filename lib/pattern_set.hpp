// The patterns of a run, and the strand-expanded list that matchers search for.
#pragma once

#include <cstdint>
#include <optional>
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
  std::string file{};    // where it was read; empty: given on the command line
};

// Throws DataError for a pattern of a file, UsageError for one of the command line; the message names it.
[[noreturn]] void bad_pattern(const Pattern& pattern, const std::string& what);

// What an approximate hit of an entry may differ by.
struct Limits {
  std::uint32_t edits = 0;        // mismatches and indels together; less than the pattern's length
  std::uint32_t mismatches = 0;   // at most `edits`
  std::uint32_t indels = 0;       // likewise; edits <= mismatches + indels
  std::uint32_t clamp_left = 0;   // so many columns at the left end, as the forward text reads, match without edit
  std::uint32_t clamp_right = 0;  // likewise at the right end
  bool operator==(const Limits&) const = default;
};

// One thing to search for on the forward text: a pattern, or its reverse complement for strand -.
struct Entry {
  std::uint32_t pattern;
  Strand strand;
  bool iupac;                    // some column is not a single base
  std::vector<BaseSet> columns;  // one set a column, left to right on the forward text
  Limits limits;                 // all 0 for an exact search
};

// What `match` allows. Exactly one of `edits` and `rate` is set.
struct EditOptions {
  std::optional<std::uint32_t> edits;
  std::optional<double> rate;  // edits = floor(rate x length)
  std::optional<std::uint32_t> max_mismatches;
  std::optional<std::uint32_t> max_indels;
  std::uint32_t clamp_5prime = 0;  // columns at the pattern's 5' end that match without edit
  std::uint32_t clamp_3prime = 0;
};

// Immutable once made. Entries are sorted by length, strand (+ first) and pattern, so that (start, entry index) order
// is the total order of exact hits.
class PatternSet {
 public:
  // bad_pattern() for an empty sequence, a letter outside IUPAC, or a name used twice.
  // A palindromic pattern (column sets equal to those of its reverse complement) is searched once, as strand +, unless
  // `palindromes` asks for both or `strands` for minus only.
  PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes);
  // For an approximate search. bad_pattern() also for a pattern not longer than its edits, or shorter than its clamps
  // together. A palindromic pattern with clamps that differ is searched on both strands.
  PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes,
             const EditOptions& edits);

  const std::vector<Pattern>& patterns() const { return patterns_; }
  const std::vector<Entry>& entries() const { return entries_; }
  std::uint32_t max_length() const { return max_length_; }
  // Whether edits were asked for, be it none: then matchers find ends, see Matcher.
  bool approximate() const { return approximate_; }
  std::uint32_t max_edits() const { return max_edits_; }
  bool palindromic(std::size_t pattern) const { return palindromic_[pattern]; }

 private:
  PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes,
             const EditOptions* edits);

  std::vector<Pattern> patterns_;
  std::vector<Entry> entries_;
  std::vector<bool> palindromic_;
  std::uint32_t max_length_ = 0;
  std::uint32_t max_edits_ = 0;
  bool approximate_ = false;
};

}  // namespace basesweep
