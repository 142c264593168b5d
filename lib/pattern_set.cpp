#include "lib/pattern_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "lib/error.hpp"

namespace basesweep {
namespace {

std::vector<BaseSet> column_sets(const Pattern& pattern) {
  if (pattern.sequence.empty()) throw UsageError(fmt::format("pattern '{}': is empty", pattern.name));
  std::vector<BaseSet> columns;
  columns.reserve(pattern.sequence.size());
  for (std::size_t i = 0; i < pattern.sequence.size(); ++i) {
    const BaseSet set = iupac_set(pattern.sequence[i]);
    if (set == 0) {
      throw UsageError(fmt::format("pattern '{}': position {}: {} is not a nucleotide or IUPAC code", pattern.name,
                                   i + 1, printable(pattern.sequence[i])));
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

}  // namespace

PatternSet::PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes)
    : patterns_(std::move(patterns)) {
  std::unordered_set<std::string> names;
  for (std::uint32_t i = 0; i < patterns_.size(); ++i) {
    if (!names.insert(patterns_[i].name).second) {
      throw UsageError(fmt::format("pattern '{}': the name is used twice", patterns_[i].name));
    }
    std::vector<BaseSet> forward = column_sets(patterns_[i]);
    std::vector<BaseSet> backward = reverse_complement(forward);
    const bool iupac = !std::all_of(forward.begin(), forward.end(), is_single_base);
    palindromic_.push_back(forward == backward);
    max_length_ = std::max(max_length_, static_cast<std::uint32_t>(forward.size()));

    const bool plus = strands != StrandChoice::minus;
    const bool minus =
        strands == StrandChoice::minus ||
        (strands == StrandChoice::both && (!palindromic_.back() || palindromes == PalindromeChoice::both));
    if (plus) entries_.push_back({i, Strand::plus, iupac, std::move(forward)});
    if (minus) entries_.push_back({i, Strand::minus, iupac, std::move(backward)});
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tuple(a.columns.size(), a.strand, a.pattern) < std::tuple(b.columns.size(), b.strand, b.pattern);
  });
}

}  // namespace basesweep
