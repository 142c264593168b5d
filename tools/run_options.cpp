#include "tools/run_options.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "lib/error.hpp"
#include "lib/fields.hpp"
#include "lib/threads.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"

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

// "-", or another name of what cannot be read twice.
bool is_stdin(const std::string& path) {
  struct stat one {};
  struct stat two {};
  return path == "-" || (file_status(path, STDIN_FILENO, one) && file_status("-", STDIN_FILENO, two) &&
                         same_place(one, two) && (S_ISFIFO(one.st_mode) || S_ISSOCK(one.st_mode)));
}

void check_files(const RunOptions& o, const std::vector<std::string>& read) {
  if (std::count_if(read.begin(), read.end(), is_stdin) > 1)
    throw UsageError("'-' (standard input) is given more than once");
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

std::string refuse_rate(const std::string& text) {
  double rate = 0;
  if (!parse_number(text, rate)) return "'" + text + "' is no number";
  return rate >= 0 && rate < 1 ? std::string() : std::string("must be at least 0 and less than 1");
}

}  // namespace

void add_strand_option(CLI::App& command, StrandChoice& strand, const std::string& help) {
  add_choice<StrandChoice>(command, "--strand", strand,
                           {{"both", StrandChoice::both}, {"plus", StrandChoice::plus}, {"minus", StrandChoice::minus}},
                           help);
}

const char* word_of(StrandChoice strand) {
  switch (strand) {
    case StrandChoice::both: return "both";
    case StrandChoice::plus: return "plus";
    case StrandChoice::minus: return "minus";
  }
  return "";
}

const char* word_of(Report report) {
  switch (report) {
    case Report::sites: return "sites";
    case Report::minima: return "minima";
    case Report::best: return "best";
    case Report::all: return "all";
  }
  return "";
}

std::string refuse_number(const std::string& text, std::uint64_t least) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string too_small = fmt::format("'{}': must be at least {}", text, least);
  if (text.starts_with('-')) return too_small;
  if (error == std::errc::result_out_of_range) return "'" + text + "' is too large";
  if (error != std::errc() || end != text.data() + text.size()) return "'" + text + "' is no whole number";
  return number < least ? too_small : std::string();
}

bool same_input(const std::string& a, const std::string& b) {
  struct stat one {};
  struct stat two {};
  return file_status(a, STDIN_FILENO, one) && file_status(b, STDIN_FILENO, two) && same_place(one, two) &&
         S_ISREG(one.st_mode);
}

std::string refuse_empty(const std::string& name) { return name.empty() ? "the name is empty" : std::string(); }

void add_edits(CLI::App& command, const std::string& name, std::optional<std::uint32_t>& value,
               const std::string& help) {
  command.add_option(name, value, help)
      ->check([](const std::string& text) {
        const std::string refused = refuse_number(text, 0);
        return refused.empty() && text.size() > 9 ? "'" + text + "' is too large" : refused;
      })
      ->type_name("N");
}

void add_edit_options(CLI::App& command, const std::string& noun, std::optional<std::uint32_t>& edits,
                      std::optional<double>& rate) {
  add_edits(command, "-k,--edits", edits, "Edits allowed: mismatches and indels together");
  command
      .add_option("-e,--error-rate", rate,
                  fmt::format("Edits allowed as a part (0 to 1) of the {}'s length, rounded down", noun))
      ->check(refuse_rate)
      ->type_name("RATE");
}

void check_edits(const std::optional<std::uint32_t>& edits, const std::optional<double>& rate) {
  if (edits.has_value() == rate.has_value()) throw UsageError("give the edits allowed by either -k or -e");
}

void add_sam_options(CLI::App& command, SamChoices& choices, const std::string& noun) {
  begin_group(command, group::kSam);
  command.add_flag("--eqx", choices.distinguish, "= and X in the CIGAR of SAM and its kin instead of M");
  command
      .add_option(
          "-R,--rg,--read-group", choices.read_group,
          fmt::format("An @RG line for SAM and its kin, as '@RG\\tID:x\\tPL:ILLUMINA'; every {} then bears its ID",
                      noun))
      ->type_name("LINE");
  command.add_flag("--no-PG", choices.no_program, "No @PG line in SAM and its kin");
}

void add_threads_option(CLI::App& command, int& threads, const std::string& help) {
  command.add_option("-t,--threads", threads, help)->check(CLI::Range(0, 4096).description(""))->type_name("N");
}

void add_device_option(CLI::App& command, std::string& device, const std::string& help) {
  command.add_option("--device", device, help)->type_name("auto|cpu|gpu|gpu:N");
}

void add_run_options(CLI::App& command, RunOptions& o, const std::vector<Algorithm>& algorithms) {
  begin_group(command, group::kOutput);
  command
      .add_option("-o,--output", o.output, "Where to write; a name that ends in .gz is compressed (BGZF); - is stdout")
      ->check(refuse_empty)
      ->type_name("FILE");
  command.add_option("--json", o.json, "Write a report of the run")->check(refuse_empty)->type_name("FILE");
  begin_group(command, group::kRunning);
  add_threads_option(command, o.threads, "Threads that work; 0 (default): all this process may use");
  add_device_option(command, o.device, "What to work on (default: auto)");
  std::vector<std::pair<std::string, Algorithm>> choices{{to_string(Algorithm::automatic), Algorithm::automatic}};
  for (const Algorithm algorithm : algorithms) choices.emplace_back(to_string(algorithm), algorithm);
  add_choice<Algorithm>(command, "--algorithm", o.algorithm, choices, "How to match (default: auto)");
  command.add_flag("--progress", o.progress,
                   "Show how far the run is: a bar where stderr is a terminal, else a line every 5 seconds");
  command.add_flag("-q,--quiet", o.quiet, "No warnings");
  command.add_flag("-v,--verbose", o.verbose, "Say what was chosen and how long it took");
}

void check_run_options(const RunOptions& o, const std::vector<std::string>& read) {
  if (o.quiet && o.verbose) throw UsageError("--quiet and --verbose conflict");
  check_files(o, read);
  parse_device(o.device);
}

void check_stdin(const std::string& command) {
  if (isatty(STDIN_FILENO) != 0) {
    throw UsageError(fmt::format("no input file, and stdin is a terminal; try 'basesweep {} --help'", command));
  }
}

int worker_threads(const RunOptions& o) { return o.threads == 0 ? available_threads() : o.threads; }

std::function<void(const std::string&)> warner(const RunOptions& o) {
  return [quiet = o.quiet](const std::string& text) {
    if (!quiet) tell("warning: " + text);
  };
}

std::function<void(const std::string&)> teller(const RunOptions& o) {
  return [verbose = o.verbose](const std::string& text) {
    if (verbose) tell(text);
  };
}

void start_meter(const RunOptions& o, const ProgressCounts& counts, std::optional<std::int64_t> text_bytes,
                 std::optional<ProgressMeter>& meter) {
  if (!o.progress) return;
  meter.emplace(counts, text_bytes, isatty(STDERR_FILENO) != 0,
                [](const std::string& text) { std::fputs(text.c_str(), stderr); });
}

}  // namespace basesweep
