#include "tools/pcr_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
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
  begin_group(command, group::kInput);
  add_arguments(command, "input", "FILE", o.search.inputs,
                "FASTA or FASTQ, plain or compressed, .2bit, SAM, BAM or CRAM; a URL; - or no file: stdin");
  add_alignment_options(command, o.search.alignments);
  begin_group(command, group::kPatterns);
  add_texts(command, "-f,--pair-file", "FILE", o.search.pattern_files,
            "A file of primer pairs: a table, BED of a primer scheme, or FASTA; may be repeated",
            {.empty_value = true});
  add_text(command, "--name-column", "COLUMN", o.columns.name,
           "Column of the pairs' names in tables: a name in the header, or a number from 1");
  add_pair_columns(command, o.columns, "Column");
  add_text(command, "--forward", "PRIMER", o.forward,
           "The forward primer of a pair, 5' to 3', nucleotides and IUPAC codes");
  add_text(command, "--reverse", "PRIMER", o.reverse, "Its reverse primer, 5' to 3'");
  add_text(command, "--probe", "PROBE", o.probe, "Its probe, on either strand");
}

void add_hit_options(CLI::App& command, PcrJobOptions& o) {
  begin_group(command, group::kHits);
  add_limit_options(command, "primer", o.edits, o.search.mismatches);
  add_text(command, "--size", "[MIN,]MAX", o.sizes,
           "Sizes of products in bases, such as 100,2k, primers included (default: 0,5000); a pair's own columns win");
  add_flag(command, "--single", o.join.single,
           "Also report products of a pair's forward primer alone, and of its reverse primer alone");
  add_flag(
      command, "--pool", o.join.pool,
      "Join all primers of a pool with all, each with itself too, instead of pairs; a file without pools is one pool");
  add_choice<ProductReport>(
      command, "--report", o.report,
      {{"all", ProductReport::all}, {"best", ProductReport::best}, {"best-per-record", ProductReport::best_per_record}},
      "Which products to report (default: all)");
  add_choice<bool>(command, "--soft-masked", o.search.skip_soft_masked, {{"use", false}, {"skip", true}},
                   "Let primers match lower-case bases as any others (default), or never");
  add_optional_texts(
      command, "--circular", "NAME",
      [&o](const std::string& name) {
        name == "*" ? void(o.search.circular.all = true) : void(o.search.circular.names.insert(name));
      },
      "The record of this name is circular; without a name, all records are; may be repeated");
}

void add_product_options(CLI::App& command, PcrJobOptions& o) {
  begin_group(command, group::kOutput);
  add_format_option(command, o.search.format, pcr_formats(),
                    "Output format (default: from the output's name, else tsv)");
  add_columns_option(command, o.search.shown, "product");
  add_index_option(command, o.search.write_index);
  add_number(command, "--max-products", o.max_products, {.min = 1, .suffixes = true},
             "Stop after the first N products; N may end in k, M or G (10k: 10,000)");
  add_flag(command, "--count", o.search.count, "Print the number of products per pair and strand instead of products");
  add_flag(command, "--table", o.table,
           "Print a table instead of products: for each record and pair how many products there are, and their sizes");
  add_flag(command, "--per-file", o.search.per_file,
           "With --count: count the products of each input file in rows of their own");
  add_flag(
      command, "--with-file", o.search.with_file,
      "Also print the name of the input file: in TSV and --table as the column file, in GFF3 and FASTA as file=NAME");
  add_choice<ProductPart>(
      command, "--sequence", o.details.part,
      {{"product", ProductPart::product}, {"amplified", ProductPart::amplified}, {"insert", ProductPart::insert}},
      "What FASTA shows: the product as the text reads (default), as PCR makes it, with the primers themselves at its "
      "ends, or what is between the primers");
  add_decimal(command, "--monovalent", o.details.melting.monovalent_mM, 0.001,
              "For melting temperatures: monovalent ions (Na+, K+) in mM (default: 50)");
  add_decimal(command, "--divalent", o.details.melting.divalent_mM, 0,
              "The same: divalent ions (Mg2+) in mM (default: 1.5)");
  add_decimal(command, "--dntp", o.details.melting.dntp_mM, 0,
              "The same: dNTPs, which bind divalent ions, in mM (default: 0.6)");
  add_decimal(command, "--oligo", o.details.melting.oligo_nM, 0.001, "The same: primer in nM (default: 50)");
  add_sam_options(command, o.sam, "alignment");
}

}  // namespace

void add_pair_columns(CLI::App& command, PairColumnChoice& columns, const std::string& column) {
  add_text(command, "--forward-column", "COLUMN", columns.forward,
           column + " of the forward primers in tables of pairs");
  add_text(command, "--reverse-column", "COLUMN", columns.reverse,
           column + " of the reverse primers in tables of pairs");
}

void add_pcr_options(CLI::App& command, PcrJobOptions& o) {
  o.search.words = [&command] { return given_words(command); };
  o.search.is_given = [&command](const std::string& option) { return is_given(command, option); };
  add_pair_options(command, o);
  add_hit_options(command, o);
  add_product_options(command, o);
  add_region_options(command, o.search.regions, "the input");
  add_chunk_options(command, o.search.chunk);
  add_run_options(command, o.search, approximate_algorithms());
  add_number(
      command, "--table-memory", o.search.table_bytes, {.min = 1, .suffixes = true},
      "Take at most N bytes for the table of a large set of primers, or the next best algorithm; N may end in k, M "
      "or G (default: half of the free memory, at most 16 GiB)");
  add_number(command, "--batch-bases", o.search.batch_positions, {.min = 1, .max = 1U << 30, .suffixes = true},
             "Bases per batch; for tests, no result depends on it", {.hidden = true});
}

Help pcr_help() {
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

std::vector<OutputFormat> pcr_formats() {
  return with_tables({OutputFormat::tsv, OutputFormat::bed, OutputFormat::gff3, OutputFormat::fasta, OutputFormat::sam,
                      OutputFormat::bam});
}

OutputFormat pcr_format(const PcrJobOptions& o) {
  if (o.table && o.search.count) throw UsageError("--table and --count conflict");
  if (o.table && o.search.write_index) {
    throw UsageError("--write-index needs a file of products: --table has no index");
  }
  const OutputFormat format =
      o.table ? table_format(o.search, "--table") : output_format(o.search, pcr_formats()).value_or(OutputFormat::tsv);
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

const char* word_of(ProductReport report) {
  switch (report) {
    case ProductReport::all: return "all";
    case ProductReport::best: return "best";
    case ProductReport::best_per_record: return "best-per-record";
  }
  return "";
}

const char* word_of(ProductPart part) {
  switch (part) {
    case ProductPart::product: return "product";
    case ProductPart::amplified: return "amplified";
    case ProductPart::insert: return "insert";
  }
  return "";
}

}  // namespace basesweep
