#include "tools/guides_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/letter_case.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/guides/guide_names.hpp"
#include "lib/reader/header_words.hpp"
#include "tools/guides_options.hpp"

namespace basesweep {
namespace {

// The column of this title, or the end. Titles that differ in upper and lower case only are one to many readers.
std::size_t column_of(const PatternRows& rows, const std::string& title) {
  const auto found = std::find_if(rows.header.begin(), rows.header.end(),
                                  [&title](const std::string& own) { return plain_word(own) == title; });
  return static_cast<std::size_t>(found - rows.header.begin());
}

// Puts the names into the column `name`: over those that were given if it holds them, else in front of the others.
void put_names(const std::vector<Pattern>& guides, const std::vector<std::string>& given, PatternRows& rows) {
  const std::size_t column = column_of(rows, "name");
  bool held = column != rows.header.size();
  for (std::size_t i = 0; held && i < given.size(); ++i) held = rows.rows[i][column] == given[i];
  if (held) {
    for (std::size_t i = 0; i < given.size(); ++i) rows.rows[i][column] = guides[i].name;
    return;
  }
  std::string title = "name";
  while (column_of(rows, title) != rows.header.size()) title = "guide_" + title;
  rows.header.insert(rows.header.begin(), title);
  for (std::size_t i = 0; i < given.size(); ++i) rows.rows[i].insert(rows.rows[i].begin(), guides[i].name);
}

// Throws UsageError if the option is given and says something else than the file.
void check_conflict(const GuidesOptions& o, const char* option, const std::string& given, const std::string& file,
                    const std::string& held) {
  if (!o.search.is_given(option) || given == held) return;
  throw UsageError(fmt::format("{} {} and {}, an input of Cas-OFFinder with {} {}, conflict: leave the option out",
                               option, given, file, option, held));
}

void take_limit(const GuidesOptions& o, const char* option, std::uint32_t held, std::uint32_t most,
                const std::string& file, std::uint32_t& limit) {
  if (o.search.is_given(option)) return;
  if (held > most) throw DataError(fmt::format("{}: {} {}: at most {} are allowed", file, option, held, most));
  limit = held;
}

// Makes the search the one that an input of Cas-OFFinder asks for.
void take_settings(const CasOffinderInput& input, GuidesOptions& o, const Run& run) {
  const std::string file = input_name(o.search.pattern_files.front());
  check_conflict(o, "--pam", upper_case(fmt::format("{}", fmt::join(o.pam.pams, ","))), file, input.pam);
  const PamSide side = input.pam_5prime ? PamSide::five_prime : PamSide::three_prime;
  check_conflict(o, "--pam-side", word_of(o.pam.side), file, word_of(side));
  if (o.pam.in_guide == PamInGuide::no) {
    throw UsageError(
        fmt::format("--pam-in-guide no: the guides of {}, an input of Cas-OFFinder, have letters in place "
                    "of the PAM",
                    file));
  }
  o.pam = {{input.pam}, side, PamInGuide::yes};
  if (!input.differing.empty() && !o.search.is_given("-m")) {
    throw UsageError(
        fmt::format("{}: guides have different numbers of mismatches ({}): -m N sets one for all of them, "
                    "or make a file for each number",
                    file, input.differing));
  }
  take_limit(o, "-m", input.mismatches, kMaxGuideLength, file, o.limits.mismatches);
  take_limit(o, "--max-dna-bulges", input.dna_bulges, kMaxBulge, file, o.limits.dna_bulges);
  take_limit(o, "--max-rna-bulges", input.rna_bulges, kMaxBulge, file, o.limits.rna_bulges);
  run.note(
      fmt::format("{} is an input of Cas-OFFinder: --pam {}{} -m {} --max-dna-bulges {} --max-rna-bulges {}; its "
                  "genome, {}, is ignored",
                  file, input.pam, input.pam_5prime ? " --pam-side 5prime" : "", o.limits.mismatches,
                  o.limits.dna_bulges, o.limits.rna_bulges, input.genome));
}

}  // namespace

GivenGuides read_given_guides(GuidesOptions& o, Run& run) {
  GivenGuides given;
  LeftOut left_out;
  given.guides = collect_patterns(o.search, left_out, &given.rows, RepeatedNames::kept);
  run.tell_left_out(left_out);
  if (given.rows.cas_offinder) take_settings(*given.rows.cas_offinder, o, run);
  GuideNames names = number_names(given.guides);
  if (!names.given.empty()) put_names(given.guides, names.given, given.rows);
  given.repeats = std::move(names.repeats);
  return given;
}

}  // namespace basesweep
