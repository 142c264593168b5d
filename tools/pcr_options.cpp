#include "tools/pcr_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/rows/row_formats.hpp"
#include "tools/help.hpp"
#include "tools/options.hpp"

namespace basesweep {
namespace {

constexpr std::int64_t kMaxSize = 10'000'000;

// Parses a size of --size, such as 2000 or 2k.
bool parse_size(std::string_view text, std::int64_t& size) {
  std::uint64_t number = 0;
  if (!parse_count(text, true, number) || number > static_cast<std::uint64_t>(kMaxSize)) return false;
  size = static_cast<std::int64_t>(number);
  return true;
}

void add_pair_options(CLI::App& command, PcrJobOptions& o) {
  begin_group(command, group::kPatterns);
  add_texts(command, "-f,--pair-file", "FILE", o.search.pattern_files,
            "A file of primer pairs: a table, BED of a primer scheme, or FASTA; may be repeated",
            {.empty_value = true, .kept = false});
  add_name_column(command, o.columns.name, "the pairs' names in tables");
  add_pair_columns(command, o.columns, "Column");
  add_text(command, "--forward", "PRIMER", o.forward,
           "The forward primer of a pair, 5' to 3', nucleotides and IUPAC codes", {.kept = false});
  add_text(command, "--reverse", "PRIMER", o.reverse, "Its reverse primer, 5' to 3'", {.kept = false});
  add_text(command, "--probe", "PROBE", o.probe, "Its probe, on either strand", {.kept = false});
}

OptionTable<PcrJobOptions> size_option() {
  return TableMaker<PcrJobOptions>()
      .text("--size", "[MIN,]MAX", &PcrJobOptions::sizes,
            "Sizes of products in bases, such as 100,2k, primers included (default: 0,5000); a pair's own columns win")
      .reported_as("min_size", [](const PcrJobOptions& o) { return parameter_of(o.join.min_size); })
      .words([](const PcrJobOptions& o) {
        return o.sizes.empty() ? "" : fmt::format(" --size {},{}", o.join.min_size, o.join.max_size);
      })
      .value("max_size", [](const PcrJobOptions& o) { return parameter_of(o.join.max_size); })
      .take();
}

OptionTable<PcrJobOptions> melting_options() {
  const auto add = [](auto& table, const char* name, double MeltingConditions::*member, double least,
                      const char* help) {
    table
        .decimal(
            name, [member](auto& o) -> auto& { return o.details.melting.*member; }, least, help)
        .reported(name + 2);
  };
  TableMaker<PcrJobOptions> table;
  add(table, "--monovalent", &MeltingConditions::monovalent_mM, 0.001,
      "For melting temperatures: monovalent ions (Na+, K+) in mM (default: 50)");
  add(table, "--divalent", &MeltingConditions::divalent_mM, 0, "The same: divalent ions (Mg2+) in mM (default: 1.5)");
  add(table, "--dntp", &MeltingConditions::dntp_mM, 0,
      "The same: dNTPs, which bind divalent ions, in mM (default: 0.6)");
  add(table, "--oligo", &MeltingConditions::oligo_nM, 0.001, "The same: primer in nM (default: 50)");
  return table.take();
}

}  // namespace

void add_pair_columns(CLI::App& command, PairColumnChoice& columns, const std::string& column) {
  add_text(command, "--forward-column", "COLUMN", columns.forward,
           column + " of the forward primers in tables of pairs", {.kept = false});
  add_text(command, "--reverse-column", "COLUMN", columns.reverse,
           column + " of the reverse primers in tables of pairs", {.kept = false});
}

OptionTable<PcrJobOptions> pcr_options() {
  const auto own = [](auto& o) -> auto& { return o; };
  return TableMaker<PcrJobOptions>()
      .begin(group::kHits)
      .table(&PcrJobOptions::edits, edit_options("primer", kWithoutOverhangs))
      .call([](CLI::App& command, PcrJobOptions& o) { add_mismatches_option(command, o.search.mismatches); })
      .table(own, size_option())
      .flag("--single", at(&PcrJobOptions::join, &JoinOptions::single),
            "Also report products of a pair's forward primer alone, and of its reverse primer alone")
      .reported("single")
      .in_program()
      .flag("--pool", at(&PcrJobOptions::join, &JoinOptions::pool),
            "Join all primers of a pool with all, each with itself too, instead of pairs; a file without pools is one "
            "pool")
      .reported("pool")
      .in_program()
      .choice("--report", &PcrJobOptions::report,
              std::vector<std::pair<std::string, ProductReport>>{{"all", ProductReport::all},
                                                                 {"best", ProductReport::best},
                                                                 {"best-per-record", ProductReport::best_per_record}},
              "Which products to report (default: all)", {.in_merge = ""})
      .reported("report")
      .in_program()
      .table(&PcrJobOptions::search,
             soft_masked_option("Let primers match lower-case bases as any others (default), or never"))
      .table(&PcrJobOptions::search, circular_option())
      .begin(group::kOutput)
      .call([](CLI::App& command, PcrJobOptions& o) {
        add_format_option(command, o.search.format, product_formats(),
                          "Output format (default: from the output's name, else tsv)");
        add_columns_option(command, o.search.shown, "product");
        add_index_option(command, o.search.write_index);
      })
      .number("--max-products", &PcrJobOptions::max_products, {.min = 1, .suffixes = true},
              "Stop after the first N products; N may end in k, M or G (10k: 10,000)",
              {.in_merge = "Write the first N products"})
      .reported("max_hits")
      .in_program()
      .table(&PcrJobOptions::search, count_options("products", "pair"))
      .flag("--table", &PcrJobOptions::table,
            "Print a table instead of products: for each record and pair how many products there are, and their sizes",
            {.in_merge = ""})
      .reported_if_given("table")
      .table(&PcrJobOptions::search, per_file_option("products"))
      .table(&PcrJobOptions::search, with_file_option("TSV and --table"))
      .choice("--sequence", at(&PcrJobOptions::details, &ProductDetails::part),
              std::vector<std::pair<std::string, ProductPart>>{{"product", ProductPart::product},
                                                               {"amplified", ProductPart::amplified},
                                                               {"insert", ProductPart::insert}},
              "What FASTA shows: the product as the text reads (default), as PCR makes it, with the primers themselves "
              "at its ends, or what is between the primers",
              {.in_merge = "What FASTA shows of a product"})
      .reported("sequence")
      .table(own, melting_options())
      .table(&PcrJobOptions::sam, sam_options("alignment"))
      .take();
}

void add_pcr_options(CLI::App& command, PcrJobOptions& o) {
  add_pair_options(command, o);
  add_options(command, pcr_options(), o);
  add_text_options(command, o.search);
  add_table_memory(command, o.search);
  add_algorithm_option(command, o.search.algorithm, approximate_algorithms());
}

PrimerSet example_pair() {
  return {{{.name = "pair",
            .forward = "ACGT",
            .reverse = "ACGT",
            .forward_name = "forward",
            .reverse_name = "reverse",
            .probe = "ACGT"}},
          {}};
}

void with_example_rows(const ProductDetails& details, const std::function<void(const Rows& rows)>& use) {
  const PrimerSet primers = example_pair();
  const PatternSet patterns(primers.patterns(), StrandChoice::both, PalindromeChoice::both, {.edits = 1});
  use(ProductRows(primers, patterns, details));
}

Help pcr_help() {
  std::vector<HelpColumn> columns;
  with_example_rows({}, [&columns](const Rows& rows) { columns = columns_of(rows); });
  return {
      .synopsis =
          {"[OPTIONS] {-f FILE | --forward PRIMER --reverse PRIMER} {-k N | -e RATE | --mismatches N} [INPUT...]"},
      .sections =
          {{"Products",
            {"A product reaches from a site of one primer on strand + to a site of its partner on strand -, as "
             "'basesweep match' finds them; its size includes both. The sites may overlap, but the right one neither "
             "starts nor ends before the left one. Edits, limits and clamps hold for each primer. Strand + means that "
             "the forward primer is the left one. Both ends are on one record.",
             "With a probe, the row also has its best site between the primers, without the 3' clamp: fewest edits, "
             "then leftmost, then on +; '.' if there is none."},
            {{"all", "Every product."},
             {"best", "Products with the fewest edits of both primers that the pair has in the whole input."},
             {"best-per-record", "Products with the fewest edits that the pair has in their record."}}},
           {"Pairs",
            {"The form of a file is recognised by its content. Lines that start with # are ignored, unless one is the "
             "header of a table. In an error, the line is named."},
            {{"table with a header",
              "name, forward, reverse (also fwd and rev, F and R, left and right, with _seq, _primer or 5-3); "
              "optional: "
              "probe, min_size, max_size, edits, pool. Or a primer a row: name, sequence; optional: pool. Options "
              "choose "
              "other columns"},
             {"without a header",
              "name, forward, reverse (primersearch); then the largest size (isPcr), or the smallest and the largest "
              "(ipcress)"},
             {"BED", "primalscheme and ARTIC: the pool in column 5, the sequence in column 7"},
             {"FASTA", "a primer per record"},
             {"primer3, Primer-BLAST", "their output as it is; pairs are named ID_0, ID_1 or pair_1, pair_2"},
             {"names of primers",
              "Where each primer stands alone, its name ends in _F or _R, _L or _R, _LEFT or _RIGHT (also _LEFT_alt1, "
              "_LEFT_1), _fwd or _rev, _forward or _reverse, /1 or /2. Alternatives make a pair for each combination. "
              "Two primers alone are a pair, the forward one first."},
             {"sequences",
              "Blanks, 5'- and -3', and modifications such as /5Phos/, A*G and +T are left out; a line on stderr "
              "counts "
              "them. See the page on pattern files."}}},
           {"Output format",
            {"Products are sorted by record, start, end, pair, strand, primers. Positions are 0-based, half-open and "
             "on "
             "the forward strand. With --pool a pair is named a/b in the order of the file."},
            {{"tsv",
              "record, start, end, pair, strand, size; for each primer its name, start, end, edits, CIGAR, mismatched "
              "bases counted from its 3' end, and melting temperature; the probe; melting temperature of the product; "
              "the product as its strand reads it"},
             {"sam, bam",
              "two alignments per product, those of its primers, as a proper pair; READ1 is the forward primer; sorted "
              "by coordinate; TLEN is the size; XP:Z is the pair, XQ:Z the primer, XE:i the primer's edits"},
             {"bed", "BED12: the primers are the blocks; the score is 1000 (1 - edits / bases of both primers)"},
             {"gff3", "a feature PCR_product per product, its pair as Name; 1-based"},
             {"fasta",
              "the product as its strand reads it, or what --sequence chooses; record:start-end(strand), the place of "
              "this, as its name"},
             {"--count", "pair, strand, count; with a header line"},
             {"--table",
              "record, pair, count, count on + and on -, fewest edits of a product, smallest and largest size, all "
              "sizes; with a header line; a row for each record and pair with products"}}},
           {"Melting temperatures",
            {"Of primers: nearest neighbours and their correction for salt (SantaLucia 1998), as primer3's oligotm -tp "
             "1 "
             "-sc 1. With IUPAC codes, the lowest. Of products: 81.5 + 16.6 log10(Na+) + 0.41 %GC - 600 / size, with "
             "Na+ = monovalent + 120 sqrt(divalent "
             "- dNTP)."}},
           {"Circular records",
            {"With --circular, the text is the record repeated without end, and a product over the origin is one "
             "product, whose end exceeds the record's length. Of the copies of the right site, the first after the "
             "left one counts. BED has no place for such products, so it conflicts with --circular."}}},
      .examples = {{"Cut out 16S regions, with at most two edits per primer",
                    {"basesweep pcr --forward GTGYCAGCMGCCGCGGTAA --reverse GGACTACNVGGGTWTCTAAT \\",
                     "    -k 2 --clamp-3prime 3 genome.fa.gz -o v4.fa"}},
                   {"All products of the pairs in a table, of 50 to 3,000 bases",
                    {"basesweep pcr -f pairs.tsv -k 2 --size 50,3000 genome.fa.gz \\", "    -o products.tsv"}},
                   {"Check a multiplex: products of any two primers of a pool",
                    {"basesweep pcr -f scheme.bed --pool -k 1 --clamp-3prime 5 --size 1000 \\",
                     "    genome.fa -o pools.bed"}}},
      .files = index_files(),
      .environment = search_environment(),
      .exit_codes = search_exit_codes(),
      .see_also = {"match", "plan", "merge"},
      .columns = std::move(columns),
      .most_used = {"-f", "--forward", "--reverse", "-k", "-e", "--mismatches", "--clamp-3prime", "--size", "--report",
                    "-o", "-h", "--help"}};
}

void settle(PcrJobOptions& o, bool merges) {
  take_mismatches(o.search.mismatches, o.edits);
  if (o.columns.any() && o.search.pattern_files.empty()) {
    throw UsageError("--name-column, --forward-column and --reverse-column are for tables of pairs (-f)");
  }
  if (o.forward.empty() != o.reverse.empty()) {
    throw UsageError(fmt::format("--{} needs --{}: a pair has two primers", o.forward.empty() ? "reverse" : "forward",
                                 o.forward.empty() ? "forward" : "reverse"));
  }
  if (!o.probe.empty() && o.forward.empty()) throw UsageError("--probe needs --forward and --reverse");
  if (!merges && o.forward.empty() && o.search.pattern_files.empty()) {
    throw UsageError("no pair given: use -f, or --forward and --reverse");
  }
  if (o.join.pool && o.join.single)
    throw UsageError("--pool and --single conflict: --pool joins each primer with itself too");
  if (o.max_products && o.search.count) throw UsageError("--count and --max-products conflict");
  if (!o.sizes.empty()) {
    std::string_view rest = o.sizes;
    const bool two = rest.find(',') != std::string_view::npos;
    const std::string_view least = two ? take_to(rest, ',') : "0";
    const bool good = parse_size(least, o.join.min_size) && parse_size(rest, o.join.max_size);
    if (!good || o.join.min_size > o.join.max_size) {
      throw UsageError(fmt::format("--size {}: expected MAX or MIN,MAX in bases, MAX at most {}", o.sizes, kMaxSize));
    }
  }
  check_search_options(o.search, "pcr");
}

OutputFormat pcr_format(const PcrJobOptions& o) {
  if (o.table && o.search.count) throw UsageError("--table and --count conflict");
  if (o.table && o.search.write_index) {
    throw UsageError("--write-index needs a file of products: --table has no index");
  }
  const OutputFormat format = o.table ? table_format(o.search, "--table")
                                      : output_format(o.search, product_formats()).value_or(OutputFormat::tsv);
  check_details(o.search, format);
  const bool aligned = is_aligned(format);
  if ((format == OutputFormat::bed || aligned) && o.search.circular.any()) {
    throw UsageError(
        fmt::format("--circular: {} has no place for products over the origin: use --format tsv, gff3 or "
                    "fasta",
                    format == OutputFormat::bed ? "BED" : "SAM"));
  }
  return format;
}

}  // namespace basesweep
