#include "tools/meanings.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace basesweep {
namespace {

constexpr std::string_view kEditsAreForMatch = "edits are for 'match'";
constexpr std::string_view kScoresCount =
    "a hit of a matrix is a word whose score is high: use --p-value, --score or --relative";
constexpr std::string_view kFormatOfPlaces =
    "the ending of the file of --hits chooses the format of places, as in places.bed or places.bam";
constexpr std::string_view kInputs = "input files are given without an option";
constexpr std::string_view kPairs =
    "pairs of reads are for 'map', 'motif' and 'match'; other commands search each read on its own: give both files "
    "without an option";
constexpr std::string_view kBothStrands = "both strands are always searched";

// Words for input: what is searched for, and where.
std::vector<Meaning> input_meanings() {
  return {
      {.words = {"--matrices", "--matrix", "--pwm", "--pwms", "--pfm", "--jaspar", "--meme"},
       .options = {"--matrices"},
       .value = ValueKind::text,
       .advice = {{"", "weight matrices are for 'basesweep pwm -m FILE'"}}},
      {.words = {"--pattern-file", "--pair-file", "--pattern-files", "--patterns", "--motif-file", "--motifs",
                 "--primers", "--primer-file", "--guides", "--guide-file", "--spacers", "--adapters", "--barcodes",
                 "--query", "-query"},
       .options = {"--pattern-file", "--pair-file", "--matrices"},
       .value = ValueKind::text,
       .advice = {{"map", "reads are given without an option, and the reference by -r"}}},
      {.words = {"--forward-primer", "--fwd", "--left", "--left-primer", "-F"}, .options = {"--forward"}},
      {.words = {"--reverse-primer", "--rev", "--right", "--right-primer"}, .options = {"--reverse"}},
      {.words = {"--motif", "--motif-id", "--name", "--tf"}, .options = {"--names"}},
      {.words = {"--pattern", "--motif", "--sequence", "--seq", "--primer", "--guide", "--spacer", "--grna",
                 "--adapter", "--barcode", "-a", "-g", "-b"},
       .options = {"--pattern"},
       .value = ValueKind::text,
       .advice = {{"pcr", "a pair is given by --forward and --reverse, or in a file by -f"},
                  {"pwm", "sequences are for 'motif' and 'match'"},
                  {"map", "sequences are for 'motif' and 'match'"}}},
      {.words = {"--reference", "--ref", "--genome", "--db", "-db", "--fasta", "--target", "--subject", "-subject",
                 "-x"},
       .options = {"--reference"},
       .value = ValueKind::text,
       .advice = {{"", kInputs}}},
      {.words = {"--input", "--in", "--infile", "-in", "--seqs", "--reads", "--fastq", "-U"},
       .advice = {{"", kInputs}, {"plan", kInputs}, {"merge", kInputs}, {"pack", kInputs}}},
      {.words = {"-i"},
       .advice = {{"", "input files are given without an option, and lower case counts as upper case"}}},
      {.words = {"--reads1", "--in1", "--r1", "--read1", "--mate1"}, .options = {"--reads1"}, .advice = {{"", kPairs}}},
      {.words = {"--reads2", "--in2", "--r2", "--read2", "--mate2"}, .options = {"--reads2"}, .advice = {{"", kPairs}}},
      {.words = {"--interleaved", "--paired", "--paired-end"}, .options = {"--interleaved"}, .advice = {{"", kPairs}}},
      {.words = {"--region", "--regions", "--interval", "--intervals", "--location", "--chrom", "--chromosome"},
       .options = {"--region"},
       .advice = {{"merge", "the parts already hold the regions"}}},
      {.words = {"--regions-file", "--bed-file", "--target-file", "--targets", "-L"}, .options = {"--regions-file"}},
      {.words = {"--bgfile", "--bfile", "--bg", "-bg", "--background-file"}, .options = {"--background"}},
      {.words = {"--motif-pseudo", "--pseudo", "-pseudo", "--pseudocounts"}, .options = {"--pseudocount"}},
  };
}

// Words for the definition of a hit.
std::vector<Meaning> hit_meanings() {
  return {
      {.words = {"--edits", "--max-edits", "--max-errors", "--errors", "--distance", "--max-distance"},
       .options = {"--edits", "--mismatches"},
       .value = ValueKind::number,
       .advice = {{"motif", kEditsAreForMatch}, {"pwm", kScoresCount}}},
      {.words = {"--error-rate", "--max-error-rate", "--mismatchpercent", "--mismatch-percent", "-mismatchpercent"},
       .options = {"--error-rate", "--mismatches"},
       .value = ValueKind::number,
       .advice = {{"motif", kEditsAreForMatch}, {"pwm", kScoresCount}}},
      {.words = {"--mismatches", "--max-mismatches", "--mismatch", "--max-mismatch", "--maxmismatch", "--maxmismatches",
                 "--mm", "-mm", "--hdist", "--substitutions", "--max-substitutions"},
       .options = {"--mismatches", "--max-mismatches", "--edits"},
       .value = ValueKind::number,
       .advice = {{"motif", kEditsAreForMatch}, {"pwm", kScoresCount}}},
      {.words = {"--no-indels", "--ungapped", "-ungapped", "--no-gaps"},
       .options = {"--max-indels 0"},
       .advice = {{"motif", kEditsAreForMatch},
                  {"guides", "bulges are only allowed by --max-dna-bulges and --max-rna-bulges"},
                  {"pwm", kScoresCount},
                  {"map", "reads are placed with edits of any kind; 'match' can leave indels out"}}},
      {.words = {"--max-indels", "--indels", "--max-gaps", "--gaps"},
       .options = {"--max-indels"},
       .advice = {{"motif", kEditsAreForMatch},
                  {"guides", "the gaps of a guide are bulges: use --max-dna-bulges and --max-rna-bulges"},
                  {"pwm", kScoresCount},
                  {"map", "map counts edits of any kind: use -k"}}},
      {.words = {"--max-dna-bulges", "--dna-bulge", "--dna-bulges", "--bdna", "-bdna"},
       .options = {"--max-dna-bulges"},
       .advice = {{"motif", kEditsAreForMatch}}},
      {.words = {"--max-rna-bulges", "--rna-bulge", "--rna-bulges", "--brna", "-brna"},
       .options = {"--max-rna-bulges"},
       .advice = {{"motif", kEditsAreForMatch}}},
      {.words = {"--clamp-3prime", "--min-perfect", "-minperfect", "--seed", "--seed-length"},
       .options = {"--clamp-3prime", "--seed"},
       .advice = {{"motif", kEditsAreForMatch}}},
      {.words = {"--clamp-5prime"}, .options = {"--clamp-5prime", "--seed"}, .advice = {{"motif", kEditsAreForMatch}}},
      {.words = {"--overlap", "--min-overlap", "-O"}, .options = {"--overhang"}, .value = ValueKind::number},
      {.words = {"--non-greedy", "--no-overlap", "--no-overlaps", "-G"}, .options = {"--non-overlapping"}},
      {.words = {"--p-value", "--pvalue", "--thresh", "--threshold", "--cutoff", "--evalue", "-evalue"},
       .options = {"--p-value"},
       .value = ValueKind::number},
      {.words = {"--score", "--min-score", "--score-threshold"}, .options = {"--score"}},
      {.words = {"--relative", "--min-relative-score", "--relative-score"}, .options = {"--relative"}},
      {.words = {"--only-positive-strand", "--norc", "--no-rc", "--no-revcomp", "--forward-only", "--plus", "--ss",
                 "--single-strand"},
       .options = {"--strand plus"},
       .advice = {{"guides", kBothStrands}, {"pcr", kBothStrands}}},
      {.words = {"-P"}, .options = {"--strand plus"}, .value = ValueKind::text},
      {.words = {"--only-negative-strand", "--nofw", "--reverse-only", "--minus"},
       .options = {"--strand minus"},
       .advice = {{"guides", kBothStrands}, {"pcr", kBothStrands}}},
      {.words = {"--strand", "--strands", "-strand", "--rc", "--revcomp", "--both-strands", "--reverse-complement",
                 "--complement"},
       .options = {"--strand"},
       .advice = {{"guides", kBothStrands}, {"pcr", kBothStrands}}},
      {.words = {"--ignore-case", "--case-insensitive", "--nocase"},
       .advice = {{"map", "lower case counts as upper case"},
                  {"", "lower case counts as upper case; --soft-masked skip leaves it out"}}},
      {.words = {"--degenerate", "--iupac", "--match-read-wildcards", "-d"},
       .advice = {{"", "IUPAC codes always stand for their bases"}}},
      {.words = {"--regex", "--regexp", "--use-regexp", "-E"},
       .advice = {{"", "there are no regular expressions; IUPAC codes such as N and R stand for several bases"}}},
      {.words = {"--soft-mask", "--mask", "--skip-lowercase", "--lcase-masking", "-lcase-masking"},
       .options = {"--soft-masked skip"}},
      {.words = {"--insert", "--size", "--insert-size", "--product-size", "--amplicon-size", "--max-size", "-maxsize",
                 "--minins", "--maxins", "-I", "-X"},
       .options = {"--size", "--insert"}},
      {.words = {"--all", "-a"}, .options = {"--report all"}},
      {.words = {"--best"}, .options = {"--report best", "--report best-per-record"}},
  };
}

// Words for output, and for how the program runs.
std::vector<Meaning> output_meanings() {
  return {
      {.words = {"--max-hits", "--max-products", "--limit", "--max-count", "--max-target-seqs", "-max-target-seqs",
                 "--max-stored-scores", "--max-results"},
       .options = {"--max-hits", "--max-products", "--secondary"},
       .advice =
           {{"guides",
             "the table counts every place of a guide, so none may be left out; lower -m, or take the first lines "
             "of --hits"}}},
      {.words = {"--output", "--out", "-out", "--outfile", "-outfile", "--output-file", "--out-file", "--oc",
                 "--outdir", "-S"},
       .options = {"--output"}},
      {.words = {"--format", "--outfmt", "-outfmt", "--output-format", "--out-format", "--fmt"},
       .options = {"--format"}},
      {.words = {"--bed"}, .options = {"--format bed"}, .advice = {{"guides", kFormatOfPlaces}}},
      {.words = {"--gff", "--gff3", "--gtf"}, .options = {"--format gff3"}, .advice = {{"guides", kFormatOfPlaces}}},
      {.words = {"--tsv", "--tab", "--tabular"}, .options = {"--format tsv"}},
      {.words = {"--sam"}, .options = {"--format sam"}, .advice = {{"guides", kFormatOfPlaces}}},
      {.words = {"--bam"}, .options = {"--format bam"}, .advice = {{"guides", kFormatOfPlaces}}},
      {.words = {"--cram"}, .options = {"--format cram"}, .advice = {{"guides", kFormatOfPlaces}}},
      {.words = {"--text"}, .options = {"--format fimo"}},
      {.words = {"--count", "--counts", "--count-only", "-c"},
       .options = {"--count"},
       .advice = {{"guides", "the table counts the places of each guide"},
                  {"map", "'samtools view -c' counts alignments; the report (--json) counts reads"}}},
      {.words = {"--matching-reads", "--al", "--al-gz", "--al-conc", "--al-conc-gz", "--matched", "--trimmed-only",
                 "--outm", "--outm1", "--outm2", "--outmatch", "--outmatch2"},
       .options = {"--matching-reads"}},
      {.words = {"--other-reads", "--un", "--un-gz", "--un-conc", "--un-conc-gz", "--unmatched", "--untrimmed-output",
                 "--untrimmed-paired-output", "--outu", "--outu1", "--outu2", "--outunmatch"},
       .options = {"--other-reads"}},
      {.words = {"--pairs", "--pair-filter"}, .options = {"--pairs"}},
      {.words = {"--flank", "--context", "--slop", "--upstream", "--downstream", "-C"}, .options = {"--flank"}},
      {.words = {"--write-index", "--index"},
       .options = {"--write-index"},
       .advice = {{"", "'tabix' or 'samtools index' indexes the output; 'basesweep plan --write-index' the input"}}},
      {.words = {"--json", "--report-file", "--stats", "--summary"}, .options = {"--json"}},
      {.words = {"--html", "--html-report"}, .options = {"--html"}},
      {.words = {"--threads", "--thread", "--num-threads", "-num-threads", "--nthreads", "--cores", "--cpus", "--ncpu",
                 "--jobs", "--procs", "-j", "-p", "-P", "-@", "-th"},
       .options = {"--threads"},
       .value = ValueKind::number},
      {.words = {"--gpu", "--cuda", "--gpus"}, .options = {"--device gpu"}},
      {.words = {"--cpu"}, .options = {"--device cpu"}},
      {.words = {"--silent", "--no-warnings"}, .options = {"--quiet"}},
      {.words = {"--debug", "--log"}, .options = {"--verbose"}},
      {.words = {"--tmp", "--tmpdir", "--tmp-dir", "--temp", "--temp-dir", "-T"},
       .advice = {{"", "the variable TMPDIR names the folder of temporary files"},
                  {"merge", "the variable TMPDIR names the folder of temporary files"}}},
  };
}

// A word of `key=value`, as BBTools write options, and the option that it means. Others mean --key.
struct KeyWord {
  std::string_view key;
  std::string_view option;
};

constexpr KeyWord kKeys[] = {{"out", "--outu"},     {"out1", "--outu"},       {"out2", "--outu2"},
                             {"ref", "--adapters"}, {"literal", "--adapter"}, {"edist", "--max-edits"},
                             {"t", "--threads"}};

struct CommandWord {
  std::string_view word;
  std::string_view command;
};

constexpr CommandWord kCommands[] = {
    {"locate", "motif"},      {"grep", "motif"},        {"find", "motif"},         {"search", "motif"},
    {"fuzznuc", "motif"},     {"scan", "pwm"},          {"fimo", "pwm"},           {"matrix", "pwm"},
    {"matrices", "pwm"},      {"amplicon", "pcr"},      {"ispcr", "pcr"},          {"primersearch", "pcr"},
    {"ipcress", "pcr"},       {"primers", "pcr"},       {"crispr", "guides"},      {"offtarget", "guides"},
    {"offtargets", "guides"}, {"off-target", "guides"}, {"off-targets", "guides"}, {"cas-offinder", "guides"},
    {"align", "map"},         {"mem", "map"},           {"split", "plan"},         {"chunk", "plan"},
    {"join", "merge"},        {"cat", "merge"},         {"twobit", "pack"},        {"fatotwobit", "pack"},
    {"faidx", "plan"},        {"build", "compile"},     {"citation", "cite"},      {"benchmark", "bench"},
};

std::vector<Meaning> all_meanings() {
  std::vector<Meaning> all = input_meanings();
  for (const std::vector<Meaning>& more : {hit_meanings(), output_meanings()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace

std::span<const Meaning> meanings() {
  static const std::vector<Meaning> all = all_meanings();
  return all;
}

std::string option_meant(std::string_view key) {
  const auto* const found =
      std::find_if(std::begin(kKeys), std::end(kKeys), [key](const KeyWord& one) { return one.key == key; });
  return found == std::end(kKeys) ? "--" + std::string(key) : std::string(found->option);
}

std::string_view command_meant(std::string_view word) {
  const auto* const found = std::find_if(std::begin(kCommands), std::end(kCommands),
                                         [word](const CommandWord& one) { return one.word == word; });
  return found == std::end(kCommands) ? "" : found->command;
}

}  // namespace basesweep
