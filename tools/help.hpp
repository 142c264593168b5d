// What a command's help says besides its options. `--help` and the man page are both printed from it and from the
// options' own definitions.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace basesweep {

struct Term {
  std::string name;
  std::string meaning;
};

struct Example {
  std::string what;
  std::vector<std::string> lines;  // as typed into a shell
};

// Paragraphs, then terms. Lines of text are filled anew, so they say nothing by where they end.
struct HelpSection {
  std::string title;
  std::vector<std::string> paragraphs;
  std::vector<Term> terms{};
};

struct Help {
  std::vector<std::string> synopsis;  // what follows the command's name; a way of calling it each
  std::vector<std::string> about{};
  std::vector<HelpSection> sections{};
  std::vector<Example> examples{};
  std::vector<Term> files{};        // for the man page alone
  std::vector<Term> environment{};  // likewise
  std::vector<Term> exit_codes{};
  std::vector<std::string> see_also{};  // other commands
};

// The groups that options are listed in, in this order.
namespace group {
inline constexpr const char* kInput = "Input";
inline constexpr const char* kPatterns = "Patterns";
inline constexpr const char* kHits = "What is a hit";
inline constexpr const char* kChunks = "Regions and chunks";
inline constexpr const char* kOutput = "Output";
inline constexpr const char* kSam = "SAM, BAM, CRAM";
inline constexpr const char* kRunning = "Running";
inline constexpr const char* kHelp = "Help";
inline constexpr const char* kAll[] = {kInput, kPatterns, kHits, kChunks, kOutput, kSam, kRunning, kHelp};
}  // namespace group

// The groups that `basesweep --help` lists commands in.
inline constexpr const char* kSearchCommands = "Search";
inline constexpr const char* kPartCommands = "In parts";
inline constexpr const char* kMachineCommands = "This machine";
inline constexpr const char* kReferenceCommands = "About basesweep";

// Options that are added from now on are listed there.
inline void begin_group(CLI::App& command, const char* group) { command.option_defaults()->group(group); }

// Gives the command its help, and puts -h where it belongs.
void set_help(CLI::App& command, Help help);

// What every run can end with, and what all commands that read and write heed.
std::vector<Term> search_exit_codes();
std::vector<Term> file_exit_codes();
std::vector<Term> search_environment();
std::vector<Term> index_files();

}  // namespace basesweep
