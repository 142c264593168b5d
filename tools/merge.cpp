// basesweep merge: from the outputs of all chunks to that of one run.
#include <fmt/format.h>

#include "lib/error.hpp"
#include "lib/merge/merge_hits.hpp"
#include "lib/writer/output_file.hpp"
#include "lib/writer/text_index.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/run_options.hpp"

namespace basesweep {
namespace {

Help merge_help() {
  std::vector<Term> codes = file_exit_codes();
  codes[3].meaning = "bad input data: parts that do not fit together";
  return {
      .synopsis = {"[OPTIONS] PART..."},
      .sections =
          {{"Parts",
            {"Outputs of 'basesweep motif', 'match' or 'map' with --chunk i/N, all of one kind: BED, TSV, counts, SAM, "
             "BAM or reports (--json), compressed or not. They may be given in any order. A part that is missing, "
             "there twice, or of another run (version, parameters, patterns, plan) is an error that says so. The "
             "output is what one run without --chunk writes."}}},
      .examples = {{"Search a genome in two jobs, join their hits, index them",
                    {"basesweep motif -p GAATTC genome.fa --chunk 1/2 -o part1.bed.gz",
                     "basesweep motif -p GAATTC genome.fa --chunk 2/2 -o part2.bed.gz",
                     "basesweep merge part*.bed.gz -o hits.bed.gz --write-index"}},
                   {"Alignments", {"basesweep merge part*.bam -o hits.bam"}},
                   {"Reports", {"basesweep merge part*.json -o report.json"}}},
      .files = {{"FILE.tbi, FILE.bai, FILE.csi", "The index that --write-index puts beside the output."}},
      .exit_codes = std::move(codes),
      .see_also = {"plan", "motif", "match", "map"}};
}

struct MergeOptions {
  std::vector<std::string> parts;
  std::string output = "-";
  bool write_index = false;
  int threads = 0;
};

HitFile hit_file(PartKind kind) {
  switch (kind) {
    case PartKind::bed: return HitFile::bed;
    case PartKind::tsv: return HitFile::tsv;
    case PartKind::sam: return HitFile::sam;
    case PartKind::bam: return HitFile::bam;
    default: throw UsageError("--write-index is for hits");
  }
}

// Of what can be indexed when it is written.
HitFile check_index(const MergeOptions& o, const PartHead& part) {
  const HitFile kind = hit_file(part.kind);
  if (parameter(part.label, "command") == "map") {
    throw UsageError("--write-index: reads are in the order of the input; sort them by place first");
  }
  if (o.output == "-" || (part.kind != PartKind::bam && !o.output.ends_with(".gz"))) {
    throw UsageError("--write-index needs a file for output, BAM or with a name that ends in .gz");
  }
  return kind;
}

int run_merge(const MergeOptions& o) {
  RunOptions run;
  run.output = o.output;
  run.threads = o.threads;
  check_run_options(run, o.parts);
  std::vector<PartHead> parts;
  for (const std::string& path : o.parts) {
    if (path == "-") throw UsageError("a part must be a file, since it may be read twice");
    ByteStream stream(path);
    parts.push_back(read_head(path, stream));
    std::string().swap(parts.back().header);  // there may be many, and large ones; it is read again
  }
  check_parts(parts);
  const PartHead& first = parts.front();
  const std::optional<HitFile> indexed = o.write_index ? std::optional(check_index(o, first)) : std::nullopt;
  const int threads = worker_threads(run);
  OutputFile output(o.output, threads,
                    first.kind == PartKind::bam ? OutputCompression::bgzf : OutputCompression::by_name);
  if (first.kind == PartKind::json) {
    output.write(merge_reports(parts));
  } else {
    merge_hits(parts, [&output](std::string_view text) { output.write(text); });
  }
  output.commit();
  if (indexed) write_hit_index(o.output, *indexed, threads);
  return 0;
}

}  // namespace

std::function<int()> add_merge_command(CLI::App& app) {
  auto options = std::make_shared<MergeOptions>();
  MergeOptions& o = *options;
  CLI::App& command = *app.add_subcommand("merge", "Join the outputs of all chunks to that of one run");
  set_help(command, merge_help());
  command.group(kPartCommands);
  begin_group(command, group::kOutput);
  command.add_option("part", o.parts, "Outputs of chunks, all of one kind")->type_name("FILE")->required();
  command
      .add_option("-o,--output", o.output, "Where to write; a name that ends in .gz is compressed (BGZF); - is stdout")
      ->check(refuse_empty)
      ->type_name("FILE");
  command.add_flag("--write-index", o.write_index,
                   "Index the output: .tbi of BED and TSV, .bai of SAM and BAM, or .csi");
  begin_group(command, group::kRunning);
  add_threads_option(command, o.threads, "Threads that compress; 0 (default): all this process may use");
  return [options] { return run_merge(*options); };
}

}  // namespace basesweep
