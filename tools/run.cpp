#include "tools/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <utility>

#include "lib/page/page.hpp"
#include "lib/reader/open_input.hpp"
#include "lib/search/start_early.hpp"
#include "tools/print.hpp"

namespace basesweep {

namespace {

std::vector<std::string>& command_line() {
  static std::vector<std::string> words;
  return words;
}

// ISO 8601, in UTC.
std::string print_time(std::time_t time) {
  std::tm utc{};
  gmtime_r(&time, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec);
}

// ", 108 Mb/s"; "" where a rate would say nothing.
std::string rate_of(std::uint64_t bases, double seconds) {
  constexpr std::uint64_t kFewest = 1'000'000;
  if (bases < kFewest || seconds <= 0) return "";
  const double rate = static_cast<double>(bases) / seconds;
  return rate < 1e9 ? fmt::format(", {:.0f} Mb/s", rate / 1e6) : fmt::format(", {:.2f} Gb/s", rate / 1e9);
}

// ", in hits.tsv and run.json"; "" if all went to stdout.
std::string files_of(const std::vector<std::pair<std::string, std::string>>& outputs, const std::string& json,
                     const std::string& html) {
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> names;
  for (const auto& [option, path] : outputs) names.push_back(path);
  names.insert(names.end(), {json, html});
  std::erase_if(names, [](const std::string& name) { return name.empty() || name == "-"; });
  if (names.empty()) return "";
  std::string text = ", in " + names.front();
  for (std::size_t i = 1; i < std::min(names.size(), kNamed); ++i) {
    text += (i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return names.size() > kNamed ? fmt::format("{} and {} more", text, names.size() - kNamed) : text;
}

}  // namespace

// Threads of a matcher may still add to it when the run is over.
class RunChoices {
 public:
  // False if the text is there already: of several searchers that one run makes, all choose the same device.
  bool add(const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (std::find(texts_.begin(), texts_.end(), text) != texts_.end()) return false;
    texts_.push_back(text);
    return true;
  }
  std::vector<std::string> texts() {
    const std::lock_guard lock(mutex_);
    return texts_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> texts_;
};

void keep_command_line(std::vector<std::string> words) { command_line() = std::move(words); }

Run::Run(std::string command, const RunOptions& o)
    : command_(std::move(command)),
      gpu_start_(start_early(device_of(o.device))),
      json_(o.json),
      html_(o.html),
      level_(o.compression),
      threads_(worker_threads(o)),
      compression_(std::make_shared<CompressionPool>(threads_)),
      shows_progress_(o.progress),
      quiet_(o.quiet),
      summarizes_(o.verbose || (!o.quiet && isatty(STDERR_FILENO) != 0)),
      warn_(warner(o)),
      say_(teller(o)),
      choices_(std::make_shared<RunChoices>()),
      choose_([say = say_, choices = choices_](const std::string& text) {
        if (choices->add(text)) say(text);
      }) {}

double Run::seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

RunOrigin Run::origin(std::vector<std::pair<std::string, std::string>> outputs) const {
  std::erase_if(outputs, [](const auto& output) { return output.second.empty(); });
  return {command_line(), print_time(started_), std::move(outputs)};
}

void Run::note(const std::string& text) const {
  if (!quiet_) tell(text);
}

void Run::tell_left_out(const LeftOut& left_out) {
  left_out_ = left_out;
  tell_of_left_out(
      left_out, [this](const std::string& text) { note(text); }, warn_);
}

void Run::open_reports() {
  const auto open = [this](const std::string& path) {
    if (path.empty()) return std::unique_ptr<OutputFile>();
    return std::make_unique<OutputFile>(path, compression_, OutputCompression::by_name, level_);
  };
  report_file_ = open(json_);
  page_file_ = open(html_);
}

// Completes the files, so that there is no output when one of them cannot be written.
void Run::write_reports(const std::string& printed, const std::string& subject) {
  if (report_file_) {
    report_file_->write(printed);
    report_file_->finish();
  }
  if (page_file_) {
    page_file_->write(render_page({{subject, parse_report(printed, subject)}}));
    page_file_->finish();
  }
}

void Run::say_batches(const std::vector<DeviceBatches>& batches) const {
  std::string text;
  for (const DeviceBatches& one : batches) {
    text += fmt::format("{}{} on {}", text.empty() ? "" : ", ", grouped(one.batches), one.device);
  }
  if (!text.empty()) say_("batches: " + text);
}

void Run::say_compression(const std::vector<SourceInfo>& sources) const {
  std::map<std::string, std::vector<std::string>> paths;
  for (const SourceInfo& source : sources) {
    if (source.alignments) {
      paths[how_read(source.alignments->format, threads_)].push_back(source.path);
    } else if (source.compression != Compression::none) {
      paths[how_decompressed(source.compression, threads_, source.bytes)].push_back(source.path);
    }
  }
  for (const auto& [way, of] : paths) {
    say_(fmt::format("{}: {}", of.size() == 1 ? of.front() : counted(of.size(), "input"), way));
  }
}

ProgressCounts& Run::show_progress(InputProgress input) {
  if (shows_progress_) {
    meter_.emplace(counts_, std::move(input), isatty(STDERR_FILENO) != 0,
                   [](const std::string& text) { std::fputs(text.c_str(), stderr); });
  }
  return counts_;
}

void Run::summarize(const Found& all) const {
  if (!summarizes_ && (!all.nothing || quiet_)) return;
  const double passed = seconds();
  std::string line = fmt::format("{}: {}", all.read, all.found);
  if (summarizes_ && !all.more.empty()) line += ", " + all.more;
  line += fmt::format(", {:.3f} s", passed);
  if (summarizes_) line += rate_of(all.bases, passed) + files_of(all.outputs, json_, html_);
  tell(line);
}

double Run::commit(RunReport report, std::vector<std::pair<std::string, std::string>> outputs,
                   const std::string& subject, const std::function<std::string(const RunReport&)>& print,
                   const std::function<void(const RunReport&)>& commit_output) {
  report.command = command_;
  outputs.emplace_back("--json", json_);
  outputs.emplace_back("--html", html_);
  report.origin = origin(std::move(outputs));
  report.choices = choices_->texts();
  report.left_out = left_out_;
  report.threads = threads_;
  report.seconds = seconds();
  if (report_file_ || page_file_) write_reports(print(report), subject);
  commit_output(report);
  if (report_file_) report_file_->commit();
  if (page_file_) page_file_->commit();
  return report.seconds;
}

SearcherOptions searcher_options(const RunOptions& options, const Run& run,
                                 std::optional<std::int64_t> expected_bases) {
  DeviceChoice device = device_of(options.device);
  SearcherOptions searching;
  searching.device = device.device;
  searching.gpus = std::move(device.gpus);
  searching.expected_bases = expected_bases;
  searching.threads = run.threads();
  searching.log = run.choose();
  return searching;
}

}  // namespace basesweep
