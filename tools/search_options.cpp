#include "tools/search_options.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <map>

#include "lib/error.hpp"
#include "lib/pattern_file.hpp"

namespace basesweep {
namespace {

// `standard` is what "-" stands for.
bool file_status(const std::string& path, int standard, struct stat& status) {
  return (path == "-" ? fstat(standard, &status) : stat(path.c_str(), &status)) == 0;
}

bool same_place(const struct stat& one, const struct stat& two) {
  return one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

// Whether both are one regular file; "-" is stdin where read and stdout where written.
bool read_and_written(const std::string& read, const std::string& written) {
  struct stat one {};
  struct stat two {};
  return file_status(read, STDIN_FILENO, one) && file_status(written, STDOUT_FILENO, two) && S_ISREG(one.st_mode) &&
         same_place(one, two);
}

// Whether both are one file, pipe or name, be it there yet or not. What is thrown away (/dev/null) may be shared.
bool same_output(const std::string& a, const std::string& b) {
  struct stat one {};
  struct stat two {};
  if (file_status(a, STDOUT_FILENO, one) && file_status(b, STDOUT_FILENO, two)) {
    return same_place(one, two) && (a == b || !S_ISCHR(one.st_mode) || isatty(STDOUT_FILENO) != 0);
  }
  if (a == "-" || b == "-") return a == b;
  const auto full = [](const std::string& path) {
    std::error_code failed;  // then the path is empty, and opening it will tell
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path), failed);
  };
  return full(a) == full(b);
}

void check_files(const SearchOptions& o) {
  std::vector<std::string> read = o.inputs;
  read.insert(read.end(), o.pattern_files.begin(), o.pattern_files.end());
  if (std::count(read.begin(), read.end(), "-") > 1) throw UsageError("'-' (standard input) is given more than once");
  for (const std::string& written : {o.output, o.json}) {
    if (written.empty()) continue;
    for (const std::string& path : read) {
      if (read_and_written(path, written)) {
        throw UsageError(fmt::format("{}: is input and output", written == "-" ? "<stdout>" : written));
      }
    }
  }
  if (!o.json.empty() && same_output(o.json, o.output)) {
    throw UsageError(fmt::format("{}: the report and the hits go to the same file", o.json));
  }
}

}  // namespace

std::string refuse_number(const std::string& text, std::uint64_t least) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string too_small = fmt::format("'{}': must be at least {}", text, least);
  if (text.starts_with('-')) return too_small;
  if (error == std::errc::result_out_of_range) return "'" + text + "' is too large";
  if (error != std::errc() || end != text.data() + text.size()) return "'" + text + "' is no whole number";
  return number < least ? too_small : std::string();
}

void add_search_options(CLI::App& command, SearchOptions& o, const std::string& noun,
                        const std::vector<Algorithm>& algorithms) {
  const auto refuse_empty = [](const std::string& name) { return name.empty() ? "the name is empty" : std::string(); };
  std::string type = noun;
  for (char& c : type) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string plural = noun + "s";
  plural[0] = type[0];
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
  add_choice<StrandChoice>(command, "--strand", o.strand,
                           {{"both", StrandChoice::both}, {"plus", StrandChoice::plus}, {"minus", StrandChoice::minus}},
                           "Strands to search (default: both)");
  add_choice<PalindromeChoice>(command, "--palindromes", o.palindromes,
                               {{"once", PalindromeChoice::once}, {"both", PalindromeChoice::both}},
                               fmt::format("Report palindromic {}s once, as + (default), or on both strands", noun));
  add_choice<bool>(command, "--soft-masked", o.skip_soft_masked, {{"use", false}, {"skip", true}},
                   "Lower case: use (default), or skip hits that touch it");
  command.add_flag("--non-overlapping", o.non_overlapping,
                   fmt::format("Per record, {} and strand keep only hits that start at or after the end of the last "
                               "kept one",
                               noun));
  command.add_option("--max-hits", o.max_hits, "Stop after the first N hits")
      ->check([](const std::string& text) { return refuse_number(text, 1); })
      ->type_name("N");
  command.add_flag("--count", o.count,
                   fmt::format("Instead of hits, print how many there are per {} and strand", noun));
  command
      .add_option("-o,--output", o.output, "Where to write; a name that ends in .gz is compressed (BGZF); - is stdout")
      ->check(refuse_empty)
      ->type_name("FILE");
  command.add_option("--json", o.json, "Write a report of the run")->check(refuse_empty)->type_name("FILE");
  command.add_option("-t,--threads", o.threads, "Threads that work; 0 (default): all this process may use")
      ->check(CLI::Range(0, 4096))
      ->type_name("N");
  command.add_option("--device", o.device, "auto (default), cpu, gpu or gpu:N")->type_name("DEVICE");
  std::vector<std::pair<std::string, Algorithm>> choices{{to_string(Algorithm::automatic), Algorithm::automatic}};
  for (const Algorithm algorithm : algorithms) choices.emplace_back(to_string(algorithm), algorithm);
  add_choice<Algorithm>(command, "--algorithm", o.algorithm, choices, "How to match (default: auto)");
  command
      .add_option("--batch-bases", o.batch_columns,
                  "Bases a matcher gets at a time; for tests, no result depends on it")
      ->check(CLI::Range(1U, 1U << 30))
      ->group("");
  command.add_flag("--progress", o.progress,
                   "Show how far the run is: a bar where stderr is a terminal, else a line every 5 seconds");
  command.add_flag("-q,--quiet", o.quiet, "No warnings");
  command.add_flag("-v,--verbose", o.verbose, "Say what was chosen and how long it took");
}

void check_search_options(SearchOptions& o, const std::string& command) {
  if (o.quiet && o.verbose) throw UsageError("--quiet and --verbose conflict");
  if (o.count && o.max_hits) throw UsageError("--count and --max-hits conflict");
  if (o.inputs.empty()) {
    if (isatty(STDIN_FILENO) != 0) {
      throw UsageError(fmt::format("no input file, and stdin is a terminal; try 'basesweep {} --help'", command));
    }
    o.inputs = {"-"};
  }
  check_files(o);
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
    std::string upper = letters;
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    patterns.push_back({letters, std::move(upper), ""});
  }
  return patterns;
}

}  // namespace basesweep
