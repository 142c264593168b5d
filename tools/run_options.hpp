// The options that all commands which read and write files share, and the checks that come before any work.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lib/align/resolver.hpp"
#include "lib/reader/left_out.hpp"
#include "lib/rows/output_format.hpp"
#include "lib/rows/rows.hpp"
#include "lib/search/algorithm.hpp"
#include "lib/search/device.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/pattern.hpp"
#include "tools/options.hpp"

namespace basesweep {

struct RunOptions {
  std::string output = "-";            // "-" is stdout
  std::optional<OutputFormat> format;  // --format
  std::string json;                    // file of the run report; "": none
  std::string html;                    // file of the page; "": none
  int threads = 0;                     // 0: all that the process may use
  std::string device = "auto";
  Algorithm algorithm = Algorithm::automatic;
  bool write_index = false;        // of the output
  std::optional<int> compression;  // --compression; nothing: see OutputFile
  bool progress = false;
  bool quiet = false;
  bool verbose = false;
  // Whether the run makes a report.
  bool reports() const { return !json.empty() || !html.empty(); }
  // See given_words().
  std::function<std::vector<std::string>()> words = [] { return std::vector<std::string>(); };
};

// The devices that --device names. Throws UsageError.
DeviceChoice device_of(const std::string& text);

// The words of --strand and --report.
const char* word_of(StrandChoice strand);
const char* word_of(Report report);

// The folder for what must wait before it can be written: beside the output if that is a file, since there must be room
// for it.
std::string spool_directory(const std::string& output);

// Whether the path is "-", or that of a pipe: what it gives cannot be read again.
bool gives_once(const std::string& path);

// Whether the path is that of a regular file; "-" is not.
bool is_regular_file(const std::string& path);

// What tells a regular file from all others, whatever its names: its device and its number there.
using FileIdentity = std::pair<dev_t, ino_t>;
// Nothing if the path is not that of a regular file. "-" is stdin.
std::optional<FileIdentity> identity_of_input(const std::string& path);

// Throws UsageError unless exactly one of -k and -e is given.
void check_edits(const std::optional<std::uint32_t>& edits, const std::optional<double>& rate);
// The same where --mismatches counts as -k.
void check_edits(const EditOptions& edits);
// Puts --mismatches, which is short for -k and --max-indels 0, into the edits. Throws UsageError if it conflicts with
// another option.
void take_mismatches(const std::optional<std::uint32_t>& mismatches, EditOptions& edits);

// How alignments are written.
struct SamChoices {
  bool distinguish = false;  // = and X instead of M
  bool no_program = false;   // no @PG
  std::string read_group;    // an @RG line; "": none

  bool any() const { return distinguish || no_program || !read_group.empty(); }
};
// --format. `formats`: those that the command writes.
void add_format_option(CLI::App& command, std::optional<OutputFormat>& format, std::span<const OutputFormat> formats,
                       const std::string& help);
// --columns. `noun`: what a row is about ("hit").
void add_columns_option(CLI::App& command, ShownColumns& columns, const std::string& noun);
// --write-index.
void add_index_option(CLI::App& command, bool& write_index);
// Whether --columns asks for a list of columns, and nothing else is to be done.
inline bool asks_for_columns(const ShownColumns& columns) { return columns.help || columns.autosql; }
// Prints the list of --columns help or autosql. Returns the exit code.
int show_columns(const Rows& rows, const ShownColumns& columns);

// The format that --format gives, else the one of the output's name; nothing: the command's default. Throws UsageError.
std::optional<OutputFormat> choose_format(const RunOptions& options, std::span<const OutputFormat> formats);

void add_output_option(CLI::App& command, std::string& output);
void add_json_option(CLI::App& command, std::string& json, const std::string& help);
void add_report_options(CLI::App& command, RunOptions& options);  // --json and --html
void add_quiet_option(CLI::App& command, bool& quiet, const std::string& help = "Print no warnings",
                      const std::string& names = "-q,--quiet");
// --timeout, which holds for all URLs from when the command line is read. Without it the limit is kUrlSeconds.
inline constexpr int kUrlSeconds = 60;
void add_timeout_option(CLI::App& command);
void set_url_timeout(int seconds);
void add_threads_option(CLI::App& command, int& threads, const std::string& help);
void add_device_option(CLI::App& command, std::string& device, const std::string& help);

void add_file_options(CLI::App& command, RunOptions& options);  // -o, --json, --html and --compression
void add_compression_option(CLI::App& command, std::optional<int>& compression);
// `quiet`: the names of --quiet, for a command in which -q is something else.
void add_running_options(CLI::App& command, RunOptions& options, const std::string& quiet = "-q,--quiet");

// Throws UsageError if options conflict, the device is not one, a file of `read` is also written, a file is written
// twice, or stdin is read twice. `written`: options that name more files to write, and these files; "": none.
using WrittenFiles = std::vector<std::pair<const char*, std::string>>;
void check_run_options(const RunOptions& options, const std::vector<std::string>& read,
                       const WrittenFiles& written = {});
// Throws UsageError if one of the written files is one of those with these names in the folder, which --output names.
void refuse_in_folder(const WrittenFiles& written, const std::string& folder, const std::vector<std::string>& names);

// Throws UsageError if stdin is to be read and is a terminal.
void check_stdin(const std::string& command);

// The number of threads to use.
int worker_threads(const RunOptions& options);
// Prints warnings to stderr unless --quiet is given.
std::function<void(const std::string&)> warner(const RunOptions& options);
// Prints messages to stderr if --verbose is given.
std::function<void(const std::string&)> teller(const RunOptions& options);

// Says what was left out of sequences. `note` and `warn` print on stderr.
void tell_of_left_out(const LeftOut& left_out, const std::function<void(const std::string&)>& note,
                      const std::function<void(const std::string&)>& warn);

}  // namespace basesweep
