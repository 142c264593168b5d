// basesweep report: makes a page of the reports of runs.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/page/page.hpp"
#include "lib/reader/whole_text.hpp"
#include "lib/writer/output_file.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/options.hpp"
#include "tools/run_options.hpp"

namespace basesweep {
namespace {

Help report_help() {
  return {
      .synopsis = {"[OPTIONS] REPORT... -o FILE"},
      .sections =
          {{"Output format",
            {"One HTML file with numbers, sortable tables and pictures. It holds all that it shows: it asks no server "
             "for anything, works in mail and without a network, and can be printed. With several reports it also "
             "compares the runs.",
             "Reports are those that --json of a command that searches or handles reads wrote, or of merge. What a "
             "report lacks is left out of the page."}}},
      .examples = {{"A page of one run",
                    {"basesweep match -f primers.fa -k 2 genome.fa -o hits.bam --json run.json",
                     "basesweep report run.json -o run.html"}},
                   {"A page that compares two runs",
                    {"basesweep motif -p GAATTC genome.fa -o a.bed --json a.json",
                     "basesweep motif -p GANTC genome.fa -o b.bed --json b.json",
                     "basesweep report a.json b.json --title 'Restriction sites' -o sites.html"}}},
      .exit_codes = file_exit_codes(),
      .see_also = {"motif", "match", "pcr", "pwm", "guides", "map", "demux", "trim", "count", "merge"},
      .most_used = {}};
}

struct ReportOptions {
  std::vector<std::string> inputs;
  PageOptions page;
  std::string output = "-";
};

// The name of a file without folders and without .json.
std::string short_name(const std::string& path) {
  std::string name(file_name(input_name(path)));
  if (name.ends_with(".json") && name.size() > 5) name.resize(name.size() - 5);
  return name;
}

// Names of runs: short, or the paths where short ones would be the same.
std::vector<std::string> names_of_runs(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) names.push_back(short_name(path));
  if (std::set<std::string>(names.begin(), names.end()).size() < names.size()) names = input_names(paths);
  return names;
}

int run_report(const ReportOptions& o) {
  RunOptions run;
  run.output = o.output;
  check_run_options(run, o.inputs);
  check_page_options(o.page);
  if (std::find(o.inputs.begin(), o.inputs.end(), "-") != o.inputs.end()) check_stdin("report");
  for (auto input = o.inputs.begin(); input != o.inputs.end(); ++input) {
    if (std::find(o.inputs.begin(), input, *input) != input)
      throw UsageError(fmt::format("{} is given twice", input_name(*input)));
  }
  const std::vector<std::string> names = names_of_runs(o.inputs);
  std::vector<PageRun> runs;
  for (std::size_t i = 0; i < o.inputs.size(); ++i) {
    runs.push_back({names[i], parse_report(read_all(o.inputs[i]), input_name(o.inputs[i]))});
  }
  const std::string page = render_page(runs, o.page);
  OutputFile output(o.output, 1);
  output.write(page);
  output.commit();
  return 0;
}

}  // namespace

std::function<int()> add_report_command(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  ReportOptions& o = *options;
  CLI::App& command =
      add_command(app, "report", "Make an HTML page of the reports of runs", kPartCommands, report_help());
  begin_group(command, group::kOutput);
  add_arguments(command, "report", "FILE", o.inputs, "Reports of runs (--json); - is stdin", {.required = true});
  add_text(command, "-o,--output", "FILE", o.output, "Output file; - is stdout (default)");
  add_text(command, "--title", "TEXT", o.page.title, "Title of the page (default: the command and the report's name)");
  add_text(command, "--genome", "NAME", o.page.genome,
           "Assembly that was searched, such as hg38: off-targets of guides get links to IGV on this machine, UCSC and "
           "Ensembl");
  return [options] { return run_report(*options); };
}

}  // namespace basesweep
