#include "lib/api/compiled_options.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "lib/api/edit_fields.hpp"
#include "lib/search/edit_limits.hpp"

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
void take(const CompiledSet& set, const char* name, T& value, const T& left_out, const T& kept) {
  if (value != left_out && value != kept) {
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
  for (const EditLimit& limit : kEditLimits) {
    if (!limit.compiled) continue;
    for_each_limit(o, [&](std::string_view name, auto& value, auto member) {
      if (name == limit.key) take(set, limit.key, value, EditOptions().*member, set.options.edits.*member);
    });
  }
  const SearchOptions usual;
  take(set, "strands", o.strands, usual.strands, strands_of(set.options.strand));
  take(set, "both_strands_of_palindromes", o.both_strands_of_palindromes, usual.both_strands_of_palindromes,
       set.options.palindromes == PalindromeChoice::both);
  return o;
}

}  // namespace basesweep
