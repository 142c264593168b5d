#include "lib/search/pattern_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>

#include "lib/base/error.hpp"
#include "lib/base/name_index.hpp"
#include "lib/base/parallel.hpp"
#include "lib/base/threads.hpp"
#include "lib/search/edit_options.hpp"

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

// The first pattern whose name another one before it has. `hashes`: of the names. Each thread looks at the names whose
// hashes have the same high bits.
std::optional<std::uint32_t> name_used_twice(const std::vector<Pattern>& patterns,
                                             const std::vector<std::size_t>& hashes, int threads) {
  constexpr int kPartBits = 4;
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  const int bits = threads == 1 ? 0 : kPartBits;
  std::vector<std::uint32_t> first(std::size_t{1} << bits, kNone);  // of each part
  parallel_for(threads, first.size(), [&](std::size_t part) {
    const auto is_own = [&](std::size_t hash) { return bits == 0 || hash >> (64 - bits) == part; };
    const auto own = static_cast<std::size_t>(std::count_if(hashes.begin(), hashes.end(), is_own));
    NameIndex names(own);
    const auto name_of = [&](std::uint32_t i) { return std::string_view(patterns[i].name); };
    for (std::uint32_t i = 0; i < patterns.size() && first[part] == kNone; ++i) {
      if (is_own(hashes[i]) && names.add(i, hashes[i], name_of)) first[part] = i;
    }
  });
  const std::uint32_t twice = *std::min_element(first.begin(), first.end());
  return twice == kNone ? std::nullopt : std::optional(twice);
}

// Calls use(sequence) with the pattern once for each of its sequences.
template <class Use>
void for_each_sequence(const Pattern& pattern, const Use& use) {
  if (pattern.sequence.find(kAlternative) == std::string::npos) {
    use(pattern);
    return;
  }
  std::string_view rest = pattern.sequence;
  for (bool more = true; more;) {
    const std::size_t end = rest.find(kAlternative);
    more = end != std::string_view::npos;
    Pattern one = pattern;
    one.sequence = rest.substr(0, end);
    if (one.sequence.empty() && pattern.sequence.size() > 1) {
      bad_pattern(pattern, fmt::format("expected a sequence on either side of '{}'", kAlternative));
    }
    use(one);
    rest.remove_prefix(more ? end + 1 : rest.size());
  }
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

// Takes the place of a query that a pattern does not have.
constexpr std::uint32_t kNoPattern = std::numeric_limits<std::uint32_t>::max();

bool comes_before(const Query& a, const Query& b) {
  return std::tuple(a.sets.size(), a.strand, a.pattern) < std::tuple(b.sets.size(), b.strand, b.pattern);
}

// Leaves out the queries that patterns do not have, and sorts the others by length, strand and pattern. Most large sets
// have all queries in order, which all threads find out.
void put_in_order(std::vector<Query>& queries, int threads) {
  constexpr std::size_t kQueriesAtOnce = 4096;
  std::atomic<bool> all_in_order = true;
  parallel_for_parts(threads, queries.size(), kQueriesAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i != end; ++i) {
      if (queries[i].pattern != kNoPattern && (i == 0 || !comes_before(queries[i], queries[i - 1]))) continue;
      all_in_order = false;
      return;
    }
  });
  if (all_in_order) return;
  std::erase_if(queries, [](const Query& query) { return query.pattern == kNoPattern; });
  if (!std::is_sorted(queries.begin(), queries.end(), comes_before))
    std::stable_sort(queries.begin(), queries.end(), comes_before);
}

// Some of the patterns: [begin, end), and where their sequences and sets go.
struct PatternShare {
  std::size_t begin = 0, end = 0;
  std::size_t first_sequence = 0;  // of all sequences of all patterns
  std::size_t first_set = 0;       // position of both strands of all sequences
  // The maxima over its queries.
  std::uint32_t max_length = 0;
  std::uint32_t max_edits = 0;
  std::exception_ptr fault{};
};

constexpr std::size_t kPatternsInPart = 4096;

// Cuts the patterns into parts. The last one has no patterns; it holds how many sequences and sets there are.
std::vector<PatternShare> parts_of(const std::vector<Pattern>& patterns) {
  std::vector<PatternShare> parts;
  std::size_t sequences = 0;
  std::size_t sets = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (i % kPatternsInPart == 0) {
      parts.push_back({.begin = i,
                       .end = std::min(patterns.size(), i + kPatternsInPart),
                       .first_sequence = sequences,
                       .first_set = sets});
    }
    const std::string& letters = patterns[i].sequence;
    sequences += 1 + static_cast<std::size_t>(std::count(letters.begin(), letters.end(), kAlternative));
    sets += 2 * letters.size();
  }
  parts.push_back({.begin = patterns.size(), .end = patterns.size(), .first_sequence = sequences, .first_set = sets});
  return parts;
}

// Makes queries of patterns.
struct QueryMaker {
  StrandChoice strands;
  PalindromeChoice palindromes;
  const EditOptions* edits;  // null: an exact search

  // Makes the queries of one sequence of the pattern of this index. `sets`: for both strands. Returns whether the
  // sequence is palindromic.
  bool make(std::uint32_t index, const Pattern& sequence, BaseSet* sets, Query& plus, Query& minus,
            PatternShare& part) const {
    const std::size_t length = sequence.sequence.size();
    const std::span<BaseSet> forward(sets, length);
    const std::span<BaseSet> backward(sets + length, length);
    read_positions(sequence, forward);
    std::transform(forward.rbegin(), forward.rend(), backward.begin(), complement_set);
    const bool iupac = !std::all_of(forward.begin(), forward.end(), is_single_base);
    const bool palindromic = std::equal(forward.begin(), forward.end(), backward.begin());
    Limits limits;
    Overhang hang;
    if (edits != nullptr) {
      const EditOptions own = options_of(sequence, *edits);
      limits = limits_of(sequence, own);
      hang = overhang_of(sequence, own, limits);
    }
    part.max_length = std::max(part.max_length, static_cast<std::uint32_t>(length));
    part.max_edits = std::max(part.max_edits, limits.edits);
    const bool same_ends = limits.clamp_left == limits.clamp_right && hang.left == hang.right;
    const bool once = palindromic && same_ends && palindromes == PalindromeChoice::once;
    if (strands != StrandChoice::plus && (strands == StrandChoice::minus || !once)) {
      minus = {index, Strand::minus, iupac, backward, limits, hang};
      std::swap(minus.limits.clamp_left, minus.limits.clamp_right);
      std::swap(minus.overhang.left, minus.overhang.right);
    }
    if (strands != StrandChoice::minus) plus = {index, Strand::plus, iupac, forward, limits, std::move(hang)};
    return palindromic;
  }
};

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
    : patterns_(std::move(patterns)),
      approximate_(edits != nullptr),
      overhangs_(edits != nullptr && (edits->overhang_5prime || edits->overhang_3prime)) {
  std::vector<PatternShare> parts = parts_of(patterns_);
  const std::size_t sequences = parts.back().first_sequence;
  sets_ = std::make_shared<BaseSet[]>(parts.back().first_set);
  palindromic_.resize(patterns_.size());
  queries_.resize(2 * sequences, {kNoPattern, Strand::plus, false, {}, {}});  // those of strand - after the others
  const QueryMaker maker{strands, palindromes, edits};
  const int threads = patterns_.size() > kPatternsInPart ? available_threads() : 1;
  std::vector<std::size_t> hashes(patterns_.size());
  parallel_for(threads, parts.size(), [&](std::size_t number) {
    PatternShare& part = parts[number];
    BaseSet* sets = sets_.get() + part.first_set;
    std::size_t query = part.first_sequence;
    try {
      for (std::size_t i = part.begin; i < part.end; ++i) {
        hashes[i] = std::hash<std::string_view>()(patterns_[i].name);
        bool palindromic = true;
        for_each_sequence(patterns_[i], [&](const Pattern& sequence) {
          palindromic &= maker.make(static_cast<std::uint32_t>(i), sequence, sets, queries_[query],
                                    queries_[sequences + query], part);
          sets += 2 * sequence.sequence.size();
          ++query;
        });
        palindromic_[i] = palindromic ? 1 : 0;
      }
    } catch (...) {
      part.fault = std::current_exception();
    }
  });
  for (const PatternShare& part : parts) {
    if (part.fault) std::rethrow_exception(part.fault);
    max_length_ = std::max(max_length_, part.max_length);
    max_edits_ = std::max(max_edits_, part.max_edits);
  }
  if (const auto twice = name_used_twice(patterns_, hashes, threads)) {
    bad_pattern(patterns_[*twice], "the name is used twice");
  }
  put_in_order(queries_, threads);
}

}  // namespace basesweep
