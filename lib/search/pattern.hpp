// Patterns as users give them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

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

}  // namespace basesweep
