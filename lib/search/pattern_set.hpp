// The patterns of a run, and the queries that matchers search for: each pattern on each strand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/search/hit.hpp"

namespace basesweep {

enum class StrandChoice { both, plus, minus };
enum class PalindromeChoice { once, both };

// Stands between the sequences of a pattern that has several.
inline constexpr char kAlternative = '|';

// A pattern has one sequence, or several that count as one: "TNGGNAG|GTGGNAG".
struct Pattern {
  std::string name;
  std::string sequence;  // IUPAC letters and I (inosine, like N), upper case
  std::string file{};    // the file it was read from; empty: it was given on the command line
  // Its own limits in an approximate search, in place of those in EditOptions.
  std::optional<std::uint32_t> edits{};
  std::optional<std::uint32_t> clamp_5prime{};
  std::optional<std::uint32_t> clamp_3prime{};
  bool has_limits() const { return edits || clamp_5prime || clamp_3prime; }
};

// Throws DataError for a pattern of a file, UsageError for one of the command line; the message names it.
[[noreturn]] void bad_pattern(const Pattern& pattern, const std::string& what);

// How much an approximate hit may differ from its query.
struct Limits {
  std::uint32_t edits = 0;        // at most this many mismatches and indels together; less than the query's length
  std::uint32_t mismatches = 0;   // at most this many mismatches; mismatches <= edits
  std::uint32_t indels = 0;       // at most this many indels; indels <= edits <= mismatches + indels
  std::uint32_t clamp_left = 0;   // this many bases of the query's left end (on the forward text) match without edit
  std::uint32_t clamp_right = 0;  // the same for its right end
  // Bounds of each kind of indel: text bases without a base of the query, and bases of the query without a text base.
  std::uint32_t dna_bulges = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t rna_bulges = std::numeric_limits<std::uint32_t>::max();
  bool operator==(const Limits&) const = default;
};

// How far a query may hang over the ends of a record. Its bases outside match anything there, and the number of edits
// that is allowed shrinks with its part inside.
struct Overhang {
  std::uint32_t left = 0;   // fewest bases inside, without codes N, when the left end hangs over; 0: it may not
  std::uint32_t right = 0;  // the same for the right end
  std::vector<std::uint32_t> edits{};  // element i: most edits with i positions inside; empty without overhang

  bool any() const { return left != 0 || right != 0; }
};

// A pattern in one orientation, as it reads on the forward text: the pattern for strand +, its reverse complement for
// strand -. A pattern with several sequences has queries for each.
struct Query {
  std::uint32_t pattern;  // index into PatternSet::patterns(), 0-based
  Strand strand;
  bool iupac;  // some set holds more than one base
  // The bases that match, for each position of the query, left to right on the forward text. Views what the PatternSet
  // of the query, or whoever made it, holds.
  std::span<const BaseSet> sets;
  Limits limits;  // all 0 in an exact search
  Overhang overhang{};
};

// The edits that `match` allows. Exactly one of `edits` and `rate` is set; or neither, if every pattern has its own
// edits.
struct EditOptions {
  std::optional<std::uint32_t> edits{};  // mismatches and indels together
  std::optional<double> rate{};          // edits as a part of the pattern's length, see edits_at_rate()
  std::optional<std::uint32_t> max_mismatches{};
  std::optional<std::uint32_t> max_indels{};
  std::uint32_t clamp_5prime = 0;  // this many bases at the pattern's 5' end match without edit
  std::uint32_t clamp_3prime = 0;  // the same for its 3' end
  std::optional<std::uint32_t> max_dna_bulges{};
  std::optional<std::uint32_t> max_rna_bulges{};
  // The pattern's 5' end may hang over an end of a record when at least this many of its bases, codes N not counted,
  // are inside. At least 1; nothing: it may not.
  std::optional<std::uint32_t> overhang_5prime{};
  std::optional<std::uint32_t> overhang_3prime{};  // the same for its 3' end
};

// floor(rate x length), with products that are whole except for rounding taken as whole (0.29 x 100 is 29).
std::uint64_t edits_at_rate(double rate, std::size_t length);

// The patterns and their queries; immutable, and copies share the sets of the queries. Queries are sorted by length,
// strand (+ first) and pattern, so that exact occurrences sorted by (start, query index) are in output order.
class PatternSet {
 public:
  // For an exact search. Calls bad_pattern() for an empty sequence, a letter outside IUPAC, or a name used twice.
  // Limits of patterns are ignored.
  // A palindromic pattern (its sets equal those of its reverse complement) has one query, on strand +, unless
  // `palindromes` is both (then two) or `strands` is minus (then one, on strand -).
  PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes);
  // For an approximate search. Calls bad_pattern() also for a pattern that is not longer than its edits, or shorter
  // than its two clamps together, or has no edits where `edits` has none for all. A palindromic pattern whose two ends
  // have different clamps, or may hang over differently, is searched on both strands.
  PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes,
             const EditOptions& edits);

  const std::vector<Pattern>& patterns() const { return patterns_; }
  const std::vector<Query>& queries() const { return queries_; }
  std::uint32_t max_length() const { return max_length_; }  // of a query, in bases; 0 without patterns
  // Whether this is an approximate search. It is one even if 0 edits are allowed.
  bool approximate() const { return approximate_; }
  Finds finds() const { return approximate_ ? Finds::ends : Finds::starts; }
  std::uint32_t max_edits() const { return max_edits_; }  // of Limits::edits
  bool overhangs() const { return overhangs_; }  // whether EditOptions allow it; clamps may forbid it to every query
  // Whether the pattern of this index is its own reverse complement, with all its sequences.
  bool palindromic(std::size_t pattern) const { return palindromic_[pattern] != 0; }

 private:
  PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes,
             const EditOptions* edits);
  std::vector<Pattern> patterns_;
  std::shared_ptr<BaseSet[]> sets_;  // of all queries
  std::vector<Query> queries_;
  std::vector<std::uint8_t> palindromic_;  // 0 or 1, by pattern
  std::uint32_t max_length_ = 0;
  std::uint32_t max_edits_ = 0;
  bool approximate_ = false;
  bool overhangs_ = false;
};

}  // namespace basesweep
