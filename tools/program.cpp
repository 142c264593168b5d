#include "tools/program.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/parts/part_reader.hpp"
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

// If an option is given several times, its last value counts.
void last_value_counts(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw) {
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
  }
}

// A command that needs no parts.
Work without_parts(std::function<int()> work) {
  return [work = std::move(work)](PartSet*) { return work(); };
}

struct Command {
  const char* name;
  Work (*add)(CLI::App& app);
  bool has_parts = false;      // it has --chunk, and its parts can be merged
  bool describes_all = false;  // it needs the options of all commands
};

constexpr Command kCommands[] = {
    {"motif", add_motif_command, true},
    {"match", add_match_command, true},
    {"pcr", add_pcr_command, true},
    {"pwm", add_pwm_command, true},
    {"guides", add_guides_command, true},
    {"map", add_map_command, true},
    {"demux", add_demux_command, true},
    {"trim", add_trim_command, true},
    {"count", add_count_command, true},
    {"plan", [](CLI::App& app) { return without_parts(add_plan_command(app)); }},
    {"merge", [](CLI::App& app) { return without_parts(add_merge_command(app)); }},
    {"pack", [](CLI::App& app) { return without_parts(add_pack_command(app)); }},
    {"compile", [](CLI::App& app) { return without_parts(add_compile_command(app)); }},
    {"report", [](CLI::App& app) { return without_parts(add_report_command(app)); }},
    {"doctor", [](CLI::App& app) { return without_parts(add_doctor_command(app)); }},
    {"bench", [](CLI::App& app) { return without_parts(add_bench_command(app)); }},
    {"help", [](CLI::App& app) { return without_parts(add_help_command(app)); }, false, true},
    {"man", [](CLI::App& app) { return without_parts(add_man_command(app)); }, false, true},
    {"completion", [](CLI::App& app) { return without_parts(add_completion_command(app)); }, false, true},
    {"cite", [](CLI::App& app) { return without_parts(add_cite_command(app)); }},
};

// Whether the word names a part, which need not be there.
bool names_part(const std::string& word) {
  if (word.ends_with(".bsp")) return true;
  std::array<char, kPartMagic.size()> start{};
  std::ifstream file(word, std::ios::binary);
  return file.read(start.data(), start.size()) && PartReader::is_one({start.data(), start.size()});
}

// As join_optional_value(): --table of merge has a file, or is followed by a part.
void join_table(std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    if (words[i] != "--table") continue;
    const std::string next = i + 1 < words.size() ? words[i + 1] : "";
    const bool is_value = !next.empty() && next.front() != '-' && !names_part(next);
    words[i] += "=" + (is_value ? next : "*");
    if (is_value) words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

// The program with all its commands, or with one of them: making the options of all takes longer than a short run.
class Program {
 public:
  // `only`: null: all commands.
  explicit Program(const char* only) : app_("Sweep nucleotide sequence for patterns", "basesweep") {
    app_.set_help_flag("-h", "Show the most used options and exit");
    app_.set_help_all_flag("--help", "Show all options and exit");
    add_version(app_).group(group::kHelp);
    set_help(app_, program_help());
    app_.require_subcommand(0, 1);  // a missing command is reported below; CLI11 would report it before an unknown one
    app_.failure_message([](const CLI::App* failed, const CLI::Error& error) { return usage_message(*failed, error); });
    for (const Command& command : kCommands) {
      if (only == nullptr || only == std::string_view(command.name)) works_[command.name] = command.add(app_);
    }
  }

  // Nothing where only the program with all commands can say what is wrong.
  std::optional<int> run(std::vector<std::string> words, PartSet* parts, bool is_whole) {
    if (parts != nullptr) {
      last_value_counts(*app_.get_subcommand(words.front()));
      app_.failure_message([](const CLI::App* failed, const CLI::Error& error) {
        return usage_message(*failed, error, "basesweep merge");  // whose command line has the words
      });
    }
    join_optional_value("--circular", words);
    if (!words.empty() && words.front() == "merge") join_table(words);
    const CommandLine line = read_command_line(app_, words);
    if (line.fault) {
      if (!is_whole) return std::nullopt;
      std::fputs(usage_message(*line.fault).c_str(), stderr);
      return kExitUsage;
    }
    for (const std::size_t argument : line.arguments) protect_argument(words[argument]);
    if (line.end_of_options) words.erase(words.begin() + static_cast<std::ptrdiff_t>(*line.end_of_options));
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    try {
      app_.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
      std::ostringstream shown;  // help or version
      if (app_.exit(error, shown) != 0) return kExitUsage;
      return print(shown.str());
    }
    if (app_.get_subcommands().empty()) {
      std::fputs(app_.help("", CLI::AppFormatMode::All).c_str(), stderr);
      return kExitUsage;
    }
    return works_.at(app_.get_subcommands().front()->get_name())(parts);
  }

 private:
  CLI::App app_;
  std::map<std::string, Work> works_;
};

// The command that the words call, where its own options suffice; "" where no command is called; null: all are needed.
const char* needed(const std::vector<std::string>& words) {
  if (words.empty()) return nullptr;
  if (words.front() == "--version" || words.front() == "-V") return "";
  for (const Command& command : kCommands) {
    if (words.front() == command.name && !command.describes_all) return command.name;
  }
  return nullptr;
}

}  // namespace

std::vector<CommandInfo> commands_with_parts() {
  CLI::App app;
  for (const Command& command : kCommands) {
    if (command.has_parts) command.add(app);
  }
  return describe(app).commands;
}

int run_words(std::vector<std::string> words, PartSet* parts) {
  if (const char* const only = needed(words)) {
    if (const auto code = Program(only).run(words, parts, false)) return *code;
  }
  return *Program(nullptr).run(std::move(words), parts, true);
}

}  // namespace basesweep
