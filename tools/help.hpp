// The help of a command apart from its options. `--help` and the man page are printed from it and from the definitions
// of the options.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace basesweep {

class Rows;

struct Term {
  std::string name;
  std::string meaning;
};

struct Example {
  std::string caption;
  std::vector<std::string> lines;  // shell commands
};

// A column that a command's rows have.
struct HelpColumn {
  std::string name;
  std::string type;
  std::string meaning;
  bool usual;  // a table has it unless columns are chosen
};

// Paragraphs, then terms. The text is wrapped when it is printed.
struct HelpSection {
  std::string title;
  std::vector<std::string> paragraphs;
  std::vector<Term> terms{};
};

struct Help {
  std::vector<std::string> synopsis;  // the text after the command's name, one entry per way of calling it
  std::vector<std::string> about{};
  std::vector<HelpSection> sections{};
  std::vector<Example> examples{};
  std::vector<Term> files{};        // in the man page only
  std::vector<Term> environment{};  // in the man page only
  std::vector<Term> exit_codes{};
  std::vector<std::string> see_also{};  // other commands
  std::vector<HelpColumn> columns{};    // those that --columns may choose
  // Options that -h shows, besides those of the synopsis and the examples before the third. None: all.
  std::vector<std::string> most_used{};
};

// The groups that options are listed in, in the order of the help.
namespace group {
inline constexpr const char* kInput = "Input";
inline constexpr const char* kPatterns = "Patterns";
inline constexpr const char* kHits = "What is a hit";
inline constexpr const char* kChunks = "Regions and chunks";
inline constexpr const char* kOutput = "Output";
inline constexpr const char* kSam = "SAM, BAM, CRAM";
inline constexpr const char* kRunning = "Running";
inline constexpr const char* kHelp = "Help";
inline constexpr const char* kAll[] = {kPatterns, kInput, kHits, kChunks, kOutput, kSam, kRunning, kHelp};
}  // namespace group

// The groups that `basesweep --help` lists commands in.
inline constexpr const char* kSearchCommands = "Search";
inline constexpr const char* kReadCommands = "Reads";
inline constexpr const char* kPartCommands = "Parts and files";
inline constexpr const char* kMachineCommands = "This machine";
inline constexpr const char* kReferenceCommands = "About basesweep";

// The term about tables in an "Output format": their usual columns, and those that --columns may add.
Term table_term(const Rows& rows);

// The columns of rows that --columns may choose.
std::vector<HelpColumn> columns_of(const Rows& rows);

// Sets the help of a command, and puts -h and --help into their group.
void set_help(CLI::App& command, Help help);

// Exit codes, environment variables and files that several commands share.
std::vector<Term> search_exit_codes();
std::vector<Term> file_exit_codes();
std::vector<Term> search_environment();
std::vector<Term> index_files();

}  // namespace basesweep
