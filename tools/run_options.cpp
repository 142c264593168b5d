#include "tools/run_options.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "lib/base/error.hpp"
#include "lib/base/same_file.hpp"
#include "lib/base/temporary_folder.hpp"
#include "lib/base/threads.hpp"
#include "lib/reader/url_wait.hpp"
#include "lib/search/edit_limits.hpp"
#include "lib/writer/output_file.hpp"
#include "lib/writer/temporaries.hpp"
#include "tools/print.hpp"

namespace basesweep {
namespace {

// The path without links and relative parts. The file needs not exist yet.
std::filesystem::path full_path(const std::filesystem::path& path) {
  std::error_code failed;  // then the path is empty, and opening the file reports the error
  return std::filesystem::weakly_canonical(std::filesystem::absolute(path), failed);
}

// Whether output to both paths goes to the same file or pipe. The files need not exist yet. A character device such as
// /dev/null may be named twice.
bool same_output(const std::string& a, const std::string& b) {
  struct stat one {};
  struct stat two {};
  if (file_status(a, STDOUT_FILENO, one) && file_status(b, STDOUT_FILENO, two)) {
    const bool device = S_ISCHR(one.st_mode) && (a != "-" || b != "-") && isatty(STDOUT_FILENO) == 0;
    return same_place(one, two) && !device;
  }
  if (a == "-" || b == "-") return a == b;
  return full_path(a) == full_path(b);
}

// Whether the path is "-", or another name of a pipe or socket on stdin, which cannot be read twice.
bool is_stdin(const std::string& path) {
  struct stat one {};
  struct stat two {};
  return path == "-" || (file_status(path, STDIN_FILENO, one) && file_status("-", STDIN_FILENO, two) &&
                         same_place(one, two) && (S_ISFIFO(one.st_mode) || S_ISSOCK(one.st_mode)));
}

void check_files(const WrittenFiles& written, const std::vector<std::string>& read) {
  if (std::count_if(read.begin(), read.end(), is_stdin) > 1)
    throw UsageError("'-' (standard input) is given more than once");
  for (auto one = written.begin(); one != written.end(); ++one) {
    refuse_read_and_written(read, one->second);
    for (auto other = written.begin(); other != one; ++other) {
      if (same_output(one->second, other->second)) {
        throw UsageError(fmt::format("{}: {} and {} name the same file", one->second, one->first, other->first));
      }
    }
  }
}

}  // namespace

DeviceChoice device_of(const std::string& text) { return parse_device(text, "--device " + text); }

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
    case Report::best_per_record: return "best-per-record";
  }
  return "";
}

bool is_regular_file(const std::string& path) {
  struct stat status {};
  return path != "-" && stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool gives_once(const std::string& path) {
  struct stat status {};
  return path == "-" || (stat(path.c_str(), &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)));
}

std::optional<FileIdentity> identity_of_input(const std::string& path) {
  struct stat status {};
  if (!file_status(path, STDIN_FILENO, status) || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

void check_edits(const std::optional<std::uint32_t>& edits, const std::optional<double>& rate) {
  if (edits && rate) throw UsageError("use -k or -e, not both");
  if (!edits && !rate) throw UsageError("no number of edits is given: use -k N or -e RATE");
}

void check_edits(const EditOptions& edits) {
  if (!edits.edits && !edits.rate) {
    throw UsageError("no number of edits is given: use -k N or -e RATE, or --mismatches N for no indels");
  }
  check_edits(edits.edits, edits.rate);
}

void take_mismatches(const std::optional<std::uint32_t>& mismatches, EditOptions& edits) {
  if (!mismatches) return;
  for (const EditLimit& limit : kEditLimits) {
    const auto has_value = [&edits](auto member) {
      if constexpr (requires { (edits.*member).has_value(); }) return (edits.*member).has_value();
      return false;
    };
    if (is_overhang(limit) || !std::visit(has_value, limit.member)) continue;
    throw UsageError(fmt::format("--mismatches and {} conflict: --mismatches N is short for -k N --max-indels 0",
                                 first_name(limit)));
  }
  edits.edits = mismatches;
  edits.max_indels = 0;
}

void add_format_option(CLI::App& command, std::optional<OutputFormat>& format, std::span<const OutputFormat> formats,
                       const std::string& help) {
  std::vector<std::pair<std::string, std::optional<OutputFormat>>> choices;
  for (const OutputFormat one : formats) choices.emplace_back(word_of(one), one);
  add_choice<std::optional<OutputFormat>>(command, "--format", format, choices, help,
                                          {.in_merge = "Output format, as the command of the parts takes it"});
}

void add_columns_option(CLI::App& command, ShownColumns& columns, const std::string& noun) {
  add_parsed(
      command, "--columns", "NAMES", [&columns](const std::string& text) { columns = parse_columns(text); },
      fmt::format(
          "What is written about a {} in {}: columns in this order, with commas between; +NAME adds one to the "
          "usual columns, also in BED, GFF3 and FASTA; help lists them, autosql describes BED to genome browsers",
          noun, list_tables("and")),
      {.in_merge = "Columns, as the command of the parts takes them"});
}

void add_index_option(CLI::App& command, bool& write_index) {
  add_flag(command, "--write-index", write_index,
           "Index the output: .tbi beside BED, TSV and GFF3 whose name ends in .gz, .bai beside SAM and BAM",
           {.kept = false,
            .in_merge = "Index the output: .tbi for BED, TSV and GFF3, .bai for SAM and BAM, .csi for records that are "
                        "too long for these"});
}

int show_columns(const Rows& rows, const ShownColumns& columns) {
  OutputFile output("-", 1);
  output.write(columns.autosql ? print_autosql(rows, columns) : print_columns(rows));
  output.commit();
  return 0;
}

std::optional<OutputFormat> choose_format(const RunOptions& o, std::span<const OutputFormat> formats) {
  return o.format ? o.format : format_of_name(o.output, formats);
}

void add_output_option(CLI::App& command, std::string& output) {
  add_text(command, "-o,--output", "FILE", output,
           "Output file; its ending chooses the format, and a name that ends in .gz is compressed (BGZF); - is stdout "
           "(default)",
           {.kept = false, .in_merge = ""});
}

void add_json_option(CLI::App& command, std::string& json, const std::string& help) {
  add_text(command, "--json", "FILE", json, help,
           {.kept = false, .in_merge = "Write a report of the whole run as JSON"});
}

void add_report_options(CLI::App& command, RunOptions& o) {
  add_json_option(command, o.json, "Write a report of the run as JSON");
  add_text(command, "--html", "FILE", o.html, "Write the report as a page with tables and plots, one file of HTML",
           {.kept = false, .in_merge = "Write the report of the whole run as a page with tables and plots"});
}

void add_quiet_option(CLI::App& command, bool& quiet, const std::string& help, const std::string& names) {
  add_flag(command, names, quiet, help, {.in_merge = ""});
}

void add_timeout_option(CLI::App& command) {
  constexpr std::uint64_t kMost = 1'000'000;
  add_number(
      command, "--timeout", "SECONDS", {.max = kMost},
      [](std::uint64_t seconds) { set_url_timeout(static_cast<int>(seconds)); },
      fmt::format("Give up a URL when its server sends nothing for so long (default: {}); 0: wait without end",
                  kUrlSeconds),
      {.kept = false}, kUrlSeconds);
}

void set_url_timeout(int seconds) {
  // A call of HTSlib that waits cannot be called off, so the process ends.
  limit_url_waits(seconds, [](const std::string& message) {
    tell(message);
    remove_temporaries();
    _exit(kExitIo);
  });
}

void add_threads_option(CLI::App& command, int& threads, const std::string& help) {
  add_number(command, "-t,--threads", threads, {.max = kMaxThreads}, help, {.in_merge = ""});
}

void add_device_option(CLI::App& command, std::string& device, const std::string& help) {
  add_text(command, "--device", "auto|cpu|gpu|gpu:all|gpu:N,...", device, help, {.empty_value = true});
}

void add_file_options(CLI::App& command, RunOptions& o) {
  begin_group(command, group::kOutput);
  add_output_option(command, o.output);
  add_report_options(command, o);
  add_compression_option(command, o.compression);
}

void add_compression_option(CLI::App& command, std::optional<int>& compression) {
  add_number(command, "--compression", "LEVEL", {.max = 9},
             [&compression](std::uint64_t level) { compression = static_cast<int>(level); },
             "How hard outputs that are named .gz, and BAM, are compressed: 0 (not at all) to 9 (default: 1 for .gz, 6 "
             "for BAM)",
             {.in_merge = ""});
}

void add_running_options(CLI::App& command, RunOptions& o, const std::string& quiet) {
  begin_group(command, group::kRunning);
  add_threads_option(command, o.threads, "Number of threads; 0 (default): all that this process may use");
  add_device_option(command, o.device, "Device to search on (default: auto)");
  add_flag(command, "--progress", o.progress,
           "Show progress on stderr: a bar on a terminal, else a line every 5 seconds");
  add_quiet_option(command, o.quiet, "Print no warnings, and no line at the end that says what was found", quiet);
  add_flag(command, "-v,--verbose", o.verbose, "Print what was chosen and how long it took", {.in_merge = ""});
}

std::string spool_directory(const std::string& output) {
  std::error_code failed;
  if (output != "-" && (std::filesystem::is_regular_file(output, failed) || !std::filesystem::exists(output, failed))) {
    const std::filesystem::path folder = std::filesystem::absolute(output, failed).parent_path();
    if (!folder.empty()) return folder.string();
  }
  return temporary_folder();
}

void check_run_options(const RunOptions& o, const std::vector<std::string>& read, const WrittenFiles& written) {
  if (o.quiet && o.verbose) throw UsageError("--quiet and --verbose conflict");
  WrittenFiles all = {{"--output", o.output}, {"--json", o.json}, {"--html", o.html}};
  all.insert(all.end(), written.begin(), written.end());
  std::erase_if(all, [](const auto& file) { return file.second.empty(); });
  for (const auto& [option, path] : all) {
    // Without --format, the name of the output chooses the format, and is checked then.
    if (&path != &all.front().second || o.format) check_output_name(path);
  }
  check_files(all, read);
  device_of(o.device);
}

void refuse_in_folder(const WrittenFiles& written, const std::string& folder, const std::vector<std::string>& names) {
  const std::filesystem::path whole = full_path(std::filesystem::path(folder) / "name").parent_path();
  for (const auto& [option, path] : written) {
    if (path.empty()) continue;
    const std::filesystem::path own = full_path(path);
    struct stat status {};
    const bool is_there = file_status(path, STDOUT_FILENO, status) && S_ISREG(status.st_mode);
    for (const std::string& name : names) {
      struct stat other {};
      const bool same = (own.filename() == name && own.parent_path() == whole) ||
                        (is_there && stat((whole / name).c_str(), &other) == 0 && same_place(status, other));
      if (same) throw UsageError(fmt::format("{}: {} and --output name the same file", path, option));
    }
  }
}

void check_stdin(const std::string& command) {
  if (isatty(STDIN_FILENO) != 0) {
    throw UsageError(fmt::format("no input file, and stdin is a terminal; try 'basesweep {} --help'", command));
  }
}

int worker_threads(const RunOptions& o) {
  // Tried once for each number, which an option gives, so once in a run.
  static int wanted = 0;
  static int given = 0;
  const int requested = o.threads == 0 ? available_threads() : o.threads;
  if (requested == wanted) return given;
  wanted = requested;
  given = affordable_threads(requested);
  if (given < requested) {
    warner(o)(fmt::format("the system does not allow enough threads for -t {}: running with -t {}", requested, given));
  }
  return given;
}

std::function<void(const std::string&)> warner(const RunOptions& o) {
  return [quiet = o.quiet](const std::string& text) {
    if (!quiet) tell("warning: " + text);
  };
}

void tell_of_left_out(const LeftOut& left_out, const std::function<void(const std::string&)>& note,
                      const std::function<void(const std::string&)>& warn) {
  if (left_out.any()) note(left_out.sentence() + " of the sequences");
  const bool one = left_out.doubtful == 1;
  if (left_out.doubtful != 0) {
    warn(
        fmt::format("{} before a capital {} read as the code{} R (A or G), M (A or C) or D (A, G or T), not as {} of "
                    "RNA or DNA: write codes in capitals, or the base alone",
                    one ? "a letter r, m or d" : fmt::format("{} letters r, m or d", left_out.doubtful),
                    one ? "was" : "were", one ? "" : "s", one ? "a mark" : "marks"));
  }
  if (left_out.leading_marks != 0) {
    warn(
        fmt::format("'^' before {} does not tie {} to the start of records: hits are found everywhere, and those at a "
                    "start have 0 in the column start",
                    left_out.leading_marks == 1 ? "a sequence" : fmt::format("{} sequences", left_out.leading_marks),
                    left_out.leading_marks == 1 ? "it" : "them"));
  }
  if (left_out.short_alternatives != 0) {
    warn(
        fmt::format("{} '|' between sequences of one or two bases, which are searched one by one: where '|' marks a "
                    "cut, write '^', as in GG^CC",
                    left_out.short_alternatives == 1 ? "a pattern has"
                                                     : fmt::format("{} patterns have", left_out.short_alternatives)));
  }
}

std::function<void(const std::string&)> teller(const RunOptions& o) {
  return [verbose = o.verbose](const std::string& text) {
    if (verbose) tell(text);
  };
}

}  // namespace basesweep
