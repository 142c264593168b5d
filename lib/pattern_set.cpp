#include "lib/pattern_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_set>

#include "lib/error.hpp"

namespace basesweep {

void bad_pattern(const Pattern& pattern, const std::string& what) {
  if (pattern.file.empty()) throw UsageError(fmt::format("pattern '{}': {}", pattern.name, what));
  throw DataError(fmt::format("{}: pattern '{}': {}", pattern.file, pattern.name, what));
}

namespace {

std::vector<BaseSet> column_sets(const Pattern& pattern) {
  if (pattern.sequence.empty()) bad_pattern(pattern, "is empty");
  std::vector<BaseSet> columns;
  columns.reserve(pattern.sequence.size());
  for (std::size_t i = 0; i < pattern.sequence.size(); ++i) {
    const BaseSet set = iupac_set(pattern.sequence[i]);
    if (set == 0) {
      bad_pattern(pattern, fmt::format("position {}: {} is not a nucleotide or IUPAC code", i + 1,
                                       printable(pattern.sequence[i])));
    }
    columns.push_back(set);
  }
  return columns;
}

std::vector<BaseSet> reverse_complement(const std::vector<BaseSet>& columns) {
  std::vector<BaseSet> reversed(columns.rbegin(), columns.rend());
  for (BaseSet& set : reversed) set = complement_set(set);
  return reversed;
}

// Of a pattern's entry on strand +.
Limits limits_of(const Pattern& pattern, const EditOptions& options) {
  const auto length = static_cast<std::uint32_t>(pattern.sequence.size());
  // The small addend keeps 0.29 x 100 from falling short of 29.
  const std::uint32_t asked =
      options.edits ? *options.edits : static_cast<std::uint32_t>(std::floor(*options.rate * length + 1e-9));
  if (asked >= length) {
    bad_pattern(pattern, fmt::format("{} edits allowed, but it is only {} long", asked, length));
  }
  if (std::uint64_t{options.clamp_5prime} + options.clamp_3prime > length) {
    bad_pattern(pattern, fmt::format("clamps of {} and {} bases, but it is only {} long", options.clamp_5prime,
                                     options.clamp_3prime, length));
  }
  Limits limits;
  limits.mismatches = std::min(asked, options.max_mismatches.value_or(asked));
  limits.indels = std::min(asked, options.max_indels.value_or(asked));
  limits.edits = std::min(asked, limits.mismatches + limits.indels);
  limits.clamp_left = options.clamp_5prime;
  limits.clamp_right = options.clamp_3prime;
  return limits;
}

}  // namespace

PatternSet::PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes)
    : PatternSet(std::move(patterns), strands, palindromes, nullptr) {}

PatternSet::PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes,
                       const EditOptions& edits)
    : PatternSet(std::move(patterns), strands, palindromes, &edits) {}

PatternSet::PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes,
                       const EditOptions* edits)
    : patterns_(std::move(patterns)), approximate_(edits != nullptr) {
  std::unordered_set<std::string> names;
  for (std::uint32_t i = 0; i < patterns_.size(); ++i) {
    if (!names.insert(patterns_[i].name).second) bad_pattern(patterns_[i], "the name is used twice");
    std::vector<BaseSet> forward = column_sets(patterns_[i]);
    std::vector<BaseSet> backward = reverse_complement(forward);
    const bool iupac = !std::all_of(forward.begin(), forward.end(), is_single_base);
    palindromic_.push_back(forward == backward);
    max_length_ = std::max(max_length_, static_cast<std::uint32_t>(forward.size()));
    const Limits forward_limits = edits == nullptr ? Limits{} : limits_of(patterns_[i], *edits);
    Limits backward_limits = forward_limits;
    std::swap(backward_limits.clamp_left, backward_limits.clamp_right);
    max_edits_ = std::max(max_edits_, forward_limits.edits);

    const bool once = palindromic_.back() && forward_limits == backward_limits && palindromes == PalindromeChoice::once;
    const bool plus = strands != StrandChoice::minus;
    const bool minus = strands == StrandChoice::minus || (strands == StrandChoice::both && !once);
    if (plus) entries_.push_back({i, Strand::plus, iupac, std::move(forward), forward_limits});
    if (minus) entries_.push_back({i, Strand::minus, iupac, std::move(backward), backward_limits});
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tuple(a.columns.size(), a.strand, a.pattern) < std::tuple(b.columns.size(), b.strand, b.pattern);
  });
}

}  // namespace basesweep
