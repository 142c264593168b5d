#include "tools/search_options.hpp"

#include <fmt/format.h>

#include <map>

#include "lib/error.hpp"
#include "lib/pattern_file.hpp"
#include "lib/upper_case.hpp"
#include "tools/help.hpp"

namespace basesweep {

void add_search_options(CLI::App& command, SearchOptions& o, const std::string& noun,
                        const std::vector<Algorithm>& algorithms) {
  const std::string type = upper_case(noun);
  std::string plural = noun + "s";
  plural[0] = type[0];
  begin_group(command, group::kPatterns);
  command.add_option("input", o.inputs, "FASTA or FASTQ, plain, gzip or BGZF; - or none: stdin")->type_name("FILE");
  command
      .add_option("-p,--pattern", o.patterns, fmt::format("A {} of nucleotides and IUPAC codes; may be repeated", noun))
      ->type_name(type)
      ->allow_extra_args(false);
  command
      .add_option("-f,--pattern-file", o.pattern_files,
                  fmt::format("{} as FASTA or as lines of name, tab, sequence; may be repeated", plural))
      ->type_name("FILE")
      ->allow_extra_args(false);
  begin_group(command, group::kHits);
  add_strand_option(command, o.strand, "Strands to search (default: both)");
  add_choice<PalindromeChoice>(command, "--palindromes", o.palindromes,
                               {{"once", PalindromeChoice::once}, {"both", PalindromeChoice::both}},
                               fmt::format("Report palindromic {}s once, as + (default), or on both strands", noun));
  add_choice<bool>(command, "--soft-masked", o.skip_soft_masked, {{"use", false}, {"skip", true}},
                   "Lower case: use (default), or skip hits that touch it");
  command.add_flag("--non-overlapping", o.non_overlapping,
                   fmt::format("Per record, {} and strand keep only hits that start at or after the end of the last "
                               "kept one",
                               noun));
  begin_group(command, group::kOutput);
  command.add_option("--max-hits", o.max_hits, "Stop after the first N hits")
      ->check([](const std::string& text) { return refuse_number(text, 1); })
      ->type_name("N");
  command.add_flag("--count", o.count,
                   fmt::format("Instead of hits, print how many there are per {} and strand", noun));
  add_region_options(command, o.regions, "the input");
  add_chunk_options(command, o.chunk);
  add_run_options(command, o, algorithms);
  command
      .add_option("--batch-bases", o.batch_columns,
                  "Bases a matcher gets at a time; for tests, no result depends on it")
      ->check(CLI::Range(1U, 1U << 30))
      ->group("");
}

void check_search_options(SearchOptions& o, const std::string& command) {
  if (o.count && o.max_hits) throw UsageError("--count and --max-hits conflict");
  if (o.inputs.empty()) {
    check_stdin(command);
    o.inputs = {"-"};
  }
  std::vector<std::string> read = o.inputs;
  read.insert(read.end(), o.pattern_files.begin(), o.pattern_files.end());
  const std::vector<std::string> more = o.regions.files(o.inputs);
  read.insert(read.end(), more.begin(), more.end());
  if (!o.chunk.plan.empty()) read.push_back(o.chunk.plan);
  check_run_options(o, read);
}

std::vector<Pattern> collect_patterns(const SearchOptions& o) {
  if (o.patterns.empty() && o.pattern_files.empty()) throw UsageError("no pattern given: use -p or -f");
  std::vector<Pattern> patterns;
  std::map<std::string, std::string> origin;  // of names in files
  for (const std::string& path : o.pattern_files) {
    for (Pattern& pattern : read_patterns(path)) {
      if (const auto [known, fresh] = origin.emplace(pattern.name, path); !fresh) {
        bad_pattern(pattern, fmt::format("the name is used in {} too", known->second));
      }
      patterns.push_back(std::move(pattern));
    }
  }
  for (const std::string& letters : o.patterns) {
    patterns.push_back({letters, upper_case(letters), ""});
  }
  return patterns;
}

}  // namespace basesweep
