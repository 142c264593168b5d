#include "lib/search/pattern_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <iterator>
#include <string_view>
#include <tuple>

#include "lib/base/error.hpp"

namespace basesweep {

void bad_pattern(const Pattern& pattern, const std::string& what) {
  if (pattern.file.empty()) throw UsageError(fmt::format("pattern '{}': {}", pattern.name, what));
  throw DataError(fmt::format("{}: pattern '{}': {}", pattern.file, pattern.name, what));
}

namespace {

// pattern_letter_set() as a table: the letters of a large set come in an order that no processor predicts.
constexpr auto kLetterSets = [] {
  std::array<BaseSet, 256> sets{};
  for (std::size_t letter = 0; letter < sets.size(); ++letter)
    sets[letter] = pattern_letter_set(static_cast<char>(letter));
  return sets;
}();

// Fills `positions`, one for each letter of the sequence.
void read_positions(const Pattern& pattern, std::span<BaseSet> positions) {
  if (pattern.sequence.empty()) bad_pattern(pattern, "is empty");
  for (std::size_t i = 0; i < positions.size(); ++i) {
    positions[i] = kLetterSets[static_cast<unsigned char>(pattern.sequence[i])];
    if (positions[i] == 0) {
      bad_pattern(pattern, fmt::format("position {}: {} is not a nucleotide or IUPAC code", i + 1,
                                       printable(pattern.sequence[i])));
    }
  }
}

// Finds names that are used twice. (A table of numbers: a large set fills it several times sooner than a std::set.)
class NameTable {
 public:
  explicit NameTable(const std::vector<Pattern>& patterns)
      : patterns_(patterns), slots_(std::bit_ceil(2 * patterns.size() + 1), kFree) {}

  // Adds the name of the pattern of this index; false if it is there.
  bool add(std::uint32_t index) {
    const std::size_t hash = std::hash<std::string_view>()(patterns_[index].name);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      if (slots_[at] == kFree) {
        slots_[at] = std::uint64_t{hash >> 32} << 32 | index;
        return true;
      }
      const bool alike = slots_[at] >> 32 == hash >> 32;
      if (alike && patterns_[static_cast<std::uint32_t>(slots_[at])].name == patterns_[index].name) return false;
    }
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  const std::vector<Pattern>& patterns_;
  std::vector<std::uint64_t> slots_;  // the high half of a name's hash, and the index of its pattern
};

// The pattern once for each of its sequences.
std::vector<Pattern> sequences_of(const Pattern& pattern) {
  std::vector<Pattern> all;
  std::string_view rest = pattern.sequence;
  for (bool more = true; more;) {
    const std::size_t end = rest.find(kAlternative);
    more = end != std::string_view::npos;
    Pattern& one = all.emplace_back(pattern);
    one.sequence = rest.substr(0, end);
    if (one.sequence.empty() && pattern.sequence.size() > 1) {
      bad_pattern(pattern, fmt::format("expected a sequence on either side of '{}'", kAlternative));
    }
    rest.remove_prefix(more ? end + 1 : rest.size());
  }
  return all;
}

// The options with the pattern's own limits.
EditOptions options_of(const Pattern& pattern, EditOptions options) {
  if (pattern.edits) {
    options.edits = pattern.edits;
    options.rate.reset();
  }
  if (!options.edits && !options.rate)
    bad_pattern(pattern, "has no number of edits, and there is none for all patterns");
  options.clamp_5prime = pattern.clamp_5prime.value_or(options.clamp_5prime);
  options.clamp_3prime = pattern.clamp_3prime.value_or(options.clamp_3prime);
  return options;
}

// The edits that a pattern of `length` positions may have, in its first `part` positions or any others.
std::uint32_t requested_edits(const EditOptions& options, std::uint32_t length, std::uint32_t part) {
  if (options.edits) return static_cast<std::uint32_t>(std::uint64_t{*options.edits} * part / length);
  return static_cast<std::uint32_t>(edits_at_rate(*options.rate, part));
}

// The limits of a pattern's query on strand +.
Limits limits_of(const Pattern& pattern, const EditOptions& options) {
  const auto length = static_cast<std::uint32_t>(pattern.sequence.size());
  const std::uint32_t requested = requested_edits(options, length, length);
  if (requested >= length) {
    bad_pattern(pattern, fmt::format("{} edits allowed, but it is only {} long", requested, length));
  }
  if (std::uint64_t{options.clamp_5prime} + options.clamp_3prime > length) {
    bad_pattern(pattern, fmt::format("clamps of {} and {} bases, but it is only {} long", options.clamp_5prime,
                                     options.clamp_3prime, length));
  }
  Limits limits;
  limits.mismatches = std::min(requested, options.max_mismatches.value_or(requested));
  limits.indels = std::min(requested, options.max_indels.value_or(requested));
  limits.dna_bulges = std::min(limits.indels, options.max_dna_bulges.value_or(requested));
  limits.rna_bulges = std::min(limits.indels, options.max_rna_bulges.value_or(requested));
  limits.indels = std::min(limits.indels, limits.dna_bulges + limits.rna_bulges);
  limits.edits = std::min(requested, limits.mismatches + limits.indels);
  limits.clamp_left = options.clamp_5prime;
  limits.clamp_right = options.clamp_3prime;
  return limits;
}

// How far a pattern's query on strand + may hang over. Clamped bases may not.
Overhang overhang_of(const Pattern& pattern, const EditOptions& options, const Limits& limits) {
  Overhang overhang;
  overhang.left = limits.clamp_left == 0 ? options.overhang_5prime.value_or(0) : 0;
  overhang.right = limits.clamp_right == 0 ? options.overhang_3prime.value_or(0) : 0;
  if (!overhang.any()) return overhang;
  const auto length = static_cast<std::uint32_t>(pattern.sequence.size());
  for (std::uint32_t inside = 0; inside <= length; ++inside) {
    overhang.edits.push_back(std::min(limits.edits, requested_edits(options, length, inside)));
  }
  return overhang;
}

// Sorts by length, strand and pattern.
void put_in_order(std::vector<Query>& queries) {
  const auto before = [](const Query& a, const Query& b) {
    return std::tuple(a.sets.size(), a.strand, a.pattern) < std::tuple(b.sets.size(), b.strand, b.pattern);
  };
  if (!std::is_sorted(queries.begin(), queries.end(), before)) {
    std::stable_sort(queries.begin(), queries.end(), before);
  }
}

}  // namespace

std::uint64_t edits_at_rate(double rate, std::size_t length) {
  // Without the small addend 0.29 x 100 would fall short of 29.
  return static_cast<std::uint64_t>(std::floor(rate * static_cast<double>(length) + 1e-9));
}

PatternSet::PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes)
    : PatternSet(std::move(patterns), strands, palindromes, nullptr) {}

PatternSet::PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes,
                       const EditOptions& edits)
    : PatternSet(std::move(patterns), strands, palindromes, &edits) {}

PatternSet::PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes,
                       const EditOptions* edits)
    : patterns_(std::move(patterns)), approximate_(edits != nullptr) {
  NameTable names(patterns_);
  std::size_t letters = 0;
  for (const Pattern& pattern : patterns_) letters += pattern.sequence.size();
  sets_ = std::make_shared<BaseSet[]>(2 * letters);
  palindromic_.reserve(patterns_.size());
  queries_.reserve(2 * patterns_.size());
  std::vector<Query> minus;  // behind the others, they are in order if all patterns have the same length
  minus.reserve(patterns_.size());
  for (std::uint32_t i = 0; i < patterns_.size(); ++i) {
    if (!names.add(i)) bad_pattern(patterns_[i], "the name is used twice");
    bool palindromic = true;
    const auto add = [&](const Pattern& sequence) {
      const bool same = add_queries(i, sequence, strands, palindromes, edits);
      palindromic = palindromic && same;
      if (queries_.empty() || queries_.back().strand == Strand::plus) return;
      minus.push_back(std::move(queries_.back()));
      queries_.pop_back();
    };
    if (patterns_[i].sequence.find(kAlternative) == std::string::npos) {
      add(patterns_[i]);
    } else {
      for (const Pattern& sequence : sequences_of(patterns_[i])) add(sequence);
    }
    palindromic_.push_back(palindromic);
  }
  queries_.insert(queries_.end(), std::move_iterator(minus.begin()), std::move_iterator(minus.end()));
  put_in_order(queries_);
}

bool PatternSet::add_queries(std::uint32_t index, const Pattern& sequence, StrandChoice strands,
                             PalindromeChoice palindromes, const EditOptions* edits) {
  const std::size_t length = sequence.sequence.size();
  const std::span<BaseSet> forward(sets_.get() + used_sets_, length);
  const std::span<BaseSet> backward(forward.data() + length, length);
  used_sets_ += 2 * length;
  read_positions(sequence, forward);
  std::transform(forward.rbegin(), forward.rend(), backward.begin(), complement_set);
  const bool iupac = !std::all_of(forward.begin(), forward.end(), is_single_base);
  const bool palindromic = std::equal(forward.begin(), forward.end(), backward.begin());
  max_length_ = std::max(max_length_, static_cast<std::uint32_t>(forward.size()));
  Limits forward_limits;
  Overhang forward_hang;
  if (edits != nullptr) {
    const EditOptions own = options_of(sequence, *edits);
    forward_limits = limits_of(sequence, own);
    forward_hang = overhang_of(sequence, own, forward_limits);
  }
  Limits backward_limits = forward_limits;
  std::swap(backward_limits.clamp_left, backward_limits.clamp_right);
  Overhang backward_hang = forward_hang;
  std::swap(backward_hang.left, backward_hang.right);
  max_edits_ = std::max(max_edits_, forward_limits.edits);
  overhangs_ = overhangs_ || forward_hang.any();

  const bool same_ends = forward_limits == backward_limits && forward_hang.left == forward_hang.right;
  const bool once = palindromic && same_ends && palindromes == PalindromeChoice::once;
  const bool plus = strands != StrandChoice::minus;
  const bool minus = strands == StrandChoice::minus || (strands == StrandChoice::both && !once);
  if (plus) queries_.push_back({index, Strand::plus, iupac, forward, forward_limits, forward_hang});
  if (minus) queries_.push_back({index, Strand::minus, iupac, backward, backward_limits, backward_hang});
  return palindromic;
}

}  // namespace basesweep
