#include "tools/compiled_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

// The edits that the set was compiled with, as options of the command line.
std::string edits_of(const EditOptions& edits) {
  if (edits.edits) return fmt::format("-k {}", *edits.edits);
  return edits.rate ? fmt::format("-e {}", *edits.rate) : "";
}

std::string was_compiled(const CompiledSet& set) {
  if (set.kind == SetKind::pairs) return "was compiled with --pairs, for pcr";
  if (set.kind == SetKind::exact) return "was compiled without -k and -e, for motif";
  const std::string edits = edits_of(set.options.edits);
  return edits.empty() ? "has patterns with edits of their own, for match"
                       : fmt::format("was compiled with {}, for match", edits);
}

const char* wants(SetKind kind) {
  switch (kind) {
    case SetKind::exact: return "motif takes sets compiled without -k and -e";
    case SetKind::approximate: return "match takes sets compiled with -k or -e";
    case SetKind::pairs: return "pcr takes sets compiled with --pairs";
  }
  return "";
}

class Taker {
 public:
  Taker(const CompiledSet& set, const SearchJobOptions& options) : path_(set.file->path()), options_(options) {}

  // `given`, `kept`: option and value as one writes them; `kept` is empty where the set was compiled without it.
  void refuse(const std::string& option, const std::string& given, const std::string& kept) const {
    throw UsageError(fmt::format("{}: {} was compiled {}: leave {} out, or compile the set again", given, path_,
                                 kept.empty() ? "without " + option : "with " + kept, option));
  }

  template <class T>
  void number(const std::string& option, T& value, const T& kept) const {
    if (options_.is_given(option) && value != kept) {
      const bool without = words(kept).empty();
      refuse(option, option + " " + words(value), without ? "" : option + " " + words(kept));
    }
    value = kept;
  }

  // The word of each value is that of the option.
  template <class T>
  void choice(const std::string& option, T& value, T kept, const char* (*word)(T)) const {
    if (options_.is_given(option) && value != kept) {
      refuse(option, fmt::format("{} {}", option, word(value)), fmt::format("{} {}", option, word(kept)));
    }
    value = kept;
  }

 private:
  static std::string words(const std::optional<std::uint32_t>& number) {
    return number ? fmt::format("{}", *number) : "";
  }
  static std::string words(std::uint32_t number) { return fmt::format("{}", number); }

  std::string path_;
  const SearchJobOptions& options_;
};

const char* word_of_palindromes(PalindromeChoice choice) { return choice == PalindromeChoice::once ? "once" : "both"; }

}  // namespace

std::optional<CompiledSet> open_compiled_set(const SearchJobOptions& o, SetKind kind) {
  const auto found = std::find_if(o.pattern_files.begin(), o.pattern_files.end(), is_compiled_set);
  if (found == o.pattern_files.end()) return std::nullopt;
  const bool pair_given = o.is_given("--forward") || o.is_given("--reverse");
  if (o.pattern_files.size() > 1 || !o.patterns.empty() || pair_given) {
    throw UsageError(fmt::format("-f {}: a compiled set cannot be searched together with other patterns", *found));
  }
  if (o.columns.any() || o.is_given("--forward-column") || o.is_given("--reverse-column")) {
    throw UsageError(fmt::format("{} are for tables, and {} is a compiled set",
                                 kind == SetKind::pairs ? "--name-column, --forward-column and --reverse-column"
                                                        : "--name-column and --pattern-column",
                                 *found));
  }
  CompiledSet set = read_compiled_set(*found, worker_threads(o), true);
  if (set.kind != kind) throw UsageError(fmt::format("{} {}: {}", *found, was_compiled(set), wants(kind)));
  return set;
}

void take_options(const CompiledSet& set, SearchJobOptions& o) {
  const Taker taker(set, o);
  taker.choice<StrandChoice>("--strand", o.strand, set.options.strand, word_of);
  taker.choice<PalindromeChoice>("--palindromes", o.palindromes, set.options.palindromes, word_of_palindromes);
}

void take_options(const CompiledSet& set, SearchJobOptions& o, EditOptions& edits) {
  take_options(set, o);
  const EditOptions& kept = set.options.edits;
  const Taker taker(set, o);
  if (edits.edits && edits.rate) check_edits(edits.edits, edits.rate);
  if ((edits.edits && edits.edits != kept.edits) || (edits.rate && edits.rate != kept.rate)) {
    taker.refuse(edits.edits ? "-k" : "-e", edits_of(edits), edits_of(kept));
  }
  if (o.mismatches && kept.max_indels != 0U)
    taker.refuse("--mismatches", fmt::format("--mismatches {}", *o.mismatches), "");
  edits.edits = kept.edits;
  edits.rate = kept.rate;
  for (const EditLimit& limit : kWithoutOverhangs.subspan(kEditsOnly.size())) {
    std::visit(
        [&](auto member) {
          if constexpr (requires { taker.number(limit.names, edits.*member, kept.*member); }) {
            taker.number(limit.names, edits.*member, kept.*member);
          }
        },
        limit.member);
  }
}

}  // namespace basesweep
