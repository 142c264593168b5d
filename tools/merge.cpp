// basesweep merge: joins the outputs of all chunks.
#include <fmt/format.h>

#include <array>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/guides/merge_guides.hpp"
#include "lib/parts/merge_hits.hpp"
#include "lib/parts/merge_tables.hpp"
#include "lib/writer/output_file.hpp"
#include "lib/writer/text_index.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/print.hpp"
#include "tools/run.hpp"

namespace basesweep {
namespace {

Help merge_help() {
  std::vector<Term> codes = file_exit_codes();
  codes[3].meaning = "bad input data, or parts that do not belong together";
  return {
      .synopsis = {"[OPTIONS] PART..."},
      .sections =
          {{"Parts",
            {"Outputs of 'basesweep motif', 'match', 'pcr', 'pwm', 'guides' or 'map', each of one chunk (--chunk i/N), "
             "all of "
             "one kind: BED, "
             "TSV, GFF3, FASTA, counts, tables of matrices, SAM, BAM or reports (--json), compressed or not, in any "
             "order. It is an error "
             "if a part is missing, given "
             "twice, or comes from another run (version, parameters, patterns, plan). The output is the same as that "
             "of one run without chunks, and its name must fit it: .bed for BED, for example."}}},
      .examples = {{"Search a genome in two jobs, then join and index their hits",
                    {"basesweep motif -p GAATTC genome.fa --chunk 1/2 -o part1.bed.gz",
                     "basesweep motif -p GAATTC genome.fa --chunk 2/2 -o part2.bed.gz",
                     "basesweep merge part*.bed.gz -o hits.bed.gz --write-index"}},
                   {"Join alignments", {"basesweep merge part*.bam -o hits.bam"}},
                   {"Join reports", {"basesweep merge part*.json -o report.json"}}},
      .files = {{"FILE.tbi, FILE.bai, FILE.csi", "Index of the output, written by --write-index."}},
      .exit_codes = std::move(codes),
      .see_also = {"plan", "motif", "match", "map"}};
}

OutputFormat format_of(PartKind kind) {
  switch (kind) {
    case PartKind::bed: return OutputFormat::bed;
    case PartKind::tsv:
    case PartKind::fimo:
    case PartKind::table: return OutputFormat::tsv;
    case PartKind::gff3: return OutputFormat::gff3;
    case PartKind::fasta: return OutputFormat::fasta;
    case PartKind::count: return OutputFormat::counts;
    case PartKind::sam: return OutputFormat::sam;
    case PartKind::bam: return OutputFormat::bam;
    case PartKind::json: break;
  }
  return OutputFormat::report;
}

struct MergeOptions : RunOptions {
  std::vector<std::string> parts;
  bool write_index = false;
};

HitFile hit_file(const PartHead& part) {
  switch (part.kind) {
    case PartKind::bed: return HitFile::bed;
    case PartKind::tsv: return parameter(part.label, "command") == "guides" ? HitFile::guide_tsv : HitFile::tsv;
    case PartKind::gff3: return HitFile::gff3;
    case PartKind::sam: return HitFile::sam;
    case PartKind::bam: return HitFile::bam;
    default: throw UsageError("--write-index: FASTA, FIMO's TSV, counts, tables and reports have no index");
  }
}

// The kind of index to write. Throws UsageError if the output cannot be indexed.
HitFile check_index(const MergeOptions& o, const PartHead& part) {
  if (parameter(part.label, "output") == kGuideTablePart) {
    throw UsageError("--write-index: the table of guides has no index; the files of --hits can have one");
  }
  const HitFile kind = hit_file(part);
  if (parameter(part.label, "command") == "map") {
    throw UsageError("--write-index: the alignments are in read order: sort them by position first");
  }
  if (o.output == "-" || (part.kind != PartKind::bam && !ends_in_gz(o.output))) {
    throw UsageError("--write-index needs an output file that is BAM or whose name ends in .gz");
  }
  return kind;
}

int run_merge(const MergeOptions& o) {
  const Run run("merge", o);
  check_run_options(o, o.parts);
  std::vector<PartHead> parts;
  for (const std::string& path : o.parts) {
    if (gives_once(path))
      throw UsageError(fmt::format("{}: a part must be a file: it is read twice", input_name(path)));
    ByteStream stream(path);
    parts.push_back(read_head(path, stream));
    std::string().swap(parts.back().header);  // headers can be many and large; merge reads them again
  }
  check_parts(parts);
  const PartHead& first = parts.front();
  format_of_name(o.output, std::array{format_of(first.kind)});
  const std::optional<HitFile> indexed = o.write_index ? std::optional(check_index(o, first)) : std::nullopt;
  OutputFile output(o.output, run.threads(),
                    first.kind == PartKind::bam ? OutputCompression::bgzf : OutputCompression::by_name);
  const auto write = [&output](std::string_view text) { output.write(text); };
  std::optional<std::uint64_t> hits;
  std::optional<MergedTable> table;
  std::optional<MergedGuides> guides;
  if (first.kind == PartKind::json) {
    output.write(merge_reports(parts, run.origin({{"--output", o.output}})));
  } else if (parameter(first.label, "output") == kGuideTablePart) {
    guides = merge_guide_tables(parts, write);
    hits = guides->places;
  } else if (first.kind == PartKind::table) {
    table = merge_tables(parts, write);
  } else {
    hits = merge_hits(parts, spool_directory(o.output), write);
  }
  output.finish();
  std::optional<HitIndex> index;
  if (indexed) index.emplace(output.written_to(), o.output, *indexed);
  if (index) index->remove_outdated();
  output.commit();
  if (index) index->place();
  if (guides && guides->without_exact_copy != 0) {
    run.warn()(print_without_copy(guides->without_exact_copy, guides->guides, "this input"));
  }
  if (table) {
    run.summarize(counted(parts.size(), "part"), table->has_hits ? counted(table->rows, "row") : counted(0, "hit"),
                  !table->has_hits);
  } else if (hits) {
    const std::string command = parameter(first.label, "command");
    const char* const noun = command == "map"      ? "alignment"
                             : command == "pcr"    ? "product"
                             : command == "guides" ? "place"
                                                   : "hit";
    run.summarize(counted(parts.size(), "part"), counted(*hits, noun), *hits == 0);
  }
  return 0;
}

}  // namespace

std::function<int()> add_merge_command(CLI::App& app) {
  auto options = std::make_shared<MergeOptions>();
  MergeOptions& o = *options;
  CLI::App& command = add_command(app, "merge", "Join the outputs of all chunks into the output of one run",
                                  kPartCommands, merge_help());
  begin_group(command, group::kOutput);
  add_arguments(command, "part", "FILE", o.parts, "Outputs of all chunks, of one format", {.required = true});
  add_output_option(command, o.output);
  add_flag(command, "--write-index", o.write_index,
           "Index the output: .tbi for BED, TSV and GFF3, .bai for SAM and BAM, .csi for records that are too long for "
           "these");
  begin_group(command, group::kRunning);
  add_timeout_option(command);
  add_threads_option(command, o.threads, "Number of compression threads; 0 (default): all that this process may use");
  add_flag(command, "-q,--quiet", o.quiet, "Print no warnings, and no line at the end that says what was found");
  return [options] { return run_merge(*options); };
}

}  // namespace basesweep
