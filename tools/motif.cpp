// basesweep motif: exact and IUPAC motifs to BED or TSV.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>

#include "lib/error.hpp"
#include "lib/matcher.hpp"
#include "lib/pattern_file.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/report/report.hpp"
#include "lib/threads.hpp"
#include "tools/commands.hpp"

namespace basesweep {
namespace {

struct MotifOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> patterns;
  std::vector<std::string> pattern_files;
  StrandChoice strand = StrandChoice::both;
  PalindromeChoice palindromes = PalindromeChoice::once;
  bool skip_soft_masked = false;
  bool non_overlapping = false;
  std::optional<std::uint64_t> max_hits;
  bool count = false;
  OutputFormat format = OutputFormat::bed;
  std::string output = "-";
  std::string json;
  int threads = 0;
  std::string device = "auto";
  Algorithm algorithm = Algorithm::automatic;
  std::uint32_t batch_columns = 0;
  bool quiet = false;
  bool verbose = false;
};

constexpr const char* kExamples = R"(
Examples:
  basesweep motif -p GAATTC genome.fa.gz -o ecori.bed
  basesweep motif -f motifs.fa genome.fa -o hits.bed.gz -t 8
  basesweep motif -p GANTC --count genome.fa          hits per pattern and strand
  zcat reads.fq.gz | basesweep motif -p AGATCGGAAGAGC --format tsv

Output, 0-based half-open, sorted by record, start, end, strand, pattern:
  bed  record, start, end, pattern, score (1000), strand
  tsv  record, start, end, pattern, strand, matched text

Exit codes: 0 done, with hits or without; 1 failure; 2 usage; 3 bad input data; 4 cannot read or write; 75 no usable GPU.)";

// An option whose value is one of a few words.
template <class T>
void add_choice(CLI::App& command, const std::string& name, T& value,
                const std::vector<std::pair<std::string, T>>& choices, const std::string& help) {
  std::string words;
  for (const auto& [word, meaning] : choices) words += (words.empty() ? "" : "|") + word;
  const auto take = [&value, choices](const std::string& text) {
    for (const auto& [word, meaning] : choices) {
      if (word == text) value = meaning;
    }
  };
  const auto refuse = [choices, words](const std::string& text) {
    for (const auto& [word, meaning] : choices) {
      if (word == text) return std::string();
    }
    return fmt::format("'{}' is none of {}", text, words);
  };
  command.add_option_function<std::string>(name, take, help)->check(refuse)->type_name(words);
}

void add_options(CLI::App& command, MotifOptions& o) {
  const auto refuse_below_one = [](const std::string& number) {
    return number.find_first_of("123456789") == std::string::npos || number.front() == '-' ? "must be at least 1"
                                                                                           : std::string();
  };
  const auto refuse_empty = [](const std::string& name) { return name.empty() ? "the name is empty" : std::string(); };
  command.footer(kExamples);
  command.add_option("input", o.inputs, "FASTA or FASTQ, plain, gzip or BGZF; - or none: stdin")->type_name("FILE");
  command.add_option("-p,--pattern", o.patterns, "A motif of nucleotides and IUPAC codes; may be repeated")
      ->type_name("MOTIF")
      ->allow_extra_args(false);
  command
      .add_option("-f,--pattern-file", o.pattern_files,
                  "Motifs as FASTA or as lines of name, tab, sequence; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_choice<StrandChoice>(command, "--strand", o.strand,
                           {{"both", StrandChoice::both}, {"plus", StrandChoice::plus}, {"minus", StrandChoice::minus}},
                           "Strands to search (default: both)");
  add_choice<PalindromeChoice>(command, "--palindromes", o.palindromes,
                               {{"once", PalindromeChoice::once}, {"both", PalindromeChoice::both}},
                               "Report palindromic motifs once, as + (default), or on both strands");
  add_choice<bool>(command, "--soft-masked", o.skip_soft_masked, {{"use", false}, {"skip", true}},
                   "Lower case: use (default), or skip hits that touch it");
  command.add_flag("--non-overlapping", o.non_overlapping,
                   "Per record, motif and strand keep only hits that start at or after the end of the last kept one");
  command.add_option("--max-hits", o.max_hits, "Stop after the first N hits")->check(refuse_below_one)->type_name("N");
  command.add_flag("--count", o.count, "Instead of hits, print how many there are per motif and strand");
  add_choice<OutputFormat>(command, "--format", o.format, {{"bed", OutputFormat::bed}, {"tsv", OutputFormat::tsv}},
                           "What to write for a hit (default: bed)");
  command
      .add_option("-o,--output", o.output, "Where to write; a name that ends in .gz is compressed (BGZF); - is stdout")
      ->check(refuse_empty)
      ->type_name("FILE");
  command.add_option("--json", o.json, "Write a report of the run")->check(refuse_empty)->type_name("FILE");
  command.add_option("-t,--threads", o.threads, "Threads that work; 0 (default): all this process may use")
      ->check(CLI::Range(0, 4096))
      ->type_name("N");
  command.add_option("--device", o.device, "auto (default), cpu, gpu or gpu:N")->type_name("DEVICE");
  add_choice<Algorithm>(command, "--algorithm", o.algorithm,
                        {{"auto", Algorithm::automatic},
                         {"planes", Algorithm::planes},
                         {"drk2s", Algorithm::drk2s},
                         {"ac-dfa", Algorithm::ac_dfa}},
                        "How to match (default: auto)");
  command
      .add_option("--batch-bases", o.batch_columns,
                  "Bases a matcher gets at a time; for tests, no result depends on it")
      ->check(CLI::Range(1U, 1U << 30))
      ->group("");
  command.add_flag("-q,--quiet", o.quiet, "No warnings");
  command.add_flag("-v,--verbose", o.verbose, "Say what was chosen and how long it took");
}

std::vector<Pattern> collect_patterns(const MotifOptions& o) {
  if (o.patterns.empty() && o.pattern_files.empty()) throw UsageError("no pattern given: use -p or -f");
  std::vector<Pattern> patterns;
  std::map<std::string, std::string> origin;  // of names in files
  for (const std::string& path : o.pattern_files) {
    for (Pattern& pattern : read_patterns(path)) {
      if (const auto [known, fresh] = origin.emplace(pattern.name, path); !fresh) {
        throw DataError(fmt::format("{}: pattern '{}': the name is used in {} too", path, pattern.name, known->second));
      }
      patterns.push_back(std::move(pattern));
    }
  }
  for (const std::string& motif : o.patterns) {
    std::string upper = motif;
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    patterns.push_back({motif, std::move(upper)});
  }
  return patterns;
}

// `standard` is what "-" stands for.
bool file_status(const std::string& path, int standard, struct stat& status) {
  return (path == "-" ? fstat(standard, &status) : stat(path.c_str(), &status)) == 0;
}

// Whether both are one regular file; "-" is stdin where read and stdout where written.
bool same_file(const std::string& read, const std::string& written) {
  struct stat one {};
  struct stat two {};
  return file_status(read, STDIN_FILENO, one) && file_status(written, STDOUT_FILENO, two) && S_ISREG(one.st_mode) &&
         one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

// One name, whether the file is there yet or not.
bool same_output(const std::string& a, const std::string& b) {
  if (a == "-" || b == "-") return a == b;
  const auto full = [](const std::string& path) {
    std::error_code failed;  // then the path is empty, and opening it will tell
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path), failed);
  };
  return same_file(a, b) || full(a) == full(b);
}

void check_files(const MotifOptions& o) {
  std::vector<std::string> read = o.inputs;
  read.insert(read.end(), o.pattern_files.begin(), o.pattern_files.end());
  if (std::count(read.begin(), read.end(), "-") > 1) throw UsageError("'-' (standard input) is given more than once");
  for (const std::string& written : {o.output, o.json}) {
    if (written.empty()) continue;
    for (const std::string& path : read) {
      if (same_file(path, written)) {
        throw UsageError(fmt::format("{}: is input and output", written == "-" ? "<stdout>" : written));
      }
    }
  }
  if (!o.json.empty() && same_output(o.json, o.output)) {
    throw UsageError(fmt::format("{}: the report and the hits go to the same file", o.json));
  }
}

RunReport describe_run(const MotifOptions& o, const Matcher& matcher, int threads) {
  RunReport report;
  report.command = "motif";
  report.parameters = {{"strand", o.strand == StrandChoice::both   ? "both"
                                  : o.strand == StrandChoice::plus ? "plus"
                                                                   : "minus"},
                       {"palindromes", o.palindromes == PalindromeChoice::once ? "once" : "both"},
                       {"soft_masked", o.skip_soft_masked ? "skip" : "use"},
                       {"overlapping", o.non_overlapping ? "no" : "yes"},
                       {"output", o.count                         ? "count"
                                  : o.format == OutputFormat::bed ? "bed"
                                                                  : "tsv"}};
  report.max_hits = o.max_hits;
  report.matcher = matcher.describe();
  report.threads = threads;
  return report;
}

int run_motif(MotifOptions o) {
  const auto begin = std::chrono::steady_clock::now();
  const auto say = [&o](const std::string& text) {
    if (o.verbose) tell(text);
  };
  const auto warn = [&o](const std::string& text) {
    if (!o.quiet) tell("warning: " + text);
  };
  if (o.quiet && o.verbose) throw UsageError("--quiet and --verbose conflict");
  if (o.count && o.max_hits) throw UsageError("--count and --max-hits conflict");
  if (o.inputs.empty()) {
    if (isatty(STDIN_FILENO) != 0)
      throw UsageError("no input file, and stdin is a terminal; try 'basesweep motif --help'");
    o.inputs = {"-"};
  }
  const auto [device, gpu] = parse_device(o.device);
  check_files(o);
  const PatternSet patterns(collect_patterns(o), o.strand, o.palindromes);
  const int threads = o.threads == 0 ? available_threads() : o.threads;

  PipelineOptions pipeline;
  pipeline.reader.paths = o.inputs;
  pipeline.reader.threads = threads;
  pipeline.reader.warn = warn;
  pipeline.packer.soft_masked = o.skip_soft_masked;
  pipeline.select = {o.non_overlapping, o.max_hits};
  pipeline.threads = threads;
  pipeline.batch_columns = o.batch_columns;
  pipeline.warn = warn;

  MatcherOptions matching;
  matching.algorithm = o.algorithm;
  matching.device = device;
  matching.gpu = gpu;
  matching.output = o.count && !o.non_overlapping ? Output::counts : Output::hits;
  matching.expected_bases = Reader(pipeline.reader).expected_bases();
  matching.threads = threads;
  matching.log = say;
  const std::unique_ptr<Matcher> matcher = make_matcher(patterns, matching);
  say(fmt::format("matching {} patterns with {}, {} threads", patterns.patterns().size(), matcher->describe(),
                  threads));

  OutputFile output(o.output, threads);
  std::unique_ptr<OutputFile> json = o.json.empty() ? nullptr : std::make_unique<OutputFile>(o.json, 1);
  const Formatter formatter(patterns, o.format);
  if (!o.count) output.write(formatter.header());
  const RunSummary summary =
      run_pipeline(pipeline, patterns, *matcher, o.count ? nullptr : &formatter, o.count ? nullptr : &output);
  if (o.count) output.write(count_table(patterns, summary.counts));

  RunReport report = describe_run(o, *matcher, threads);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (json != nullptr) json->write(json_report(report, patterns, summary));
  output.commit();
  if (json != nullptr) json->commit();
  if (summary.truncated) warn(fmt::format("stopped after {} hits (--max-hits); there are more", summary.hits));
  say(fmt::format("{} hits in {:.3f} s", summary.hits, report.seconds));
  return 0;
}

}  // namespace

std::function<int()> add_motif_command(CLI::App& app) {
  auto options = std::make_shared<MotifOptions>();
  add_options(*app.add_subcommand("motif", "Find exact and IUPAC motifs on both strands; write BED or TSV"), *options);
  return [options] { return run_motif(*options); };
}

}  // namespace basesweep
