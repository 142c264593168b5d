#include "tools/demux_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/demux/barcode_kits.hpp"
#include "lib/structure/cell_lists.hpp"
#include "tools/help.hpp"
#include "tools/reads_parts.hpp"

namespace basesweep {
namespace {

constexpr const char* kSamplePlace = "{sample}";

// The words of --format, in which a name's .gz is part of the format.
struct FormatWord {
  const char* word;
  OutputFormat format;
  bool gzip;
};
constexpr FormatWord kFormats[] = {{"fastq.gz", OutputFormat::fastq, true},
                                   {"fastq", OutputFormat::fastq, false},
                                   {"bam", OutputFormat::bam, false},
                                   {"sam", OutputFormat::sam, false},
                                   {"fasta", OutputFormat::fasta, false}};

void add_format(CLI::App& command, DemuxArguments& o) {
  std::vector<std::string> words;
  for (const FormatWord& one : kFormats) words.emplace_back(one.word);
  add_words(command, "--format", words, words.size(),
            [&o](std::size_t word) {
              o.format = kFormats[word].format;
              o.gzip = kFormats[word].gzip;
            },
            "Format of the reads (default: bam of SAM, BAM and CRAM, fasta of FASTA, else fastq.gz)", {.in_merge = ""});
}

void add_outputs(CLI::App& command, DemuxArguments& o) {
  begin_group(command, group::kOutput);
  add_text(command, "-o,--output", "FOLDER", o.output,
           "Folder of the output: a file for each sample, or two of pairs, unassigned, summary.tsv and reasons.tsv; it "
           "is made where it is missing",
           {.kept = false,
            .in_merge = "Output file, or folder of demux; its ending chooses format and .gz compression; - is stdout "
                        "(default)"});
  add_format(command, o);
  add_text(command, "--name", "PATTERN", o.name,
           "Names of the files, without ending, with {sample} for the sample (default: {sample}); _R1 and _R2 come "
           "after the names of mates",
           {.empty_value = true, .in_merge = "Names of the files of demux, with {sample} for the sample"});
  add_read_table_option(command, o.table);
  add_flag(command, "--force", o.force, "Replace files that are there",
           {.kept = false, .in_merge = "Replace files that are there in the folder of demux"});
}

// How barcodes are found.
OptionTable<DemuxArguments> barcode_options() {
  return TableMaker<DemuxArguments>()
      .begin(group::kHits)
      .rate("-e,--error-rate", &DemuxArguments::rate,
            "A barcode with its flanks has at most this many edits per base (default: 0.30; less for short barcodes)")
      .reported("error_rate")
      .in_program()
      .number("-k,--edits", &DemuxArguments::edits, {.max = 200},
              "A barcode with its flanks has at most N edits; with a structure: a barcode has at most N mismatches "
              "(default: 1)")
      .reported("edits")
      .in_program()
      .number("--context", &DemuxArguments::context, {.max = kMaxBarcodeLetters},
              "Search a barcode with so many bases of each flank, where the sheet has flanks (default: 20)")
      .reported("context")
      .in_program()
      .number("--window", &DemuxArguments::window, {.min = 1, .max = 1U << 20},
              "Search barcodes in so many bases at the ends of reads (default: 150)")
      .reported("window")
      .in_program()
      .flag("--anywhere", &DemuxArguments::anywhere,
            "Search whole reads; reads with barcodes of two samples are of none")
      .reported("anywhere")
      .in_program()
      .number("--margin", &DemuxArguments::margin, {.min = 1, .max = 50},
              "The next best sample has at least N edits more (default: 2)")
      .reported("margin")
      .in_program()
      .flag("--either-end", &DemuxArguments::either_end, "One of the two barcodes of a sample is enough")
      .reported("either_end")
      .in_program()
      .choice(
          "--strand", &DemuxArguments::strand,
          std::vector<std::pair<std::string, std::optional<StrandChoice>>>{
              {"both", StrandChoice::both}, {"plus", StrandChoice::plus}, {"minus", StrandChoice::minus}},
          "Orientations of reads that are searched, of pairs with mates exchanged (default: both; of pairs plus); + "
          "and - are short for plus and minus",
          {.aliases = {{"+", "plus"}, {"-", "minus"}}})
      .reported("strand")
      .in_program()
      .take();
}

}  // namespace

OptionTable<DemuxArguments> demux_options() {
  const auto all = [](auto& o) -> auto& { return o; };
  return TableMaker<DemuxArguments>()
      .begin(group::kPatterns)
      .text(
          "-s,--sheet", "FILE", &DemuxArguments::sheet,
          "The sample sheet, TSV or CSV with column names: sample, barcode, and barcode2, left, right, left2, right2, "
          "edits, structure; or Illumina's SampleSheet.csv")
      .reported("sheet")
      .in_program()
      .table(all, structure_option<DemuxArguments>("which says where barcodes are"))
      .texts("--list", "[NAME=]FILE", &DemuxArguments::lists,
             "The cell barcodes that may be, one per line: of b<NAME> in a geometry, or of C and b")
      .reported_as("list", [](const DemuxArguments& o) { return joined(o.lists); })
      .words([](const DemuxArguments& o) { return repeated("--list", o.lists); })
      .flag("--no-posterior", &DemuxArguments::no_posterior,
            "Correct cell barcodes without their counts, and read the input once")
      .reported("no_posterior")
      .in_program()
      .text("--kit", "NAME", &DemuxArguments::kit,
            "Kit of the barcodes, for flanks, names or structure; help lists all")
      .reported("kit")
      .in_program()
      .table(all, barcode_options())
      .begin(group::kOutput)
      .flag(
          "--orient", &DemuxArguments::orient,
          "Write all reads in the orientation of the sheet: the reverse complement of those on strand -; of pairs the "
          "mates are exchanged")
      .reported("orient")
      .in_program()
      .flag("--no-trim", &DemuxArguments::no_trim, "Keep barcodes and their flanks in the reads")
      .reported("no_trim")
      .in_program()
      .choice("--unassigned", &DemuxArguments::unassigned,
              std::vector<std::pair<std::string, bool>>{{"yes", true}, {"no", false}},
              "Write the reads of no sample to the file unassigned (default: yes)", {.in_merge = ""})
      .reported("unassigned")
      .take();
}

void add_demux_options(CLI::App& command, DemuxArguments& o) {
  add_reads_input(command, o);
  add_outputs(command, o);
  add_options(command, demux_options(), o);
  add_reads_running(command, o);
}

namespace {

void check_name(const std::string& name) {
  const std::size_t place = name.find(kSamplePlace);
  std::string rest = name;
  if (place != std::string::npos) rest.erase(place, std::string_view(kSamplePlace).size());
  const auto allowed = [](unsigned char c) {
    return c < 128 && (std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-');
  };
  if (place == std::string::npos || !std::all_of(rest.begin(), rest.end(), allowed)) {
    throw UsageError(fmt::format(
        "--name {}: expected {{sample}} once, with letters, digits, '.', '_' and '-' before and after it", name));
  }
}

}  // namespace

namespace {

// Options about barcodes that are searched.
constexpr std::array kSearchOptions{"--context", "--window", "--anywhere", "--strand", "--either-end", "--orient"};

void refuse_options(const DemuxArguments& o, std::span<const char* const> options, std::string_view structure) {
  for (const char* const option : options) {
    if (o.is_given(option)) {
      throw UsageError(
          fmt::format("{} and {} conflict: a read structure says where barcodes are, and they are not "
                      "searched for",
                      option, structure));
    }
  }
}

}  // namespace

void refuse_structure_conflicts(const DemuxArguments& o, std::string_view structure) {
  refuse_options(o, std::array{"--kit"}, structure);
  refuse_options(o, kSearchOptions, structure);
}

namespace {

// A kit whose barcodes are at fixed places stands for its structures.
void settle_kit_structure(DemuxArguments& o) {
  if (o.kit.empty()) return;
  const BarcodeKit& kit = barcode_kit(o.kit);
  if (kit.structures.empty()) return;
  if (!o.structures.empty()) {
    throw UsageError(fmt::format("--kit {} and --structure conflict: the kit is the structure {}", kit.name,
                                 fmt::join(kit.structures, " ")));
  }
  if (!o.sheet.empty()) {
    throw UsageError(fmt::format("--kit {} has barcodes of cells, not of samples: use --list FILE, not -s", kit.name));
  }
  refuse_options(o, kSearchOptions, "--kit " + kit.name);
  o.structures = kit.structures;
  o.kit.clear();
}

void check_output(const DemuxArguments& o) {
  if (o.is_chunk()) return check_chunk_output(o);
  if (o.output.empty()) throw UsageError("no folder for the output is given: use -o FOLDER");
  if (o.output == "-") throw UsageError("-o -: the output is a folder of files, which stdout cannot be");
}

}  // namespace

void check_demux_options(DemuxArguments& o) {
  const bool given_structure = !o.structures.empty();
  settle_kit_structure(o);
  if (o.sheet.empty() && o.structures.empty())
    throw UsageError("no sample sheet is given: use -s FILE, or --structure for reads without samples");
  check_output(o);
  if (o.rate && o.edits) throw UsageError("use -k or -e, not both");
  check_name(o.name);
  if (given_structure) refuse_structure_conflicts(o, "--structure");
  if (o.no_posterior && o.lists.empty()) throw UsageError("--no-posterior needs --list");
  std::vector<std::string> read;
  if (!o.sheet.empty()) read.push_back(o.sheet);
  for (const std::string& list : o.lists) read.push_back(parse_list(list).path);
  check_reads_options(o, "demux", read, {{"--table", o.table}});
  if (o.lists.empty() || o.no_posterior) return;
  for (const std::string& file : o.read_files()) {
    if (gives_once(file)) {
      throw UsageError(
          fmt::format("{}: cell barcodes are counted before they are corrected, so the reads are read twice, which "
                      "this input cannot be: give a file, or --no-posterior",
                      input_name(file)));
    }
  }
}

void check_demux_merge(const DemuxArguments& o, const ReadsQuery& query, const PartSet& parts, std::size_t samples) {
  check_output(o);
  check_name(o.name);
  check_reads_merge(o, query, parts, {{"--table", o.table}});
  if (o.unassigned && query.files.mates_apart.size() == samples)
    throw UsageError("--unassigned yes: the chunks left these reads out: run them with it");
}

Help demux_help() {
  return {
      .synopsis = {"[OPTIONS] -s SHEET -o FOLDER [READS...]", "[OPTIONS] -s SHEET -o FOLDER -1 FILE -2 FILE",
                   "[OPTIONS] --structure STRUCTURE --list FILE -o FOLDER ...", "--kit help"},
      .sections =
          {{"Sample sheet",
            {"TSV or CSV with a line of column names. Sequences are as in the read, 5' to 3', and may have IUPAC "
             "codes. "
             "Comments begin with #. Names of other programs are known too: sample_id, Sample_ID, Sample_Name, index, "
             "index2; of Illumina's SampleSheet.csv the section [Data] or [BCLConvert_Data] is read."},
            {{"sample", "the name of the sample, of its files and of its read group"},
             {"barcode", "at the begin of the read, or of the first mate; with --kit also its name, such as BC01"},
             {"barcode2",
              "at the end of the read, as the plus strand reads it; of pairs, at the begin of the second mate"},
             {"left, right, left2, right2", "what comes before and after the barcodes, as far as it is known"},
             {"edits", "the most that a barcode of this sample, with its flanks, may have"},
             {"structure", "the read structure of this sample, or those of two mates with a blank between them"}}},
           {"Samples of reads",
            {"A barcode is searched together with up to --context bases of its flanks, within --window bases of the "
             "end "
             "where it belongs, in the read and in its reverse complement. Its edits are mismatches, inserted and "
             "deleted bases; N in a read is a mismatch. Edits of two barcodes are added up. A read is of the sample "
             "with the fewest edits if each barcode has few enough, and if no other sample has less than --margin "
             "edits "
             "more. The order of the sheet does not matter. Other reads are unassigned for a reason:"},
            {{"none", "no sample has few enough edits"},
             {"ambiguous", "another sample has nearly as few"},
             {"two-barcodes",
              "the two ends of a read, or with --anywhere two stretches of it, are of different samples"},
             {"unexpected-pair", "both barcodes are clear, but no sample has them together"},
             {"too-short", "the read is shorter than any barcode"}}},
           {"Read structures",
            {"A structure lists the segments of a read: a number of bases, or + for the rest, and a letter. With one, "
             "nothing is searched for: the bases of B are compared with the barcodes of the sheet, by mismatches, and "
             "what is written is the insert. Without a sheet, reads go to the files assigned and unassigned. UMIs come "
             "after the names of FASTQ, and are the tags RX and QX of SAM and BAM; cell barcodes are the tags CB, CR "
             "and CY. A mate without an insert is not written. A geometry, as 1{b[16]u[12]}2{r:}, may also have fixed "
             "sequences, f[CAGAGC], and ranges of bases, x[0-3]."},
            {{"T, r", "the insert, at most one in a mate"},
             {"B", "the barcode of the sample, all segments joined; in a geometry b, if there is a sheet"},
             {"C, b", "a cell barcode; with --list the one that is in it or differs in one base"},
             {"M, u", "a UMI"},
             {"S, x", "bases that are skipped"}}},
           {"Output format",
            {"Reads are cut where the barcode and its flanks end, unless --no-trim is given. Titles of FASTQ stay as "
             "they "
             "are. SAM and BAM get a read group of the sample and the tags RG and BC; the other tags of a read are "
             "kept. "
             "Files appear together when all are complete. summary.tsv has the columns sample, reads, bases, "
             "mean_edits "
             "and share, reasons.tsv reason, barcode, barcode2 and reads. Mates are counted one by one."},
            {{"--table",
              "read, sample, edits, second (edits of the next best sample), strand, cut_start, cut_end (the bases "
              "between them are left), reason"}}}},
      .examples = {{"Sort reads of an ONT kit, the sheet names barcodes",
                    {"basesweep demux -s samples.tsv --kit RBK114-24 reads_ont.fastq.gz -o by_sample"}},
                   {"Sort pairs that begin with barcodes",
                    {"basesweep demux -s barcodes.csv -k 1 --window 14 \\",
                     "    -1 reads_1.fq.gz -2 reads_2.fq.gz -o pairs"}},
                   {"Keep the orientation of the sheet and a table of all reads",
                    {"basesweep demux -s samples.tsv --kit RBK114-24 --orient reads_ont.fastq.gz \\",
                     "    --table reads.tsv -o oriented"}},
                   {"Barcodes of 8 bases and UMIs of 4 before the insert",
                    {"basesweep demux -s inline.tsv --structure 8B4M+T reads_inline.fq.gz -o fixed"}},
                   {"Cell barcodes and UMIs of 10x",
                    {"basesweep demux --structure 16C12M --structure +T --list whitelist.txt \\",
                     "    -1 cells_1.fq.gz -2 cells_2.fq.gz -o cells"}},
                   {"List kits and their flanks", {"basesweep demux --kit help"}}},
      .environment = search_environment(),
      .exit_codes = file_exit_codes(),
      .see_also = {"plan", "merge", "match", "map"},
      .most_used = {"-s", "--kit", "--structure", "--list", "-o", "-1", "-2", "-k", "-h", "--help"}};
}

}  // namespace basesweep
