// The work of searching commands around their pipelines: to time the run, show its progress, write its report and
// commit its files.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/pipeline/progress.hpp"
#include "lib/reader/block_source.hpp"
#include "lib/report/report.hpp"
#include "lib/search/device.hpp"
#include "lib/search/searcher_options.hpp"
#include "lib/writer/output_file.hpp"
#include "tools/run_options.hpp"

namespace basesweep {

// The choices that a run made by itself.
class RunChoices;

// Keeps the words of the command line for reports. Called once, before any Run.
void keep_command_line(std::vector<std::string> words);

class Run {
 public:
  // Starts the clock, and the GPUs that --device names. `command`: "motif".
  Run(std::string command, const RunOptions& options);

  const std::string& command() const { return command_; }
  double seconds() const;  // since the start
  int threads() const { return threads_; }
  // Compresses all output files of the run.
  const std::shared_ptr<CompressionPool>& compression() const { return compression_; }
  const std::function<void(const std::string&)>& warn() const { return warn_; }
  const std::function<void(const std::string&)>& say() const { return say_; }  // with --verbose
  // For what a matcher or finder says of its automatic choices: says it as say() does, and keeps it for the report. Any
  // thread may call it, also one that outlives the run.
  const std::function<void(const std::string&)>& choose() const { return choose_; }
  // For reports. `outputs`: the options and paths of files, as the command line has them; paths that are "" are left
  // out.
  RunOrigin origin(std::vector<std::pair<std::string, std::string>> outputs) const;
  // Prints a line on stderr that is not a warning, unless --quiet is given.
  void note(const std::string& text) const;

  // Says on stderr what was left out of the sequences of patterns, and puts it into the report.
  void tell_left_out(const LeftOut& left_out);

  // With --verbose, says how compressed inputs are decompressed. Streams that were not opened yet are left out.
  void say_compression(const std::vector<SourceInfo>& sources) const;

  // With --verbose, says how many batches each device searched, where several shared them.
  void say_batches(const std::vector<DeviceBatches>& batches) const;

  // Opens the files of --json and --html, if there are any. Throws IoError.
  void open_reports();

  // The pipeline counts here. With --progress the counts are shown until stop_progress(). `reader`: a Reader or a
  // ReadSource.
  template <class Source>
  ProgressCounts& start_progress(const Source& reader) {
    return show_progress({reader.stored_bytes(), [&reader] { return reader.stored_bytes_read(); }});
  }

  // Ends the progress display, before anything else is printed.
  void stop_progress() { meter_.reset(); }

  // Ends with a line on stderr: what was read and what was found, "3 hits". The line comes with --verbose, when stderr
  // is a terminal, and always when `nothing` was found in a whole run; never with --quiet. With --verbose and on a
  // terminal it also has `more` of what was found, the rate, and the files. `bases`: that were read; 0: not known.
  struct Found {
    std::string read;
    std::string found;
    std::string more;
    bool nothing = false;
    std::uint64_t bases = 0;
    std::vector<std::pair<std::string, std::string>> outputs{};  // as for origin()
  };
  void summarize(const Found& all) const;

  // Completes the report (command, origin, choices, threads, seconds), writes it with `print`, and commits the output,
  // then the report and the page. `outputs`: as for origin(), without these. `subject`: what the page is about, such as
  // the name of an input. Returns the seconds in the report.
  double commit(RunReport report, std::vector<std::pair<std::string, std::string>> outputs, const std::string& subject,
                const std::function<std::string(const RunReport&)>& print,
                const std::function<void(const RunReport&)>& commit_output);

 private:
  void write_reports(const std::string& printed, const std::string& subject);
  ProgressCounts& show_progress(InputProgress input);

  std::string command_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::time_t started_ = std::time(nullptr);
  std::future<void> gpu_start_;
  std::string json_;
  std::string html_;
  std::optional<int> level_;  // of compression
  int threads_;
  std::shared_ptr<CompressionPool> compression_;
  bool shows_progress_;
  bool quiet_;
  bool summarizes_;  // whatever was found
  std::function<void(const std::string&)> warn_;
  std::function<void(const std::string&)> say_;
  std::shared_ptr<RunChoices> choices_;
  std::function<void(const std::string&)> choose_;
  LeftOut left_out_;
  std::unique_ptr<OutputFile> report_file_;
  std::unique_ptr<OutputFile> page_file_;
  ProgressCounts counts_;
  std::optional<ProgressMeter> meter_;
};

// Returns the options that all searchers of a run share: devices, threads, and where automatic choices are said.
// `expected_bases`: of the input, if known.
SearcherOptions searcher_options(const RunOptions& options, const Run& run, std::optional<std::int64_t> expected_bases);

}  // namespace basesweep
