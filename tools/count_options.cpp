#include "tools/count_options.hpp"

#include <fmt/format.h>

#include <string_view>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "tools/shared_options.hpp"

namespace basesweep {

Help count_help() {
  return {
      .synopsis = {"[OPTIONS] -l LIBRARY [READS...]", "[OPTIONS] -l LIBRARY -1 FILE -2 FILE"},
      .about = {"Counts the reads of each guide of a screen, or of each barcode or feature. Each file of reads is a "
                "sample and becomes a column."},
      .sections =
          {{"Library",
            {fmt::format(
                "A table with or without titles (tabs or commas), its columns in any order, or FASTA. The column "
                "of sequences has nothing but A, C, G and T; the first other column without repeats has the "
                "names, and a column of genes is optional. Sequences have {} to {} bases and may differ in "
                "length. A name or a sequence that comes twice is an error.",
                kMinTagLength, kMaxTagLength)}},
           {"Counts",
            {"A read counts for the guide with the fewest edits that begins in the window of starts; of several guides "
             "with as few, for the longest. If these are of one length, the read is ambiguous: it is counted apart and "
             "never split. N and other IUPAC codes in reads are mismatches.",
             "The window is found from the first reads of each file: it goes from the first to the last start at which "
             "at least 1 % of the guides in them are. It is said on stderr. --at gives it instead.",
             "With --structure the guide is looked for in the insert, and if the structure has UMIs, the table holds "
             "the number of different UMIs of each guide, or of pairs of cell barcode and UMI. Similar UMIs are not "
             "merged; those with letters that are not bases are left out."}},
           {"Output format",
            {"One line per guide in the order of the library, after a line of titles."},
            {{"tsv, csv", "guide, gene (if the library has genes), a column for each sample"},
             {"mageck", "sgRNA, Gene, a column for each sample, as `mageck test -k` reads it; also chosen by .txt"},
             {"--summary",
              "sample, reads, counted, edits_0, edits_1, ambiguous, unmatched, guides_without_reads, gini (of "
              "log(count + 1), as MAGeCK has it); with UMIs also unread_umis and umis"}}}},
      .examples = {{"Count the guides of two samples",
                    {"basesweep count -l library.csv plasmid.fq.gz day14.fq.gz -o counts.tsv"}},
                   {"Allow an inserted or deleted base too, and write MAGeCK's table",
                    {"basesweep count -l library.csv -k 1 plasmid.fq.gz day14.fq.gz -o counts.txt \\",
                     "    --summary samples.tsv"}},
                   {"Count UMIs: 8 bases at the start of reads",
                    {"basesweep count -l library.csv --structure 8M+T umis.fq.gz -o umis.tsv"}},
                   {"Guides at bases 23 to 30 of second mates, as their reverse complements",
                    {"basesweep count -l library.csv --mate 2 --strand minus --at 23-30 \\",
                     "    -1 screen_1.fq.gz -2 screen_2.fq.gz -o counts.tsv"}}},
      .environment = search_environment(),
      .exit_codes = search_exit_codes(),
      .see_also = {"plan", "merge", "match", "guides"},
      .most_used = {"-l", "--mismatches", "--at", "-o", "--format", "-h", "--help"}};
}

OptionTable<CountOptions> count_options() {
  return TableMaker<CountOptions>()
      .begin(group::kHits)
      .number("-k,--edits", &CountOptions::edits, {.max = 1},
              "Count reads with up to N edits of a guide: mismatches, inserted or deleted bases")
      .reported_as("edits", [](const CountOptions& o) { return parameter_of(o.lookup().edits); })
      .number("--mismatches", &CountOptions::mismatches, {.max = 1},
              "Count reads with up to N mismatches to a guide, and no indels (default: 1)")
      .value("indels", [](const CountOptions& o) { return parameter_of(o.lookup().indels); })
      .table(
          [](auto& o) -> auto& { return o; },
          strand_option(&CountOptions::strand, "Strands of reads on which guides are", "plus"))
      .text("--at", "FIRST[-LAST]", &CountOptions::at,
            "Where guides begin in reads, 0-based, as 23 or 0-7 (default: found from the first reads)")
      .reported("at")
      .table(
          [](auto& o) -> auto& { return o; },
          structure_option<CountOptions>("whose insert (T, r) has the guide, and whose UMIs (M, u) count once"))
      .begin(group::kInput)
      .number("--mate", &CountOptions::mate, {.min = 1, .max = 2},
              "The mate of pairs that holds the guide (default: 1)")
      .reported("mate")
      .begin(group::kPatterns)
      .choice("--duplicates", &CountOptions::equal,
              std::vector<std::pair<std::string, EqualSequences>>{{"refuse", EqualSequences::refused},
                                                                  {"merge", EqualSequences::merged}},
              "Guides with equal sequences: an error (refuse, default), or one guide with the names of all (merge)")
      .reported("duplicates")
      .take();
}

void add_count_options(CLI::App& command, CountOptions& o) {
  begin_group(command, group::kPatterns);
  add_text(command, "-l,--library", "FILE", o.library,
           "The guides or features: a table or FASTA, plain or compressed; - is stdin", {.required = true});
  add_options(command, count_options(), o);
  add_reads_input(command, o);
  add_texts(command, "--sample", "NAME", o.samples,
            "Name of a sample, once for each file of reads in their order; files with one name are added up (default: "
            "the names of the files)");
  add_text(command, "--samples", "FILE", o.samples_file, "A file with these names, one per line");
  begin_group(command, group::kOutput);
  add_output_option(command, o.output);
  add_format_option(command, o.format, kCountFormats, "Output format (default: from the output's name, else tsv)");
  add_text(command, "--summary", "FILE", o.summary, "Write the totals of each sample to this file, as TSV",
           {.kept = false, .in_merge = ""});
  add_reads_running(command, o);
}

namespace {

// The value of --at.
StartWindow parse_window(const std::string& text) {
  std::string_view rest = text;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  const bool one = text.find('-') == std::string::npos;
  const std::string_view begin = take_to(rest, '-');
  if (!parse_count(begin, false, first) || !parse_count(one ? begin : rest, false, last) || last < first ||
      last >= StartWindow::kEnd) {
    throw UsageError(
        fmt::format("--at {}: expected a start such as 23, or two such as 0-7, the smaller one first", text));
  }
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
}

}  // namespace

void check_count_options(CountOptions& o) {
  if (o.edits && o.mismatches) throw UsageError("--edits and --mismatches conflict");
  if (!o.samples.empty() && !o.samples_file.empty()) throw UsageError("--sample and --samples conflict");
  if (o.is_chunk()) check_chunk_output(o);
  if (!o.at.empty()) o.window = parse_window(o.at);
  std::vector<std::string> read{o.library};
  if (!o.samples_file.empty()) read.push_back(o.samples_file);
  check_reads_options(o, "count", read, {{"--summary", o.summary}});
}

}  // namespace basesweep
