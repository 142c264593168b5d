// basesweep compile: writes patterns, how they are searched for, and the tables that this takes, as one file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/compiled/compiled_set.hpp"
#include "lib/products/primer_set.hpp"
#include "lib/search/make_matcher.hpp"
#include "lib/writer/output_file.hpp"
#include "tools/commands.hpp"
#include "tools/file_kind.hpp"
#include "tools/help.hpp"
#include "tools/pcr_options.hpp"
#include "tools/print.hpp"
#include "tools/search_options.hpp"

namespace basesweep {
namespace {

constexpr std::uint64_t kTableBytes = std::uint64_t{128} << 20;  // about what 10 ms verify when the set is loaded

struct CompileOptions {
  SearchJobOptions search;
  EditOptions edits;
  bool pairs = false;
  PairColumnChoice columns;  // with --pairs
};

Help compile_help() {
  return {
      .synopsis = {"[OPTIONS] {-f FILE | -p PATTERN}... [-k N | -e RATE | --mismatches N] -o OUTPUT",
                   "[OPTIONS] --pairs -f FILE... {-k N | -e RATE} -o OUTPUT"},
      .sections =
          {{"Compiled sets",
            {"A compiled set has all patterns, -k or -e, the limits, clamps, strands and palindromes, and the limits "
             "that patterns have of their own. 'basesweep match', 'motif' and 'pcr' take it as their only file with "
             "-f, and write the same as with the files that it was compiled from. An option of these that is given "
             "again must have the same value.",
             "It also has the table that 'match' and 'pcr' would otherwise build for a large set in each run on a CPU. "
             "A GPU builds its own in some milliseconds.",
             "The file is checked when it is read: one that was cut off or changed is refused, and one of another "
             "version of basesweep too. It is mapped into memory, so that runs on one machine share it: do not write "
             "to it while it is in use. 'basesweep compile' puts a new file in the place of the old one."},
            {{"match", "Takes sets compiled with -k or -e, or of patterns that all have edits of their own."},
             {"motif", "Takes sets compiled without."},
             {"pcr", "Takes sets compiled with --pairs. Sizes, --single and --pool are given with the search."}}}},
      .examples = {{"Compile a library of guides once, then search genomes with it",
                    {"basesweep compile -f guides.tsv --mismatches 3 -o guides.bsx",
                     "basesweep match -f guides.bsx genome.fa -o hits.bed"}},
                   {"The same for pairs of primers",
                    {"basesweep compile --pairs -f pairs.tsv -k 2 --clamp-3prime 3 -o pairs.bsx",
                     "basesweep pcr -f pairs.bsx genome.fa -o products.tsv"}}},
      .exit_codes = file_exit_codes(),
      .see_also = {"match", "motif", "pcr"},
      .most_used = {"-f", "-p", "-k", "-e", "--mismatches", "--pairs", "-o", "-h", "--help"}};
}

// Throws UsageError if options conflict. The kind is not known before the patterns are.
void check(const CompileOptions& o) {
  const SearchJobOptions& search = o.search;
  check_run_options(search, search.pattern_files);
  format_of_name(search.output, std::array{OutputFormat::compiled});
  if (search.columns.any() && search.pattern_files.empty()) {
    throw UsageError("--name-column and --pattern-column are for pattern files (-f)");
  }
  if (!o.pairs) {
    if (o.columns.any()) throw UsageError("--forward-column and --reverse-column need --pairs");
    return;
  }
  if (search.pattern_files.empty()) throw UsageError("--pairs needs a file of pairs: use -f");
  for (const char* const option : {"--pattern", "--strand", "--palindromes", "--pattern-column"}) {
    if (search.is_given(option)) throw UsageError(fmt::format("{} and --pairs conflict", option));
  }
}

void refuse_limits(const SearchJobOptions& o) {
  for (const EditLimit& limit : kWithoutOverhangs.subspan(kEditsOnly.size())) {
    if (o.is_given(limit.names)) throw UsageError(fmt::format("{} needs -k or -e", limit.names));
  }
}

// The patterns that the searching command will make of the set.
PatternSet searched(CompiledSet& set, const CompileOptions& o) {
  if (set.kind == SetKind::exact) return {set.patterns, o.search.strand, o.search.palindromes};
  if (set.kind == SetKind::approximate) {
    return with_edits(set.patterns, o.search.strand, o.search.palindromes, o.edits);
  }
  JoinOptions join;
  join.max_size = std::numeric_limits<std::int64_t>::max();  // a search may choose larger sizes than the usual ones
  const PrimerSet primers(set.pairs, join);
  return with_edits(primers.patterns(), StrandChoice::both, PalindromeChoice::both, o.edits);
}

CompiledSet collect(const CompileOptions& o, LeftOut& left_out) {
  CompiledSet set;
  set.options = {o.edits, o.search.strand, o.search.palindromes};
  if (o.pairs) {
    set.kind = SetKind::pairs;
    for (const std::string& path : o.search.pattern_files) {
      for (PrimerPair& pair : read_sequences(path, [&] { return read_primer_pairs(path, o.columns, &left_out); })) {
        set.pairs.push_back(std::move(pair));
      }
    }
    return set;
  }
  set.patterns = collect_patterns(o.search, left_out);
  const bool own_edits = std::any_of(set.patterns.begin(), set.patterns.end(),
                                     [](const Pattern& pattern) { return pattern.edits.has_value(); });
  const bool approximate = o.edits.edits || o.edits.rate || own_edits;
  set.kind = approximate ? SetKind::approximate : SetKind::exact;
  if (!approximate) refuse_limits(o.search);
  return set;
}

int run_compile(CompileOptions o) {
  take_mismatches(o.search.mismatches, o.edits);
  check(o);
  o.columns.name = o.search.columns.name;
  LeftOut left_out;
  CompiledSet set = collect(o, left_out);
  const auto note = [&o](const std::string& text) {
    if (!o.search.quiet) tell(text);
  };
  tell_of_left_out(left_out, note, warner(o.search));
  const PatternSet patterns = searched(set, o);
  StoredTables built;
  built.keep = [&set](const StoredTable& table) { set.tables.all.push_back(table); };
  // A table costs nothing to build when it is searched, so it is that of an endless text.
  constexpr double kEndless = 1e15;
  MatcherOptions matching;
  matching.device = Device::cpu;
  matching.expected_bases = static_cast<std::int64_t>(kEndless);
  matching.threads = worker_threads(o.search);
  matching.table_bytes = o.search.table_bytes.value_or(kTableBytes);
  matching.tables = &built;
  matching.log = teller(o.search);
  const std::unique_ptr<Matcher> matcher = make_matcher(patterns, matching);
  OutputFile output(o.search.output, 1, OutputCompression::binary);
  write_compiled_set(output, set, worker_threads(o.search));
  output.commit();
  return 0;
}

}  // namespace

std::function<int()> add_compile_command(CLI::App& app) {
  auto options = std::make_shared<CompileOptions>();
  CompileOptions& o = *options;
  CLI::App& command = add_command(app, "compile", "Write patterns and their tables as a file that is loaded at once",
                                  kPartCommands, compile_help());
  keep_words(command, o.search);
  begin_group(command, group::kPatterns);
  add_pattern_options(command, o.search, "pattern");
  add_flag(command, "--pairs", o.pairs, "The files are pairs of primers, as 'basesweep pcr' takes them");
  add_pair_columns(command, o.columns, "With --pairs: column");
  begin_group(command, group::kHits);
  add_options(command, edit_options("pattern", kWithoutOverhangs), o.edits);
  add_mismatches_option(command, o.search.mismatches);
  add_options(command, strand_options("pattern"), o.search);
  begin_group(command, group::kOutput);
  add_text(command, "-o,--output", "FILE", o.search.output, "Output file (.bsx); - is stdout (default)");
  add_number(command, "--table-memory", o.search.table_bytes, {.min = 1, .suffixes = true},
             "Store the best table that takes at most N bytes; N may end in k, M or G (default: 134217728). Loading "
             "takes about 10 ms for 100 MB");
  begin_group(command, group::kRunning);
  add_timeout_option(command);
  add_threads_option(command, o.search.threads, "Number of threads; 0 (default): all that this process may use");
  add_quiet_option(command, o.search.quiet);
  add_flag(command, "-v,--verbose", o.search.verbose, "Print which algorithm and which table are chosen");
  return [options] { return run_compile(*options); };
}

}  // namespace basesweep
