// basesweep plan: cuts an input into chunks.
#include <fmt/format.h>

#include <array>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/writer/output_file.hpp"
#include "lib/writer/text_index.hpp"
#include "tools/alignment_input.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/scope.hpp"

namespace basesweep {
namespace {

Help plan_help() {
  return {.synopsis = {"[OPTIONS] -n N INPUT..."},
          .sections =
              {{"Chunks",
                {"FASTA is cut at bases into chunks of about the same size; records smaller than an eighth of a "
                 "chunk stay whole. FASTQ, and reads for map, demux, trim and count, are cut at records; pairs stay "
                 "together, and are planned by their first mates. With an index beside it, the input is not read, "
                 "and the plan is the same."}},
               {"Output format",
                {"A line that describes the plan, then a row for each part of a record that a chunk holds. Chunk "
                 "0 lists the records that are in no chunk (with --region)."},
                {{"FASTA", "chunk, record, start, end (0-based, half-open), length and number of the record"},
                 {"reads", "chunk, *, and the range of its record numbers"}}}},
          .examples = {{"Search a genome in four jobs, then join their hits",
                        {"basesweep plan genome.fa --chunks 4 -o plan.tsv", "for i in 1 2 3 4; do",
                         "    basesweep motif -f motifs.fa genome.fa --chunk $i/4 --plan plan.tsv \\",
                         "        -o part$i.bsp", "done", "basesweep merge part*.bsp -o hits.bed"}},
                       {"Write the index too, so that each job reads only its chunk",
                        {"basesweep plan genome.fa --write-index --chunks 17 -o plan.tsv"}},
                       {"Cut reads into eight chunks", {"basesweep plan reads.fq.gz --chunks 8 -o plan.tsv"}}},
          .files = index_files(),
          .exit_codes = file_exit_codes(),
          .see_also = {"merge", "motif", "match", "map", "demux", "trim", "count"},
          .most_used = {"-n", "--reads", "--region", "--write-index", "-o", "-h", "--help"}};
}

struct PlanOptions {
  std::vector<std::string> inputs;
  AlignmentInput alignments;
  std::uint32_t chunks = 0;
  RegionOptions regions;
  bool reads = false;
  bool write_index = false;
  std::string output = "-";
  int threads = 0;
  bool quiet = false;
};

int run_plan(PlanOptions o) {
  RunOptions run;
  run.output = o.output;
  run.quiet = o.quiet;
  run.threads = o.threads;
  std::vector<std::string> read = o.inputs;
  const std::vector<std::string> more = o.regions.files(o.inputs);
  read.insert(read.end(), more.begin(), more.end());
  const std::vector<std::string> references = o.alignments.files();
  read.insert(read.end(), references.begin(), references.end());
  check_run_options(run, read);
  prepare(o.alignments);
  format_of_name(o.output, std::array{OutputFormat::plan});
  if (o.write_index) {
    if (o.reads) throw UsageError("--write-index and --reads conflict");
    for (const std::string& path : o.inputs) {
      if (path == "-") throw UsageError("--write-index: the index of standard input has no place: give a file");
      if (is_url(path)) throw UsageError(fmt::format("--write-index: {} is not a file of this machine", path));
      if (is_twobit_file(path))
        throw UsageError(fmt::format("--write-index: {} is .2bit, which has its own index", path));
      Reader reader({.paths = {path}, .alignments = o.alignments.reading});
      if (reader.format() == Format::fastq)
        throw UsageError(
            fmt::format("--write-index: {} is {}, which needs no index", path, format_name(reader.sources().front())));
      write_fasta_index(path);
    }
  }
  const Plan plan =
      make_plan(o.inputs, o.regions, o.reads, o.chunks, worker_threads(run), o.alignments.reading, warner(run));
  OutputFile output(o.output, 1);
  output.write(print_plan(plan));
  output.commit();
  return 0;
}

}  // namespace

std::function<int()> add_plan_command(CLI::App& app) {
  auto options = std::make_shared<PlanOptions>();
  PlanOptions& o = *options;
  CLI::App& command = add_command(app, "plan", "Cut an input into chunks, one per job; write a table of them",
                                  kPartCommands, plan_help());
  begin_group(command, group::kInput);
  add_arguments(command, "input", "FILE", o.inputs,
                "FASTA or FASTQ, plain or compressed (gzip, BGZF, zstd, bzip2, xz), .2bit, SAM, BAM or CRAM; a URL",
                {.required = true});
  add_alignment_options(command, o.alignments);
  begin_group(command, group::kChunks);
  add_number(command, "-n,--chunks", o.chunks, {.min = 1, .max = kMaxChunks}, "Number of chunks", {.required = true});
  add_flag(command, "--reads", o.reads, "Cut FASTA at records: for pairs, and for map, demux, trim and count");
  add_region_options(command, o.regions, "the input");
  begin_group(command, group::kOutput);
  add_flag(command, "--write-index", o.write_index,
           "First write the index (.fai; for BGZF also .gzi) beside the input");
  add_text(command, "-o,--output", "FILE", o.output, "Output file; - is stdout (default)");
  begin_group(command, group::kRunning);
  add_threads_option(command, o.threads, "Number of threads; 0 (default): all that this process may use");
  add_quiet_option(command, o.quiet);
  return [options] { return run_plan(*options); };
}

}  // namespace basesweep
