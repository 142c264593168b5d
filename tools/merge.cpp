// basesweep merge: finishes the run whose chunks wrote these parts.
#include <fmt/format.h>
#include <fmt/ranges.h>

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
            {"The outputs of 'basesweep motif', 'match', 'pcr', 'pwm', 'guides', 'map', 'demux', 'trim' or 'count', "
             "each "
             "of one chunk (--chunk i/N), in any order. A part holds what the chunk found (.bsp), in no format yet: "
             "merge chooses among it, formats it and writes it, and the output is the same as that of one run without "
             "chunks. It is an error if a part is missing, given twice, damaged, or of another run (version, options, "
             "patterns, plan)."}},
           {"Options of the run",
            {"merge does what was asked of the chunks: the format, the columns, the choice of hits, their number. "
             "Options given to merge replace those, and an option of the chunks that the output has no room for, such "
             "as --columns in BAM, is left out. So parts become any format and any report that the command has, as far "
             "as the chunks found what it needs: a report of minima or of all places, flanks, and tables of pwm must "
             "be asked of the chunks.",
             "Parts of demux and trim hold reads as they are written, so chunks choose their format. Give merge the "
             "files that the run would have, all that the chunks of trim kept reads for."}}},
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
                     "basesweep merge guides?.bsp -o guides.tsv --hits places.bed"}},
                   {"Reads by sample",
                    {"for i in 1 2; do", "    basesweep demux -s samples.tsv reads_ont.fastq.gz --kit RBK114-24 -q \\",
                     "        -o reads$i.bsp --chunk $i/2", "done",
                     "basesweep merge reads?.bsp -o by_sample --force"}}},
      .files = {{"FILE.tbi, FILE.bai, FILE.csi", "Index of the output, written by --write-index."}},
      .exit_codes = std::move(codes),
      .see_also = {"plan", "motif", "match", "map", "demux", "trim", "count"},
      .most_used = {"-o", "--format", "--columns", "--report", "--max-hits", "--hits", "--write-index", "--json", "-t",
                    "-h", "--help"}};
}

struct MergeOptions {
  std::vector<std::string> parts;
  std::vector<std::string> words;  // for the command of the parts
  std::vector<CommandInfo> commands = commands_with_parts();
};

// An option that merge hands to the command of the parts.
struct PassedOption {
  OptionInfo info;
  std::string group;

  const std::string& name() const { return info.names.back(); }
  // It is a flag of one command, and has a value in another.
  bool may_have_value() const { return info.value.starts_with("[="); }
};

// Adds what another command says of an option that is known.
void add_command_to(const OptionInfo& more, OptionInfo& known) {
  if (known.facts.in_merge->empty()) known.facts.in_merge = more.facts.in_merge;
  if (known.facts.type == ValueType::flag && more.facts.type == ValueType::text) {
    known.facts.type = ValueType::text;
    known.value = "[=" + more.value + "]";
  }
  for (const std::string& word : more.words) {
    if (known.words.empty() || std::find(known.words.begin(), known.words.end(), word) != known.words.end()) continue;
    known.words.push_back(word);
    known.value += "|" + word;
  }
}

// The options that merge has of the commands, each once, with all words that a command takes for it.
std::vector<PassedOption> passed_options(const std::vector<CommandInfo>& commands) {
  std::vector<PassedOption> all;
  for (const CommandInfo& command : commands) {
    for (const OptionGroup& group : command.groups) {
      for (const OptionInfo& option : group.options) {
        if (!option.facts.in_merge) continue;
        const auto known = std::find_if(
            all.begin(), all.end(), [&option](const PassedOption& one) { return one.name() == option.names.back(); });
        known == all.end() ? all.push_back({option, group.title}) : add_command_to(option, known->info);
      }
    }
  }
  return all;
}

void add_passed(CLI::App& command, const PassedOption& option, std::vector<std::string>& words) {
  const std::string& name = option.name();
  const std::string names = fmt::format("{}", fmt::join(option.info.names, ","));
  const std::string& own = *option.info.facts.in_merge;
  const std::string& help = own.empty() ? option.info.text : own;
  begin_group(command, option.group.c_str());
  if (option.may_have_value()) {
    const std::string type = option.info.value.substr(2, option.info.value.size() - 3);
    add_optional_texts(
        command, names, type,
        [&words, name](const std::string& value) { words.push_back(value == "*" ? name : name + "=" + value); }, help);
  } else if (option.info.facts.type == ValueType::flag) {
    add_called_flag(
        command, names, [&words, name] { words.push_back(name); }, help);
  } else {
    add_parsed(
        command, names, option.info.value,
        [&words, name](const std::string& value) { words.push_back(name + "=" + value); }, help);
  }
  OptionFacts facts = option.info.facts;
  if (facts.kept) facts.usual = {};  // then the value of the chunks holds
  set_facts(command, name, std::move(facts));
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

// Of commands that write reads, the format of the chunks is left out only where the output's name asks for another.
std::vector<std::string> lasting_of_reads(std::vector<std::string> words, const std::vector<std::string>& given) {
  const std::string output = value_of("--output", given).value_or("-");
  std::erase_if(words, [&output](const std::string& text) {
    const Word word(text);
    return word.option == "--format" && names_another_format(output, word.value);
  });
  return words;
}

// Throws UsageError for options that the command of the parts does not have as merge has them.
void check_words(const std::string& command, const std::vector<std::string>& given) {
  if (command == "map" && value_of("--write-index", given)) {
    throw UsageError("--write-index: the alignments are in read order: sort them by position first");
  }
  const std::optional<std::string> table = value_of("--table", given);
  if (!table) return;
  if (command == "pwm") {
    throw UsageError("--table: pwm's tables are made by the chunks: give --table to these, and leave it out here");
  }
  const bool of_reads = command == "demux" || command == "trim";
  if (of_reads && table->empty()) throw UsageError("--table: the table of reads needs a file: --table FILE");
  if (!of_reads && !table->empty())
    throw UsageError(fmt::format("--table {}: {} writes its table to -o: leave the file out", *table, command));
}

// Throws UsageError if an output would replace a part.
void check_outputs(const MergeOptions& o) {
  RunOptions files;
  files.output = value_of("--output", o.words).value_or(files.output);
  files.json = value_of("--json", o.words).value_or("");
  files.html = value_of("--html", o.words).value_or("");
  check_run_options(files, o.parts, {});
}

int run_merge(const MergeOptions& o) {
  for (const std::string& path : o.parts) {
    if (gives_once(path))
      throw UsageError(fmt::format("{}: a part must be a file: it may be read twice", input_name(path)));
  }
  check_outputs(o);
  PartSet parts(o.parts);
  std::vector<std::string> words = words_of(parts, o.commands);
  const std::string command = words.front();
  check_words(command, o.words);
  const bool of_reads = std::any_of(o.commands.begin(), o.commands.end(), [&command](const CommandInfo& one) {
    return one.path.back() == command && one.group == kReadCommands;
  });
  words = of_reads ? lasting_of_reads(parts.head().words, o.words) : lasting(command, parts.head().words, o.words);
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
  add_arguments(command, "part", "FILE", o.parts, "The parts of all chunks", {.required = true});
  for (const PassedOption& option : passed_options(o.commands)) add_passed(command, option, o.words);
  begin_group(command, group::kRunning);
  add_timeout_option(command);
  return [options] { return run_merge(*options); };
}

}  // namespace basesweep
