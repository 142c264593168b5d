#include "tools/pwm_options.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/rows/matrix_rows.hpp"
#include "lib/rows/row_formats.hpp"
#include "tools/help.hpp"
#include "tools/options.hpp"

namespace basesweep {
namespace {

const std::vector<std::pair<std::string, std::optional<MatrixFormat>>> kFormats{
    {"jaspar", MatrixFormat::jaspar},
    {"meme", MatrixFormat::meme},
    {"homer", MatrixFormat::homer},
    {"transfac", MatrixFormat::transfac},
    {"cluster-buster", MatrixFormat::cluster_buster},
    {"cis-bp", MatrixFormat::cis_bp}};

void add_matrix_options(CLI::App& command, PwmJobOptions& o) {
  begin_group(command, group::kPatterns);
  add_texts(command, "-m,--matrices", "FILE", o.search.pattern_files,
            "A file of matrices: JASPAR, MEME, HOMER, TRANSFAC, CIS-BP or cluster-buster; may be repeated",
            {.empty_value = true, .kept = false});
  add_choice<std::optional<MatrixFormat>>(command, "--matrix-format", o.matrix_format, kFormats,
                                          "Format of these files (default: recognised by their content)",
                                          {.kept = false});
  add_texts(
      command, "--names", "NAME,...", o.names,
      "Search only the matrices with these identifiers or names; may be repeated, as for a name with commas in it",
      {.kept = false});
}

void add_output_options(CLI::App& command, PwmJobOptions& o) {
  begin_group(command, group::kOutput);
  add_format_option(command, o.search.format, site_formats(),
                    "Output format (default: from the output's name, else bed)");
  add_columns_option(command, o.search.shown, "hit");
  add_index_option(command, o.search.write_index);
  add_flag(command, "--thresholds", o.thresholds,
           "Print scores and p-values of the matrices instead of searching; needs no input");
}

double number_of(const char* option, const std::string& text, double least, double most, const char* range) {
  double number = 0;
  const bool read = most == 1 ? parse_fraction(text, number) : parse_number(text, number);
  if (!read || !std::isfinite(number) || number < least || number > most) {
    throw UsageError(fmt::format("{} {}: expected a number {}", option, text, range));
  }
  return number;
}

void settle_threshold(PwmJobOptions& o) {
  const int given = (o.p_value.empty() ? 0 : 1) + (o.score.empty() ? 0 : 1) + (o.relative.empty() ? 0 : 1);
  if (given > 1) throw UsageError("use one of --p-value, --score and --relative");
  constexpr double kMostBits = 1e6;
  if (!o.p_value.empty()) {
    const double p = number_of("--p-value", o.p_value, 0, 1, "above 0, at most 1");
    if (p == 0) throw UsageError("--p-value 0: expected a number above 0, at most 1");
    o.threshold = {Threshold::Kind::p_value, p};
  } else if (!o.score.empty()) {
    o.threshold = {Threshold::Kind::score, number_of("--score", o.score, -kMostBits, kMostBits, "of bits")};
  } else if (!o.relative.empty()) {
    o.threshold = {Threshold::Kind::relative, number_of("--relative", o.relative, 0, 1, "from 0 to 1")};
  }
}

void check_conflicts(const PwmJobOptions& o, bool merges) {
  const auto conflict = [](bool both, const char* one, const char* other) {
    if (both) throw UsageError(fmt::format("{} and {} conflict", one, other));
  };
  const bool chunk = o.search.is_chunk();
  const auto no_use = [&](bool given, const char* option) { conflict(o.thresholds && given, "--thresholds", option); };
  no_use(o.search.count, "--count");
  no_use(o.table.has_value(), "--table");
  no_use(o.search.max_hits.has_value(), "--max-hits");
  no_use(o.search.format.has_value(), "--format");
  no_use(o.best_per_record, "--report best-per-record");
  no_use(o.search.non_overlapping, "--non-overlapping");
  no_use(o.search.skip_soft_masked, "--soft-masked skip");
  no_use(o.search.strand != StrandChoice::both, "--strand");
  no_use(!o.search.regions.regions.empty(), "--region");
  no_use(!o.search.regions.regions_file.empty(), "--regions-file");
  no_use(chunk, "--chunk");
  no_use(!o.search.chunk.plan.empty(), "--plan");
  no_use(!o.search.json.empty(), "--json");
  conflict(o.table && o.search.count, "--table", "--count");
  conflict(o.table && o.best_per_record, "--table", "--report best-per-record");
  conflict(o.table && o.search.max_hits, "--table", "--max-hits");
  conflict(o.best_per_record && o.search.count, "--report best-per-record", "--count");
  conflict(o.best_per_record && o.search.non_overlapping, "--report best-per-record", "--non-overlapping");
  conflict(o.table && o.search.write_index, "--table", "--write-index");
  if ((chunk || merges) && o.table && o.search.non_overlapping) {
    throw UsageError(
        "--chunk, --table and --non-overlapping conflict: which hits of a record overlap is only known from all of it");
  }
  if (o.per_region && (!o.table || (!merges && o.search.regions.regions_file.empty()))) {
    throw UsageError("--per-region needs --table and --regions-file");
  }
  if (o.per_region && !o.search.regions.regions.empty()) throw UsageError("--per-region and --region conflict");
  if (o.per_region && !merges && gives_once(o.search.regions.regions_file)) {
    throw UsageError("--per-region reads the regions twice: --regions-file must be a file, not stdin or a pipe");
  }
}

}  // namespace

OptionTable<PwmJobOptions> pwm_options() {
  return TableMaker<PwmJobOptions>()
      .begin(group::kHits)
      .table(&PwmJobOptions::search, strand_option(&SearchJobOptions::strand, "Strands to search"))
      .table(&PwmJobOptions::search,
             soft_masked_option("Search lower-case bases as any others (default), or skip hits that touch one"))
      .table(&PwmJobOptions::search, non_overlapping_option("matrix"))
      .choice("--report", &PwmJobOptions::best_per_record,
              std::vector<std::pair<std::string, bool>>{{"all", false}, {"best-per-record", true}},
              "Report all hits (default), or of each record and matrix the one with the best score", {.in_merge = ""})
      .reported("report")
      .text("-p,--p-value", "P", &PwmJobOptions::p_value,
            "Hits are words with a score whose p-value is at most P (default: 0.0001; for matrices of HOMER their own "
            "threshold)",
            {.is_number = true})
      .reported("p_value")
      .text("--score", "BITS", &PwmJobOptions::score, "Hits are words with at least this score", {.is_number = true})
      .reported("score")
      .text("--relative", "FRACTION", &PwmJobOptions::relative,
            "Hits have at least this fraction (0 to 1, or a percentage) of the way from the matrix's least score to "
            "its greatest",
            {.is_number = true})
      .reported("relative")
      .begin(group::kPatterns)
      .text("--background", "RATES", &PwmJobOptions::background,
            "Rates of the bases: uniform, input (those of the whole input), a file as MEME has them, or A,C,G,T "
            "(default: those of the matrix file, else uniform)")
      .reported("background")
      .text("--pseudocount", "X", &PwmJobOptions::pseudocount_text,
            "Added to the counts of each position (default: 0.1)", {.is_number = true})
      .reported_as("pseudocount", [](const PwmJobOptions& o) { return parameter_of(o.pseudocount); })
      .begin(group::kOutput)
      .choice("--table", &PwmJobOptions::table,
              std::vector<std::pair<std::string, std::optional<TableCell>>>{{"score", TableCell::score},
                                                                            {"count", TableCell::count}},
              "Print a table of records and matrices instead of hits: the best score in bits, or the number of hits")
      .reported_if_given("table")
      .flag("--per-region", &PwmJobOptions::per_region,
            "With --table and --regions-file: a row for each region instead of each record")
      .reported_if_given("per_region")
      .table(&PwmJobOptions::search, count_options("hits", "matrix"))
      .table(&PwmJobOptions::search, max_hits_option())
      .take();
}

void add_pwm_options(CLI::App& command, PwmJobOptions& o) {
  add_matrix_options(command, o);
  add_options(command, pwm_options(), o);
  add_output_options(command, o);
  add_text_options(command, o.search);
  add_algorithm_option(command, o.algorithm, matrix_algorithms());
}

Help pwm_help() {
  return {
      .synopsis = {"[OPTIONS] -m FILE... [INPUT...]", "--thresholds -m FILE..."},
      .sections =
          {{"Hits",
            {"Every place, on either strand, whose bases have at least the score that the threshold says. N and other "
             "IUPAC codes in the text have no score. A score is the sum, over the matrix's positions, of log2(p / "
             "background), rounded to 1/1,024 bit; its p-value is the probability that a random word, drawn from the "
             "background, scores at least as much, and is exact. A matrix that is its own reverse complement is "
             "reported "
             "on both strands. A matrix that no word lets reach its threshold has no hits, and a warning names it."}},
           {"Matrices",
            {"p is (count + c x background) / (sum of the column + c), with the pseudocount c. Probabilities are "
             "multiplied by the number of sites first (nsites of MEME, else 20). The background is averaged over both "
             "strands. HOMER's own thresholds are compared with scores as HOMER has them: no pseudocount, a uniform "
             "background, and 0.001 for smaller probabilities. Matrices have 1 to 64 positions."}},
           {"Output format",
            {"One line per hit, sorted by record, start, end, strand, matrix. Positions are 0-based, half-open and on "
             "the "
             "forward strand, unless noted."},
            {{"bed", "record, start, end, matrix, score, strand; score = min(1000, 100 log10(1 / p-value))"},
             table_term(MatrixRows(MatrixSet(std::vector<FileMatrix>(), {}))),
             {"fimo", "the columns of FIMO: 1-based, q-values are empty; with a header line"},
             {"gff3", "a feature per hit, its matrix as Name; 1-based"},
             {"--count", "pattern (the matrix), name, strand, count; with a header line"},
             {"--table", "a row for each record, a column for each matrix, named IDENTIFIER/NAME; with a header line"},
             {"--thresholds",
              "matrix, name, width, least and greatest score, and for several p-values the least score that has it; "
              "the "
              "row without a wanted p-value is the threshold of the search"}}}},
      .examples = {{"Find the sites of a collection in a genome",
                    {"basesweep pwm -m JASPAR.jaspar -p 1e-5 genome.fa.gz -o sites.bed.gz"}},
                   {"The best score of each matrix in each ChIP peak",
                    {"basesweep pwm -m motifs.meme --regions-file peaks.bed --per-region \\",
                     "    --table score genome.fa -o peaks.tsv"}},
                   {"Two matrices, with the background of the genome",
                    {"basesweep pwm -m JASPAR.jaspar --names CTCF,Arnt --background input \\",
                     "    genome.fa -o ctcf.tsv"}},
                   {"Show the scores that p-values stand for", {"basesweep pwm --thresholds -m motifs.meme"}}},
      .files = index_files(),
      .environment = search_environment(),
      .exit_codes = search_exit_codes(),
      .see_also = {"motif", "plan", "merge"},
      .columns = columns_of(MatrixRows(MatrixSet(std::vector<FileMatrix>(), {}))),
      .most_used = {"-m", "-p", "--report", "-o", "--format", "--table", "-h", "--help"}};
}

void settle(PwmJobOptions& o, bool merges) {
  if (!merges && o.search.pattern_files.empty()) throw UsageError("no matrices given: use -m");
  settle_threshold(o);
  if (!o.pseudocount_text.empty()) {
    o.pseudocount = number_of("--pseudocount", o.pseudocount_text, 0, 1e9, "of at least 0");
  }
  check_conflicts(o, merges);
  if (o.thresholds) {
    if (!o.search.inputs.empty()) throw UsageError("--thresholds reads no input");
    if (o.background == "input") throw UsageError("--thresholds reads no input: --background input is not possible");
    return check_run_options(o.search, o.search.pattern_files);
  }
  check_search_options(o.search, "pwm");
  if (!merges && o.background == "input") {
    for (const std::string& path : o.search.inputs) {
      if (gives_once(path))
        throw UsageError("--background input reads the input twice: it must be a file, not stdin or a pipe");
    }
  }
}

}  // namespace basesweep
