// basesweep plan: how an input is cut into chunks.
#include <fmt/format.h>

#include "lib/error.hpp"
#include "lib/writer/output_file.hpp"
#include "lib/writer/text_index.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/scope.hpp"

namespace basesweep {
namespace {

Help plan_help() {
  return {
      .synopsis = {"[OPTIONS] -n N INPUT..."},
      .sections = {{"Chunks",
                    {"FASTA is cut at bases, into chunks of about as many each; records of less than an eighth of a "
                     "chunk stay whole. "
                     "FASTQ, and reads of 'basesweep map', are cut at records, of which pairs stay together. The plan "
                     "is the same with "
                     "an index beside the input, which spares reading it, and without."}},
                   {"Output format",
                    {"A line of what it is, then a row for what a chunk has of a record. Chunk 0: records that no "
                     "chunk has (with "
                     "--region)."},
                    {{"of FASTA", "chunk, record, start, end (0-based, half-open), length and number of the record"},
                     {"of reads", "chunk, *, and the numbers of its records"}}}},
      .examples = {{"A genome in four chunks, as jobs of their own; then one file of hits",
                    {"basesweep plan genome.fa --chunks 4 -o plan.tsv", "for i in 1 2 3 4; do",
                     "    basesweep motif -f motifs.fa genome.fa --chunk $i/4 --plan plan.tsv \\",
                     "        -o part$i.bed", "done", "basesweep merge part*.bed -o hits.bed"}},
                   {"With indices, so that each job reads its chunk only",
                    {"basesweep plan genome.fa --write-index --chunks 17 -o plan.tsv"}},
                   {"Reads in eight chunks", {"basesweep plan reads.fq.gz --chunks 8 -o plan.tsv"}}},
      .files = index_files(),
      .exit_codes = file_exit_codes(),
      .see_also = {"merge", "motif", "match", "map"}};
}

struct PlanOptions {
  std::vector<std::string> inputs;
  std::uint32_t chunks = 0;
  RegionOptions regions;
  bool reads = false;
  bool write_index = false;
  std::string output = "-";
  int threads = 0;
  bool quiet = false;
};

int run_plan(const PlanOptions& o) {
  RunOptions run;
  run.output = o.output;
  run.quiet = o.quiet;
  run.threads = o.threads;
  std::vector<std::string> read = o.inputs;
  const std::vector<std::string> more = o.regions.files(o.inputs);
  read.insert(read.end(), more.begin(), more.end());
  check_run_options(run, read);
  if (o.write_index) {
    if (o.reads) throw UsageError("--write-index and --reads conflict");
    for (const std::string& path : o.inputs) {
      if (path != "-" && Reader({.paths = {path}}).format() == Format::fastq) {
        throw UsageError(fmt::format("--write-index: {} is FASTQ, which is cut at records without one", path));
      }
      write_fasta_index(path);
    }
  }
  const Plan plan = make_plan(o.inputs, o.regions, o.reads, o.chunks, worker_threads(run), warner(run));
  OutputFile output(o.output, 1);
  output.write(print_plan(plan));
  output.commit();
  return 0;
}

}  // namespace

std::function<int()> add_plan_command(CLI::App& app) {
  auto options = std::make_shared<PlanOptions>();
  PlanOptions& o = *options;
  CLI::App& command = *app.add_subcommand("plan", "Cut an input into chunks, a job each; write a table of them");
  set_help(command, plan_help());
  command.group(kPartCommands);
  begin_group(command, group::kChunks);
  command.add_option("input", o.inputs, "FASTA or FASTQ, plain, gzip or BGZF")->type_name("FILE")->required();
  command.add_option("-n,--chunks", o.chunks, "How many")
      ->required()
      ->check(CLI::Range(std::uint32_t{1}, kMostChunks).description(""))
      ->type_name("N");
  command.add_flag("--reads", o.reads, "Cut FASTA at records too: it holds reads for 'basesweep map'");
  add_region_options(command, o.regions, "the input");
  begin_group(command, group::kOutput);
  command.add_flag("--write-index", o.write_index, "Make the index (.fai, of BGZF .gzi too) beside the input first");
  command.add_option("-o,--output", o.output, "Where to write; - is stdout")->check(refuse_empty)->type_name("FILE");
  begin_group(command, group::kRunning);
  add_threads_option(command, o.threads, "Threads that read; 0 (default): all this process may use");
  command.add_flag("-q,--quiet", o.quiet, "No warnings");
  return [options] { return run_plan(*options); };
}

}  // namespace basesweep
