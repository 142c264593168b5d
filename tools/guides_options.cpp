#include "tools/guides_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/guides/place_rows.hpp"
#include "lib/rows/row_formats.hpp"
#include "tools/help.hpp"
#include "tools/options.hpp"
#include "tools/part_output.hpp"

namespace basesweep {
namespace {

OptionTable<GuidesOptions> pam_options() {
  return TableMaker<GuidesOptions>()
      .begin(group::kPatterns)
      .texts("--pam", "PAM", at(&GuidesOptions::pam, &PamChoice::pams),
             "PAM beside a guide, in IUPAC codes; several with commas between (NGG,NAG), the first that "
             "matches counts; may be repeated (default: NGG)")
      .reported_as("pam",
                   [](const GuidesOptions& o) { return parameter_of(fmt::format("{}", fmt::join(o.pam.pams, ","))); })
      .words([](const GuidesOptions& o) { return fmt::format(" --pam {}", fmt::join(o.pam.pams, ",")); })
      .number("-m,--mismatches,--max-mismatches", at(&GuidesOptions::limits, &GuideLimits::mismatches),
              {.max = kMaxGuideLength},
              "A place has at most N mismatches with its guide (default: 4); the PAM has none")
      .reported("mismatches")
      .words([](const GuidesOptions& o) { return fmt::format(" -m {}", o.limits.mismatches); })
      .choice("--pam-side", at(&GuidesOptions::pam, &PamChoice::side),
              std::vector<std::pair<std::string, PamSide>>{{"3prime", PamSide::three_prime},
                                                           {"5prime", PamSide::five_prime}},
              "Side of the guide that its PAM is on: 3prime as NGG of Cas9 (default), 5prime as TTTV of Cas12a")
      .reported("pam_side")
      .in_program()
      .choice("--pam-in-guide", at(&GuidesOptions::pam, &PamChoice::in_guide),
              std::vector<std::pair<std::string, PamInGuide>>{
                  {"auto", PamInGuide::automatic}, {"yes", PamInGuide::yes}, {"no", PamInGuide::no}},
              "Whether the sequences of the guides hold the PAM, or codes such as NNN in its place (default: "
              "auto: see Guides below)")
      .take();
}

OptionTable<GuidesOptions> place_options() {
  return TableMaker<GuidesOptions>()
      .begin(group::kHits)
      .number("--max-dna-bulges", at(&GuidesOptions::limits, &GuideLimits::dna_bulges), {.max = kMaxBulge},
              "Allow one bulge of at most N text bases that the guide lacks (default: 0)")
      .reported("max_dna_bulges")
      .in_program()
      .number("--max-rna-bulges", at(&GuidesOptions::limits, &GuideLimits::rna_bulges), {.max = kMaxBulge},
              "Allow one bulge of at most N guide bases that the text lacks (default: 0), or a DNA bulge")
      .reported("max_rna_bulges")
      .in_program()
      .number("--seed", at(&GuidesOptions::limits, &GuideLimits::seed), {.max = kMaxGuideLength},
              "The N guide bases beside the PAM are in no bulge and have at most --seed-mismatches mismatches")
      .reported("seed")
      .in_program()
      .number("--seed-mismatches", at(&GuidesOptions::limits, &GuideLimits::seed_mismatches), {.max = kMaxGuideLength},
              "With --seed: at most N mismatches in the seed (default: 0)")
      .reported("seed_mismatches")
      .in_program()
      .table(&GuidesOptions::search,
             soft_masked_option("Search lower-case bases as any others (default), or skip places that touch one"))
      .take();
}

}  // namespace

OptionTable<GuidesOptions> guides_options() {
  const auto own = [](auto& o) -> auto& { return o; };
  return TableMaker<GuidesOptions>()
      .table(own, pam_options())
      .table(&GuidesOptions::design, design_options())
      .table(own, place_options())
      .begin(group::kOutput)
      .flag("--hits-all", &GuidesOptions::hits_all,
            "With --hits: a row for each kind and size of bulge that a place can have, not one for the place")
      .in_program()
      .table(&GuidesOptions::sam, sam_options("place"))
      .begin(group::kOutput)
      .text("--annotate", "FILE", &GuidesOptions::annotation,
            "Write which features of this GFF3, GTF or BED file, such as genes, places overlap")
      .texts("--annotate-kind", "KIND", &GuidesOptions::annotated,
             "With --annotate: only features of this kind (third column of GFF3 and GTF: gene); may be repeated")
      .reported_as(
          "annotated",
          [](const GuidesOptions& o) {
            if (o.annotation.empty()) return ParameterValue();
            return ParameterValue(o.annotated.empty() ? "all" : fmt::format("{}", fmt::join(o.annotated, ",")));
          })
      .reported_if_given("annotated")
      .take();
}

void add_guides_options(CLI::App& command, GuidesOptions& o) {
  begin_group(command, group::kPatterns);
  add_pattern_options(command, o.search, "guide");
  add_options(command, guides_options(), o);
  begin_group(command, group::kOutput);
  add_text(
      command, "--hits", "FILE", o.hits,
      fmt::format("Write every place to this file: {}, or BED, SAM, BAM or CRAM, by its name", list_tables("or")),
      {.kept = false, .in_merge = "Places of guides, which the chunks kept by --hits; the ending chooses the format"});
  add_columns_option(command, o.search.shown, "guide, or with --hits a place,");
  add_flag(command, "--write-index", o.write_index,
           "Index the file of places: .tbi beside TSV and BED, .bai beside SAM and BAM, .crai beside CRAM",
           {.kept = false, .in_merge = ""});
  add_format_option(command, o.search.format, guide_table_formats(),
                    "Format of the table (default: from the output's name, else tsv), bed only with --design; places "
                    "have that of --hits's name");
  add_text_options(command, o.search, "; with --hits FILE.cram, the reference of the places (default: the input)");
}

GuideSet example_guides() {
  return {{{"guide", std::string(20, 'A')}}, {{"NGG"}, PamSide::three_prime, PamInGuide::no}, {}};
}

Help guides_help() {
  return {
      .synopsis = {"[OPTIONS] {-p GUIDE | -f GUIDES}... [INPUT...]"},
      .about = {"Finds all places in the input that a CRISPR library may cut, on both strands, and sums them up for "
                "each guide."},
      .sections =
          {{"Guides",
            {"Guides are DNA or RNA of 15 to 30 bases, 5' to 3'. Their sequences may hold the PAM too, on the side of "
             "--pam-side, or codes that stand for it, such as NNN or NRG for NGG. With --pam-in-guide auto these are "
             "taken off if all sequences have them: codes, or a PAM beside 19 bases or more that is not of N alone. "
             "Where four sequences or more, some of them shorter, all end in the PAM, or only some sequences have "
             "codes, say yes or no. A line on stderr says how long the guides are that are searched for.",
             "Names may repeat, as those of genes do: they become GENE_1, GENE_2 ... in the column name, which is "
             "put in front if there is none. A sequence that is given twice is searched once and has two rows.",
             "An input of Cas-OFFinder is a file for -f too: its pattern gives the PAM, its numbers give -m and the "
             "sizes of bulges; its line with the genome is ignored."}},
           design_help(),
           {"Places",
            {"A place is a border beside which a PAM matches without mismatch. The guide is aligned with the text up "
             "to "
             "the border, with at most one bulge, between two of its bases. N in the text matches nothing: in the "
             "guide's part it is a mismatch. A place counts once for a guide, in the class of its best alignment: "
             "least "
             "bulge first, then fewest mismatches, DNA before RNA, and the bulge nearest the guide's 5' end. With "
             "regions, places whose leftmost base is inside count."}},
           {"Output format",
            {"A table with the columns of the input, a row for each guide in their order, and these columns:"},
            {{"places", "all places, the exact copies too"},
             {"mismatches_0, ...", "places without bulge by their mismatches; mismatches_0 are exact copies"},
             {"bulge_1_mismatches_0, ...", "places by the size of their bulge and their mismatches"},
             {"mit_specificity, cfd_specificity",
              "100 / (1 + the sum of the scores of all places but one exact copy), by the scores of Hsu et al. 2013, "
              "places without bulge, and Doench et al. 2016; '.' for guides that are not of 20 bases or whose PAM is "
              "not NGG, and where no place was scored"},
             {"region",
              "with --design --top and regions, the last column: the region's name in the BED file, or "
              "record:from-to"},
             {"unique", "yes: the guide has one exact copy and no other place"},
             {"worst_place, worst_mismatches, worst_bulge",
              "of the places but one exact copy (with --design: its own), the one with the least bulge, then the "
              "fewest mismatches, then the "
              "first"},
             {"worst_features, features",
              "with --annotate: the features that the worst place overlaps, as kind:name, and by kind how many places "
              "overlap one; a name is Name, gene_name, gene, ID or gene_id of GFF3 or GTF, or column 4 of BED, whose "
              "kind is region"},
             {"-o FILE.bed --design",
              "record, start, end, sequence, score, strand, start, end, color; score = 10 times the CFD specificity; "
              "green from 80 on, yellow from 50, red below, grey and 0 without a score"},
             {"--hits FILE.tsv",
              "a row for each place: the columns of Cas-OFFinder 3, its location 0-based, then the MIT and CFD scores, "
              "and with --annotate the features"},
             {"--hits FILE.csv and the like",
              fmt::format("the columns that --columns help lists; tables are {}, as is that of -o", list_tables("or"))},
             {"--hits FILE --hits-all",
              "a row for each kind and size of bulge that a place can have within the limits, with the fewest "
              "mismatches: "
              "the rows of Cas-OFFinder, each once; the table counts places as ever"},
             {"--hits FILE.bed",
              "record, start, end, guide, score, strand; score = round(1000 (1 - (mismatches + bulge) / bases))"},
             {"--hits FILE.sam, FILE.bam, FILE.cram",
              "an alignment of guide and PAM for each place, sorted by coordinate, the first of a guide primary; XM:i "
              "mismatches, XD:i and XR:i size of a DNA or RNA bulge, YM:f and YC:f MIT and CFD scores"},
             {"--chunk i/N --hits FILE",
              "the part that -o names has the places too; no FILE is written: 'basesweep merge --hits FILE' does it, "
              "in "
              "any of these formats"}}}},
      .examples = {{"How specific the guides of a library are",
                    {"basesweep guides -f library.tsv -m 4 genome.fa.gz -o guides.tsv"}},
                   {"All their places, with a bulge of one base too",
                    {"basesweep guides -f library.tsv -m 3 --max-dna-bulges 1 --max-rna-bulges 1 \\",
                     "    genome.fa.gz -o guides.tsv --hits places.tsv.gz"}},
                   {"Two PAMs, and only the places in a region",
                    {"basesweep guides -f library.tsv --pam NGG,NAG --region chr1:1-60000 \\",
                     "    genome.fa -o guides.tsv --hits places.bed"}},
                   {"The three most specific guides of a region, without runs of T",
                    {"basesweep guides --design --region chr1:1-60000 --max-poly-t 3 --top 3 \\",
                     "    genome.fa -o guides.tsv"}}},
      .files = index_files(),
      .environment = search_environment(),
      .exit_codes = search_exit_codes(),
      .see_also = {"match", "plan", "merge"},
      .columns = columns_of(PlaceRows(example_guides())),
      .most_used = {"-f", "--pam", "-m", "--design", "-o", "--hits", "-h", "--help"}};
}

ShownColumns columns_of_table(const GuidesOptions& o) { return o.hits.empty() ? o.search.shown : ShownColumns(); }

OutputFormat table_format(const GuidesOptions& o) {
  const std::vector<OutputFormat> formats = guide_table_formats();
  if (o.design.on) return choose_format(o.search, formats).value_or(OutputFormat::tsv);
  for (const OutputFormat format : {OutputFormat::bed, OutputFormat::sam, OutputFormat::bam, OutputFormat::cram}) {
    if (!o.search.format && names_another_format(o.search.output, "tsv") &&
        !names_another_format(o.search.output, word_of(format))) {
      throw UsageError(fmt::format("-o {0}: the output is a table of guides; places are written as {1} by --hits {0}",
                                   o.search.output, noun_of(format)));
    }
  }
  const OutputFormat format = choose_format(o.search, formats).value_or(OutputFormat::tsv);
  if (format == OutputFormat::bed)
    throw UsageError(
        "--format bed needs --design: only guides of a genome have a place of their own; --hits FILE.bed writes all "
        "places");
  return format;
}

OutputFormat hits_format(const GuidesOptions& o) {
  return format_of_name(o.hits, place_formats(), false).value_or(OutputFormat::tsv);
}

bool hits_are_aligned(const GuidesOptions& o) { return !o.hits.empty() && is_aligned(hits_format(o)); }

GuideRowOf rows_of_hits(const GuidesOptions& o) { return o.hits_all ? GuideRowOf::bulge : GuideRowOf::place; }

const char* word_of(PamSide side) { return side == PamSide::three_prime ? "3prime" : "5prime"; }

namespace {

// Throws UsageError if an option is given that is for a file of places, and there is none. `merging`: --hits-all says
// what the parts hold.
void check_without_hits(const GuidesOptions& o, bool merging) {
  if (o.hits_all && !merging) throw UsageError("--hits-all needs --hits FILE");
  if (o.sam.any()) throw UsageError("--eqx, --no-PG and -R need --hits FILE.sam, FILE.bam or FILE.cram");
  if (o.write_index) throw UsageError("--write-index needs --hits FILE");
}

void check_index(const GuidesOptions& o) {
  const OutputFormat format = hits_format(o);
  if (is_table(format) && (format != OutputFormat::tsv || !o.search.shown.only.empty())) {
    throw UsageError("--write-index: tables other than TSV with its usual columns have no index");
  }
  const bool binary = format == OutputFormat::bam || format == OutputFormat::cram;
  if (o.hits == "-" || (!binary && !ends_in_gz(o.hits))) {
    throw UsageError("--write-index needs --hits with a file that is BAM or CRAM or whose name ends in .gz");
  }
}

// Throws UsageError if the file of places cannot be as the options ask for.
// The FASTA file that CRAM of places is written with: --cram-reference, or the only input.
std::string reference_of_cram(const GuidesOptions& o) {
  if (!o.search.alignments.cram_reference.empty()) return o.search.alignments.cram_reference;
  if (o.search.inputs.size() == 1) return o.search.inputs.front();
  throw UsageError(
      fmt::format("{}: CRAM needs one reference, and there are several inputs: --cram-reference names a "
                  "file of all their records",
                  o.hits));
}

void check_hits(const GuidesOptions& o) {
  if (o.search.shown.any() && hits_are_aligned(o)) {
    throw UsageError(fmt::format("--columns needs --hits with a file of text: {}, or BED", list_tables("or")));
  }
  if (!hits_are_aligned(o) && o.sam.any()) {
    throw UsageError("--eqx, --no-PG and -R need --hits FILE.sam, FILE.bam or FILE.cram");
  }
  if (o.write_index) check_index(o);
  if (hits_format(o) != OutputFormat::cram) return;
  if (o.sam.distinguish) throw UsageError("--eqx: CRAM cannot tell = from X");
  reference_of_cram(o);
}

// Throws UsageError for what a chunk cannot do.
void check_chunk(const GuidesOptions& o) {
  if (!o.annotation.empty()) throw UsageError("--annotate does not go with --chunk");
  if (o.design.on && !joins_text(o)) {
    throw UsageError(
        "--design with --chunk goes without --hits, regions, bulges and --seed, with PAMs of at most 8 letters and at "
        "most 8 mismatches");
  }
  if (o.write_index) {
    throw UsageError("--write-index and --chunk conflict: 'basesweep merge --write-index' indexes the whole");
  }
  check_part_name(o.search.output);
  if (o.hits.empty()) return;
  const std::array part{OutputFormat::part};
  if (o.hits.ends_with(".bsp") && format_of_name(o.hits, part) == OutputFormat::part) {
    throw UsageError(fmt::format(
        "--hits {}: the part that -o names has the places too; name the file that merge --hits is to write", o.hits));
  }
  check_hits(o);  // which merge writes
}

}  // namespace

std::vector<std::string> split_pams(const std::vector<std::string>& given) {
  std::vector<std::string> pams;
  for (std::string_view rest : given) {
    do {
      pams.emplace_back(take_to(rest, ','));
    } while (!rest.empty());
  }
  if (pams.empty()) pams = {"NGG"};
  return pams;
}

void settle(GuidesOptions& o, bool merging) {
  o.pam.pams = split_pams(o.pam.pams);
  if (o.annotation.empty() && !o.annotated.empty()) throw UsageError("--annotate-kind needs --annotate");
  if (o.limits.seed == 0 && o.search.is_given("--seed-mismatches")) throw UsageError("--seed-mismatches needs --seed");
  const bool is_chunk = o.search.is_chunk();
  check_search_options(o.search, "guides", {{"--hits", is_chunk ? "" : o.hits}});
  if (o.hits.empty()) check_without_hits(o, merging);
  if (is_chunk) {
    check_chunk(o);
  } else {
    const bool is_bed = table_format(o) == OutputFormat::bed;
    if (is_bed && o.hits.empty() && o.search.shown.any()) {
      throw UsageError(fmt::format("--columns without --hits FILE chooses columns of {}", list_tables("or")));
    }
    if (!o.hits.empty()) check_hits(o);
  }
  settle_design(o);
  if (!o.design.on && !merging && o.search.patterns.empty() && o.search.pattern_files.empty()) {
    throw UsageError("no guide given: use -f or -p, or --design for all guides of the input");
  }
  if (!o.hits.empty() && hits_format(o) == OutputFormat::cram) {
    if (!is_chunk) o.reference_of_hits = reference_of_cram(o);
    o.search.alignments.cram_reference.clear();  // the input is not read with it
  }
}

}  // namespace basesweep
