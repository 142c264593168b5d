#include "tools/search_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/letter_case.hpp"
#include "lib/base/line_names.hpp"
#include "lib/reader/pattern_list.hpp"
#include "lib/reader/written_sequence.hpp"
#include "lib/writer/formatter.hpp"
#include "tools/file_kind.hpp"
#include "tools/format_options.hpp"
#include "tools/pair_search.hpp"
#include "tools/part_output.hpp"
#include "tools/reads_files.hpp"

namespace basesweep {

void add_pattern_options(CLI::App& command, SearchJobOptions& o, const std::string& noun) {
  add_texts(command, "-p,--pattern", upper_case(noun), o.patterns,
            fmt::format("A {} of nucleotides and IUPAC codes, or NAME=SEQUENCE; may be repeated", noun),
            {.empty_value = true, .kept = false});
  add_texts(
      command, "-f,--pattern-file", "FILE", o.pattern_files,
      fmt::format("A file of {}s: FASTA, a table (TSV, CSV, BED with sequences), one sequence a line, FASTQ, EMBL or "
                  "GenBank; may be repeated",
                  noun),
      {.empty_value = true, .kept = false});
  add_name_column(command, o.columns.name, fmt::format("the {}s' names in tables", noun));
  add_text(command, "--pattern-column", "COLUMN", o.columns.sequence,
           fmt::format("Column of the {}s' sequences in tables: a name in the header, or a number from 1", noun),
           {.kept = false});
}

void add_name_column(CLI::App& command, std::string& column, const std::string& of) {
  add_text(command, "--name-column", "COLUMN", column,
           fmt::format("Column of {}: a name in the header, or a number from 1", of), {.kept = false});
}

void add_text_options(CLI::App& command, SearchJobOptions& o, const std::string& more_of_cram) {
  keep_words(command, o);
  begin_group(command, group::kInput);
  add_arguments(command, "input", "FILE", o.inputs,
                "FASTA or FASTQ, plain or compressed, .2bit, SAM, BAM or CRAM; a URL; - or no file: stdin");
  add_alignment_options(command, o.alignments, more_of_cram);
  add_region_options(command, o.regions, "the input");
  add_chunk_options(command, o.chunk);
  add_file_options(command, o);
  add_running_options(command, o);
  add_number(command, "--batch-bases", o.batch_positions, {.min = 1, .max = 1U << 30, .suffixes = true},
             "Bases per batch; for tests, no result depends on it", {.hidden = true});
}

void add_table_memory(CLI::App& command, SearchJobOptions& o) {
  begin_group(command, group::kRunning);
  add_number(
      command, "--table-memory", o.table_bytes, {.min = 1, .suffixes = true},
      "Take at most N bytes for the table of a large set of primers, or the next best algorithm; N may end in k, M "
      "or G (default: half of the free memory, at most 16 GiB)");
}

OptionTable<SearchJobOptions> strand_options(const std::string& noun) {
  return TableMaker<SearchJobOptions>()
      .table(
          [](auto& o) -> auto& { return o; }, strand_option(&SearchJobOptions::strand, "Strands to search"))
      .choice("--palindromes", &SearchJobOptions::palindromes,
              std::vector<std::pair<std::string, PalindromeChoice>>{{"once", PalindromeChoice::once},
                                                                    {"both", PalindromeChoice::both}},
              fmt::format("Report hits of palindromic {}s once, on strand + (default), or on both strands", noun))
      .reported("palindromes")
      .in_program()
      .take();
}

OptionTable<SearchJobOptions> soft_masked_option(const std::string& help) {
  return TableMaker<SearchJobOptions>()
      .choice("--soft-masked", &SearchJobOptions::skip_soft_masked,
              std::vector<std::pair<std::string, bool>>{{"use", false}, {"skip", true}}, help)
      .reported("soft_masked")
      .in_program()
      .take();
}

OptionTable<SearchJobOptions> non_overlapping_option(const std::string& noun) {
  return TableMaker<SearchJobOptions>()
      .flag("--non-overlapping", &SearchJobOptions::non_overlapping,
            fmt::format("Per record, {} and strand, keep only hits that start at or after the end of the last kept hit",
                        noun),
            {.in_merge = "Keep only hits that start at or after the end of the last kept one"})
      .in_program()
      .reported_as("overlapping",
                   [](const SearchJobOptions& o) { return ParameterValue(o.non_overlapping ? "no" : "yes"); })
      .take();
}

OptionTable<SearchJobOptions> circular_option() {
  OptionRow<SearchJobOptions> row{"--circular", [](CLI::App& command, SearchJobOptions& o) {
                                    add_optional_texts(
                                        command, "--circular", "NAME",
                                        [&o](const std::string& name) {
                                          name == "*" ? void(o.circular.all = true)
                                                      : void(o.circular.names.insert(name));
                                        },
                                        "The record of this name is circular; without a name, all records are; may be "
                                        "repeated");
                                  }};
  row.key = "circular";
  row.always = false;
  row.value = [](const SearchJobOptions& o) {
    return o.circular.any() ? ParameterValue(circular_word(o.circular)) : ParameterValue();
  };
  row.words = [](const SearchJobOptions& o) {
    std::string words = o.circular.all ? " --circular" : "";
    for (const std::string& name : o.circular.names) words += " --circular=" + name;
    return words;
  };
  return {row};
}

OptionTable<SearchJobOptions> max_hits_option() {
  return TableMaker<SearchJobOptions>()
      .number("--max-hits", &SearchJobOptions::max_hits, {.min = 1, .suffixes = true},
              "Stop after the first N hits; N may end in k, M or G (10k: 10,000)",
              {.in_merge = "Write the first N hits"})
      .reported("max_hits")
      .in_program()
      .take();
}

OptionTable<SearchJobOptions> count_options(const std::string& rows, const std::string& by) {
  return TableMaker<SearchJobOptions>()
      .flag("--count", &SearchJobOptions::count,
            fmt::format("Print the number of {} per {} and strand instead of {}", rows, by, rows),
            {.in_merge = "Print the number of hits or products instead of them"})
      .take();
}

OptionTable<SearchJobOptions> per_file_option(const std::string& rows) {
  return TableMaker<SearchJobOptions>()
      .flag("--per-file", &SearchJobOptions::per_file,
            fmt::format("With --count: count the {} of each input file in rows of their own", rows),
            {.in_merge = "With --count: count those of each input file in rows of their own"})
      .reported_if_given("per_file")
      .take();
}

OptionTable<SearchJobOptions> with_file_option(const std::string& tables) {
  return TableMaker<SearchJobOptions>()
      .flag("--with-file", &SearchJobOptions::with_file,
            fmt::format("Also print the name of the input file: in {} as the column file, in GFF3 and FASTA as "
                        "file=NAME",
                        tables),
            {.in_merge = "Also print the name of the input file"})
      .reported_if_given("with_file")
      .take();
}

OptionTable<SearchJobOptions> hit_options(const std::string& noun) {
  const auto own = [](auto& o) -> auto& { return o; };
  return TableMaker<SearchJobOptions>()
      .begin(group::kInput)
      .call([](CLI::App& command, SearchJobOptions& o) { add_mate_options(command, o); })
      .begin(group::kHits)
      .table(own, strand_options(noun))
      .table(own, soft_masked_option("Search lower-case bases as any others (default), or skip hits that touch one"))
      .table(own, non_overlapping_option(noun))
      .table(own, circular_option())
      .begin(group::kOutput)
      .table(own, max_hits_option())
      .table(own, count_options("hits", noun))
      .call([](CLI::App& command, SearchJobOptions& o) {
        add_columns_option(command, o.shown, "hit");
        add_index_option(command, o.write_index);
        add_record_files(command, o);
      })
      .row(pairs_option())
      .table(own, per_file_option("hits"))
      .number("--flank", &SearchJobOptions::flank, {.max = kMaxFlank, .suffixes = true},
              "Also print the N bases on either side of a hit, fewer at the ends of a record: in TSV as the columns "
              "upstream and downstream, in FASTA in lower case")
      .reported_if_given("flank")
      .table(own, with_file_option("TSV"))
      .take();
}

std::string circular_word(const CircularRecords& circular) {
  return circular.all ? "all" : fmt::format("names:{}", fmt::join(circular.names, ","));
}

ShownColumns shown_columns(const SearchJobOptions& o) {
  ShownColumns columns = o.shown;
  if (o.with_file) columns.added.emplace_back("file");
  return columns;
}

HelpSection circular_help() {
  return {
      "Circular records",
      {"With --circular, the text is the record repeated without end. Hits start in the record and are not longer than "
       "it. A hit over the origin is one hit: in TSV, GFF3, FASTA, SAM and BAM it ends past the record's end; in "
       "BED it is two lines, [start, length) and [0, end - length). GFF3 has a line with Is_circular=true for each "
       "circular record. With --non-overlapping, a hit over the origin is dropped if it overlaps the first hit kept. "
       "There is no --flank with --circular. A word after --circular that is the name of a file is an input; "
       "--circular=NAME is always a name."}};
}

void check_search_options(SearchJobOptions& o, const std::string& command, const WrittenFiles& written) {
  if (o.columns.any() && o.pattern_files.empty()) {
    throw UsageError("--name-column and --pattern-column are for pattern files (-f)");
  }
  if (o.count && o.max_hits) throw UsageError("--count and --max-hits conflict");
  check_record_files(o);
  check_pairs(o);
  if (o.inputs.empty()) {
    check_stdin(command);
    o.inputs = {"-"};
  }
  std::vector<std::string> read = o.inputs;
  read.insert(read.end(), o.pattern_files.begin(), o.pattern_files.end());
  const std::vector<std::string> references = o.alignments.files();
  read.insert(read.end(), references.begin(), references.end());
  const std::vector<std::string> more = o.regions.files(o.inputs);
  read.insert(read.end(), more.begin(), more.end());
  if (!o.chunk.plan.empty()) read.push_back(o.chunk.plan);
  WrittenFiles files = record_files(o);
  files.insert(files.end(), written.begin(), written.end());
  check_run_options(o, read, files);
}

std::optional<OutputFormat> output_format(const SearchJobOptions& o, std::span<const OutputFormat> formats) {
  if (o.is_chunk()) {  // merge chooses the format; what the options ask for is checked as for this one
    check_part_name(o.output);
    return o.count ? OutputFormat::counts : o.format.value_or(OutputFormat::tsv);
  }
  if (o.count) {
    table_format(o, "--count");
    return OutputFormat::counts;
  }
  const std::optional<OutputFormat> named = choose_format(o, formats);
  return named || o.shown.only.empty() ? named : OutputFormat::tsv;  // these columns make a table
}

bool merge_chooses_format(const SearchJobOptions& o) { return o.is_chunk() && !o.format; }

OutputFormat table_format(const SearchJobOptions& o, const std::string& option) {
  if (o.is_chunk()) {
    check_part_name(o.output);
    return o.format.value_or(OutputFormat::tsv);
  }
  if (o.format && !is_table(*o.format)) {
    throw UsageError(
        fmt::format("{} writes {}, not {}: leave --format out", option, list_tables("or"), word_of(*o.format)));
  }
  if (o.format) return *o.format;
  std::vector<OutputFormat> formats{OutputFormat::counts};  // TSV, also if it is called .txt
  std::copy_if(kTableFormats.begin(), kTableFormats.end(), std::back_inserter(formats),
               [](OutputFormat format) { return format != OutputFormat::tsv; });
  const OutputFormat named = format_of_name(o.output, formats).value_or(OutputFormat::counts);
  return named == OutputFormat::counts ? OutputFormat::tsv : named;
}

void check_details(const SearchJobOptions& o, OutputFormat format) {
  if (o.flank != 0 && o.circular.any()) {
    throw UsageError("--flank and --circular conflict: flanks do not run over the origin of a record");
  }
  if (o.per_file && !o.count) throw UsageError("--per-file needs --count; for the file of each hit use --with-file");
  if (o.by_edits && !o.count) throw UsageError("--by-edits needs --count");
  if (merge_chooses_format(o)) return;
  const auto names = [&o](const char* column) {
    const auto in = [column](const auto& list) { return std::find(list.begin(), list.end(), column) != list.end(); };
    return in(o.shown.only) || in(o.shown.added);
  };
  const bool chosen = names("upstream") || names("downstream");
  check_format_options(
      [&](const std::string& option) { return o.is_given(option) && !(chosen && option == "--flank"); }, format);
  if (o.shown.any() && is_aligned(format)) {
    throw UsageError(
        fmt::format("--columns: {} has fields of its own: use --format tsv, csv or another of text", noun_of(format)));
  }
}

namespace {

// Refuses a list of sequences, each of which -p takes on its own.
void refuse_list(const std::string& text, const std::string& name, const std::string& written) {
  std::vector<std::string> sequences;
  for (std::string_view rest = written; !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of(",;"), rest.size());
    sequences.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const WrittenSequence read = read_written(sequences.back());
    if (!read.fault.empty() || read.letters.empty()) return;
    sequences.back() = read.letters;
  }
  if (sequences.size() < 2) return;
  std::string cure;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    cure +=
        (name.empty() ? fmt::format(" -p {}", sequences[i]) : fmt::format(" -p {}_{}={}", name, i + 1, sequences[i]));
  }
  throw UsageError(
      fmt::format("-p {}: several sequences: give each with its own -p:{} (or join with '|' those that "
                  "count as one pattern)",
                  text, cure));
}

// The pattern of "NAME=SEQUENCE" or "SEQUENCE", which is then its own name.
Pattern given_pattern(const std::string& text, LeftOut& left_out) {
  std::error_code failed;
  if (!letters_fault(text).empty() && std::filesystem::is_regular_file(text, failed)) {
    throw UsageError(fmt::format("-p {0}: this is a file, and -p takes a sequence: use -f {0}", text));
  }
  const std::size_t end = text.rfind('=');
  const std::string written = end == std::string::npos ? text : text.substr(end + 1);
  std::string name = end == std::string::npos ? "" : text.substr(0, end);
  if (end != std::string::npos && name.empty())
    throw UsageError(fmt::format("-p {}: expected a name before '='", text));
  if (!name_fault(name, NameRule::text).empty()) {
    throw UsageError(fmt::format("-p {}: a name may not hold control characters, such as tabs", text));
  }
  if (written.find_first_of(",;") != std::string::npos) refuse_list(text, name, written);
  WrittenSequence read = read_written(written);
  if (!read.fault.empty()) bad_pattern({name.empty() ? text : name, "", ""}, read.fault);
  left_out += read.left_out;
  if (name.empty()) name = letters_fault(text).empty() ? text : read.letters;
  return {name, std::move(read.letters), ""};
}

}  // namespace

PatternSet with_edits(std::vector<Pattern> patterns, StrandChoice strand, PalindromeChoice palindromes,
                      const EditOptions& edits) {
  const auto has_edits = [](const Pattern& pattern) { return pattern.edits.has_value(); };
  if ((edits.edits && edits.rate) || std::none_of(patterns.begin(), patterns.end(), has_edits)) {
    check_edits(edits);
  }
  if (!edits.edits && !edits.rate) {
    const auto lacking = std::find_if_not(patterns.begin(), patterns.end(), has_edits);
    if (lacking != patterns.end())
      bad_pattern(*lacking, "has no number of edits of its own: use -k N or -e RATE, or --mismatches N for no indels");
  }
  return {std::move(patterns), strand, palindromes, edits};
}

std::string given_sequence(const std::string& option, const std::string& written, LeftOut& left_out) {
  WrittenSequence read = read_written(written);
  if (!read.fault.empty()) throw UsageError(fmt::format("{} {}: {}", option, written, read.fault));
  left_out += read.left_out;
  return std::move(read.letters);
}

std::vector<Pattern> collect_patterns(const SearchJobOptions& o, LeftOut& left_out, PatternRows* rows,
                                      RepeatedNames repeated) {
  if (o.patterns.empty() && o.pattern_files.empty()) throw UsageError("no pattern given: use -p or -f");
  std::vector<Pattern> patterns;
  const bool one_file = o.pattern_files.size() == 1 && o.patterns.empty();
  const bool many_files = o.pattern_files.size() > 1;
  std::unordered_map<std::string, std::string> origin;  // name of a pattern -> file it comes from, of many files
  for (const std::string& path : o.pattern_files) {
    for (Pattern& pattern : read_sequences(
             path, [&] { return read_patterns(path, o.columns, one_file ? rows : nullptr, repeated, &left_out); })) {
      if (many_files && repeated == RepeatedNames::refused) {
        const auto [known, fresh] = origin.emplace(pattern.name, path);
        if (!fresh) bad_pattern(pattern, fmt::format("the name is used in {} too", known->second));
      }
      patterns.push_back(std::move(pattern));
    }
  }
  for (const std::string& given : o.patterns) patterns.push_back(given_pattern(given, left_out));
  if (rows != nullptr && !one_file) {
    rows->header = {"name", "sequence"};
    for (const Pattern& pattern : patterns) rows->rows.push_back({pattern.name, pattern.sequence});
  }
  return patterns;
}

}  // namespace basesweep
