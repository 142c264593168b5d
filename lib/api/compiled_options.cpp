#include "lib/api/compiled_options.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace basesweep {
namespace {

std::string shown(const std::optional<std::uint32_t>& number) { return number ? fmt::format("{}", *number) : "none"; }
std::string shown(const std::optional<double>& rate) { return rate ? fmt::format("{}", *rate) : "none"; }
std::string shown(std::uint32_t number) { return fmt::format("{}", number); }
std::string shown(bool value) { return value ? "true" : "false"; }
std::string shown(SearchOptions::Strands strands) {
  return strands == SearchOptions::Strands::both ? "both" : strands == SearchOptions::Strands::plus ? "plus" : "minus";
}

SearchOptions::Strands strands_of(StrandChoice strand) {
  switch (strand) {
    case StrandChoice::both: break;
    case StrandChoice::plus: return SearchOptions::Strands::plus;
    case StrandChoice::minus: return SearchOptions::Strands::minus;
  }
  return SearchOptions::Strands::both;
}

// Takes the value of the set, unless the option has another one than when it is left out.
template <class T>
void take(const CompiledSet& set, const char* name, T SearchOptions::*option, const T& kept, SearchOptions& options) {
  T& value = options.*option;
  if (value != SearchOptions{}.*option && value != kept) {
    throw UsageError(fmt::format("{} {}: {} was compiled with {}", name, shown(value), set.file->path(), shown(kept)));
  }
  value = kept;
}

}  // namespace

std::vector<NamedPattern> patterns_of(const CompiledSet& set) {
  if (set.kind == SetKind::pairs) throw UsageError(set.file->path() + " was compiled with --pairs, for pcr");
  std::vector<NamedPattern> patterns;
  patterns.reserve(set.patterns.size());
  for (const Pattern& pattern : set.patterns) {
    NamedPattern& one = patterns.emplace_back(NamedPattern{pattern.name, pattern.sequence});
    if (set.kind == SetKind::exact) continue;  // limits are for edits
    one.edits = pattern.edits;
    one.clamp_5prime = pattern.clamp_5prime;
    one.clamp_3prime = pattern.clamp_3prime;
  }
  return patterns;
}

SearchOptions with_options_of(const CompiledSet& set, SearchOptions o) {
  const EditOptions& kept = set.options.edits;
  take(set, "edits", &SearchOptions::edits, kept.edits, o);
  take(set, "error_rate", &SearchOptions::error_rate, kept.rate, o);
  take(set, "max_mismatches", &SearchOptions::max_mismatches, kept.max_mismatches, o);
  take(set, "max_indels", &SearchOptions::max_indels, kept.max_indels, o);
  take(set, "max_dna_bulges", &SearchOptions::max_dna_bulges, kept.max_dna_bulges, o);
  take(set, "max_rna_bulges", &SearchOptions::max_rna_bulges, kept.max_rna_bulges, o);
  take(set, "clamp_5prime", &SearchOptions::clamp_5prime, kept.clamp_5prime, o);
  take(set, "clamp_3prime", &SearchOptions::clamp_3prime, kept.clamp_3prime, o);
  take(set, "strands", &SearchOptions::strands, strands_of(set.options.strand), o);
  take(set, "both_strands_of_palindromes", &SearchOptions::both_strands_of_palindromes,
       set.options.palindromes == PalindromeChoice::both, o);
  return o;
}

}  // namespace basesweep
