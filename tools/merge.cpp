// basesweep merge: finishes the run whose chunks wrote these parts.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/parts/part_set.hpp"
#include "lib/rows/output_format.hpp"
#include "tools/commands.hpp"
#include "tools/format_options.hpp"
#include "tools/help.hpp"
#include "tools/part_output.hpp"
#include "tools/program.hpp"
#include "tools/run_options.hpp"

namespace basesweep {
namespace {

Help merge_help() {
  std::vector<Term> codes = file_exit_codes();
  codes[3].meaning = "bad input data, or parts that do not belong together";
  return {
      .synopsis = {"[OPTIONS] PART..."},
      .sections =
          {{"Parts",
            {"The outputs of 'basesweep motif', 'match', 'pcr', 'pwm', 'guides' or 'map', each of one chunk (--chunk "
             "i/N), in any order. A part holds what the chunk found (.bsp), in no format yet: merge chooses among it, "
             "formats it and writes it, and the output is the same as that of one run without chunks. It is an error "
             "if a part is missing, given twice, damaged, or of another run (version, options, patterns, plan)."}},
           {"Options of the run",
            {"merge does what was asked of the chunks: the format, the columns, the choice of hits, their number. "
             "Options given to merge replace those, and an option of the chunks that the output has no room for, such "
             "as --columns in BAM, is left out. So parts become any format and any report that the command has, as far "
             "as the chunks found what it needs: a report of minima or of all places, flanks, and tables of pwm must "
             "be asked of the chunks."}}},
      .examples = {{"Search a genome in two jobs, then join and index their hits",
                    {"basesweep motif -p GAATTC genome.fa --chunk 1/2 -o part1.bsp",
                     "basesweep motif -p GAATTC genome.fa --chunk 2/2 -o part2.bsp",
                     "basesweep merge part*.bsp -o hits.bed.gz --write-index"}},
                   {"The best hits as alignments; then all hits for a spreadsheet",
                    {"for i in 1 2; do",
                     "    basesweep match -f primers.fa -k 2 genome.fa --chunk $i/2 -o primers$i.bsp", "done",
                     "basesweep merge primers?.bsp --report best -o best.bam --json report.json",
                     "basesweep merge primers?.bsp --columns pattern,record,start,edits -o hits.csv"}},
                   {"The table of guides, and their places",
                    {"for i in 1 2; do", "    basesweep guides -f library.tsv genome.fa --chunk $i/2 \\",
                     "        -o guides$i.bsp --hits places.bed -q", "done",
                     "basesweep merge guides?.bsp -o guides.tsv --hits places.bed"}}},
      .files = {{"FILE.tbi, FILE.bai, FILE.csi", "Index of the output, written by --write-index."}},
      .exit_codes = std::move(codes),
      .see_also = {"plan", "motif", "match", "map"},
      .most_used = {"-o", "--format", "--columns", "--report", "--max-hits", "--hits", "--write-index", "--json", "-t",
                    "-h", "--help"}};
}

struct MergeOptions {
  std::vector<std::string> parts;
  std::vector<std::string> words;  // for the command of the parts
};

// An option of the commands that merge gives to the one of the parts.
struct PassedOption {
  const char* names;
  const char* type;  // null: a flag
  const char* help;
};

constexpr PassedOption kOutputOptions[] = {
    {"-o,--output", "FILE",
     "Output file; its ending chooses the format, and a name that ends in .gz is compressed (BGZF); - is stdout "
     "(default)"},
    {"--hits", "FILE", "Places of guides, which the chunks kept by --hits; the ending chooses the format"},
    {"--format", "FORMAT", "Output format, one of those that the command of the parts writes"},
    {"--columns", "NAMES", "Columns, as the command of the parts takes them"},
    {"--with-file", nullptr, "Also print the name of the input file"},
    {"--edit-columns", nullptr, "Add the columns mismatches, insertions and deletions"},
    {"--aligned", nullptr, "Add the columns aligned_pattern and aligned_text"},
    {"--sequence", "WHAT", "What FASTA shows of a product: product, amplified or insert"},
    {"--count", nullptr, "Print the number of hits or products instead of them"},
    {"--per-file", nullptr, "With --count: count those of each input file in rows of their own"},
    {"--by-edits", nullptr, "With --count: add a column for each number of edits"},
    {"--eqx", nullptr, "Write = and X in CIGAR strings instead of M"},
    {"--no-PG", nullptr, "Write no @PG line"},
    {"-R,--rg,--read-group", "LINE", "Write this @RG line and the tag RG"},
    {"--cram-reference", "FILE", "The reference that CRAM is written with"},
    {"--write-index", nullptr,
     "Index the output: .tbi for BED, TSV and GFF3, .bai for SAM and BAM, .csi for records that are too long for "
     "these"},
    {"--compression", "LEVEL", "How hard outputs that are named .gz, and BAM, are compressed: 0 to 9"},
    {"--json", "FILE", "Write a report of the whole run as JSON"},
};

constexpr PassedOption kChoiceOptions[] = {
    {"--report", "WHAT", "Which hits or products to report"},
    {"--best-of", "WHAT", "With --report best-per-record: compare those of each pattern, or all of a record"},
    {"--non-overlapping", nullptr, "Keep only hits that start at or after the end of the last kept one"},
    {"--max-hits", "N", "Write the first N hits"},
    {"--max-products", "N", "Write the first N products"},
    {"--table", "", "A table of the products of each record and pair"},
};

constexpr PassedOption kRunningOptions[] = {
    {"-t,--threads", "N", "Number of threads; 0 (default): all that this process may use"},
    {"-q,--quiet", nullptr, "Print no warnings, and no line at the end that says what was found"},
    {"-v,--verbose", nullptr, "Print what was chosen and how long it took"},
};

// The last long name of an option.
std::string long_name(const std::string& names) { return names.substr(names.rfind("--")); }

void add_passed(CLI::App& command, const PassedOption& option, std::vector<std::string>& words) {
  const std::string name = long_name(option.names);
  if (option.type == nullptr || *option.type == '\0') {
    add_called_flag(
        command, option.names, [&words, name] { words.push_back(name); }, option.help);
  } else {
    add_parsed(
        command, option.names, option.type,
        [&words, name](const std::string& value) { words.push_back(name + "=" + value); }, option.help);
  }
}

// An option with its value, as a word of a command line.
struct Word {
  std::string_view option;
  std::string_view value;

  explicit Word(std::string_view word)
      : option(word.substr(0, word.find('='))), value(word.substr(std::min(option.size() + 1, word.size()))) {}
};

// The last value of an option; nothing if it is not given.
std::optional<std::string> value_of(std::string_view option, const std::vector<std::string>& words) {
  std::optional<std::string> value;
  for (const std::string& one : words) {
    if (const Word word(one); word.option == option) value = word.value;
  }
  return value;
}

// The format of the output, as far as the words say it. `command`: that of the parts. `of_chunks`: without a --format
// that does not fit the output.
std::optional<OutputFormat> merged_format(const std::string& command, const std::vector<std::string>& of_chunks,
                                          const std::vector<std::string>& given) {
  if (value_of("--count", of_chunks) || value_of("--count", given)) return OutputFormat::counts;
  const std::vector<OutputFormat> named =
      with_tables({OutputFormat::tsv, OutputFormat::bed, OutputFormat::gff3, OutputFormat::fasta, OutputFormat::sam,
                   OutputFormat::bam, OutputFormat::cram});
  const auto by_name = [&](std::string_view option) {
    return format_of_name(value_of(option, given).value_or("-"), named);
  };
  if (command == "guides") return by_name("--hits");
  for (const auto* words : {&given, &of_chunks}) {
    if (const auto format = value_of("--format", *words)) return format_of_word(*format);
  }
  return by_name("--output");
}

// The words of the chunks that hold for merge too: not those that ask for what its output has no room for.
std::vector<std::string> lasting(const std::string& command, std::vector<std::string> words,
                                 const std::vector<std::string>& given) {
  const auto is_new = [&](std::string_view option) { return value_of(option, given) && !value_of(option, words); };
  const bool counts_now = is_new("--count");
  const bool no_rows = counts_now || is_new("--table");
  const std::string output = value_of("--output", given).value_or("-");
  const auto leaves = [&](const Word& word) {
    if (word.option == "--columns") return no_rows;
    if (word.option == "--max-hits" || word.option == "--max-products") return counts_now;
    if (word.option != "--format") return false;
    const std::optional<OutputFormat> named = format_of_word(word.value);
    return names_another_format(output, word.value) || (no_rows && !(named && is_table(*named)));
  };
  std::erase_if(words, [&](const std::string& word) { return leaves(Word(word)); });
  if (const std::optional<OutputFormat> format = merged_format(command, words, given)) {
    std::erase_if(words, [&](const std::string& text) {
      const Word word(text);
      return !has_room(*format, word.option, word.value);
    });
  }
  return words;
}

// Throws UsageError if an output would replace a part.
void check_outputs(const MergeOptions& o) {
  RunOptions files;
  files.output = value_of("--output", o.words).value_or(files.output);
  files.json = value_of("--json", o.words).value_or("");
  check_run_options(files, o.parts, {});
}

int run_merge(const MergeOptions& o) {
  for (const std::string& path : o.parts) {
    if (gives_once(path))
      throw UsageError(fmt::format("{}: a part must be a file: it may be read twice", input_name(path)));
  }
  check_outputs(o);
  PartSet parts(o.parts);
  std::vector<std::string> words = words_of(parts);
  const std::string command = words.front();
  if (command == "map" && value_of("--write-index", o.words)) {
    throw UsageError("--write-index: the alignments are in read order: sort them by position first");
  }
  if (command == "pwm" && value_of("--table", o.words)) {
    throw UsageError("--table: pwm's tables are made by the chunks: give --table to these, and leave it out here");
  }
  words = lasting(command, parts.head().words, o.words);
  words.insert(words.begin(), command);
  words.insert(words.end(), o.words.begin(), o.words.end());
  return run_words(std::move(words), &parts);
}

}  // namespace

std::function<int()> add_merge_command(CLI::App& app) {
  auto options = std::make_shared<MergeOptions>();
  MergeOptions& o = *options;
  CLI::App& command =
      add_command(app, "merge", "Finish a run: join the parts of all chunks", kPartCommands, merge_help());
  begin_group(command, group::kOutput);
  add_arguments(command, "part", "FILE", o.parts, "The parts of all chunks", {.required = true});
  for (const PassedOption& option : kOutputOptions) add_passed(command, option, o.words);
  begin_group(command, group::kHits);
  for (const PassedOption& option : kChoiceOptions) add_passed(command, option, o.words);
  begin_group(command, group::kRunning);
  add_timeout_option(command);
  for (const PassedOption& option : kRunningOptions) add_passed(command, option, o.words);
  return [options] { return run_merge(*options); };
}

}  // namespace basesweep
