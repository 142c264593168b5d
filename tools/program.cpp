#include "tools/program.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <sstream>
#include <utility>

#include "lib/base/error.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/options.hpp"
#include "tools/print.hpp"
#include "tools/usage_message.hpp"

namespace basesweep {
namespace {

Help program_help() {
  return {
      .synopsis = {"COMMAND [OPTIONS] [FILE...]", "COMMAND --help"},
      .about = {"Finds motifs, primers, matrices and reads in FASTA and FASTQ, on CPU and GPU."},
      .examples = {{"Find motifs, exact or with IUPAC codes", {"basesweep motif -p GAATTC genome.fa.gz -o ecori.bed"}},
                   {"Find primers, adapters or guides with at most two edits",
                    {"basesweep match -f primers.fa -k 2 genome.fa -o hits.bam"}},
                   {"Map reads to a reference with at most eight edits",
                    {"basesweep map -r reference.fa -k 8 reads.fastq.gz -o reads.bam"}},
                   {"Show all options and more examples", {"basesweep help motif", "basesweep man motif > motif.1"}}},
      .environment = search_environment(),
      .exit_codes = search_exit_codes(),
      .most_used = {"-h", "--help"}};
}

// Of an option that is given several times the last value counts.
void last_value_counts(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw) {
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
  }
}

}  // namespace

int run_words(std::vector<std::string> words, PartSet* parts) {
  CLI::App app("Sweep nucleotide sequence for patterns", "basesweep");
  app.set_help_flag("-h", "Show the most used options and exit");
  app.set_help_all_flag("--help", "Show all options and exit");
  add_version(app).group(group::kHelp);
  set_help(app, program_help());
  app.require_subcommand(0, 1);  // a missing command is reported below; CLI11 would report it before an unknown one
  app.failure_message([](const CLI::App* failed, const CLI::Error& error) { return usage_message(*failed, error); });
  std::map<std::string, Work> commands;
  commands["motif"] = add_motif_command(app);
  commands["match"] = add_match_command(app);
  commands["pcr"] = add_pcr_command(app);
  commands["pwm"] = add_pwm_command(app);
  commands["guides"] = add_guides_command(app);
  commands["map"] = add_map_command(app);
  const auto add = [&commands](const char* name, std::function<int()> work) {
    commands[name] = [work = std::move(work)](PartSet*) { return work(); };
  };
  add("plan", add_plan_command(app));
  add("merge", add_merge_command(app));
  add("pack", add_pack_command(app));
  add("compile", add_compile_command(app));
  add("doctor", add_doctor_command(app));
  add("bench", add_bench_command(app));
  add("help", add_help_command(app));
  add("man", add_man_command(app));
  add("completion", add_completion_command(app));
  add("cite", add_cite_command(app));
  if (parts != nullptr) last_value_counts(*app.get_subcommand(words.front()));
  try {
    join_optional_value("--circular", words);
    const CommandLine line = read_command_line(app, words);
    if (line.fault) {
      std::fputs(usage_message(*line.fault).c_str(), stderr);
      return kExitUsage;
    }
    for (const std::size_t argument : line.arguments) protect_argument(words[argument]);
    if (line.end_of_options) words.erase(words.begin() + static_cast<std::ptrdiff_t>(*line.end_of_options));
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    std::ostringstream shown;  // help or version
    if (app.exit(error, shown) != 0) return kExitUsage;
    return print(shown.str());
  }
  if (app.get_subcommands().empty()) {
    std::fputs(app.help("", CLI::AppFormatMode::All).c_str(), stderr);
    return kExitUsage;
  }
  return commands.at(app.get_subcommands().front()->get_name())(parts);
}

}  // namespace basesweep
