// basesweep pack: writes genomes as .2bit.
#include <fmt/format.h>

#include <array>
#include <exception>

#include "lib/base/error.hpp"
#include "lib/base/parallel.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/packer/packer.hpp"
#include "lib/reader/reader.hpp"
#include "lib/writer/output_file.hpp"
#include "lib/writer/twobit_writer.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/print.hpp"
#include "tools/run.hpp"
#include "tools/run_options.hpp"

namespace basesweep {
namespace {

struct PackOptions {
  std::vector<std::string> inputs;
  std::string output = "-";
  bool wide = false;
  int threads = 0;
  bool quiet = false;
};

Help pack_help() {
  return {
      .synopsis = {"[OPTIONS] INPUT... -o OUTPUT"},
      .sections =
          {{"Output format",
            {"A .2bit file, the format of UCSC: two bits a base, and lists of the stretches that are N or in lower "
             "case. Commands that search read it faster than text; map reads it as its reference. With regions, only "
             "the parts that these need are read, without an index file.",
             "Letters other than A, C, G, T (U) become N; a warning counts those that were not N. Records "
             "without bases are left out. Version 0 is written, or 1 where offsets need 64 bits."}}},
      .examples = {{"Pack a genome, then search it",
                    {"basesweep pack genome.fa.gz -o genome.2bit",
                     "basesweep motif -p GAATTC genome.2bit -o ecori.bed"}}},
      .exit_codes = file_exit_codes(),
      .see_also = {"motif", "match", "map", "plan"},
      .most_used = {}};
}

// Reads all records to the writer. Returns how many letters were other than A, C, G, T, U and N.
std::int64_t read_records(Reader& reader, int threads, TwoBitWriter& writer) {
  RecordCursor cursor(input_names(reader.paths()), 0, false);
  PackerOptions packer;
  packer.soft_masked = true;
  std::int64_t others = 0;
  std::exception_ptr fault;
  while (!fault) {
    const std::vector<RawBlock> raw = read_some(reader, 4 * static_cast<std::size_t>(threads), fault);
    if (raw.empty()) break;
    std::vector<PackedBlock> packed(raw.size());
    parallel_for(threads, raw.size(), [&](std::size_t i) { packed[i] = pack(raw[i], packer); });
    for (const PackedBlock& block : packed) {
      if (block.format == Format::fastq)
        throw DataError(fmt::format("{}: {}, expected FASTA: .2bit has no qualities",
                                    reader.sources()[block.source].path, format_name(reader.sources()[block.source])));
      cursor.follow(block, writer);
      others += block.positions - block.nucleotides;
    }
  }
  if (fault) std::rethrow_exception(fault);
  cursor.finish(writer);
  return others;
}

int run_pack(const PackOptions& o) {
  RunOptions run;
  run.output = o.output;
  run.quiet = o.quiet;
  run.threads = o.threads;
  check_run_options(run, o.inputs);
  format_of_name(o.output, std::array{OutputFormat::twobit});
  const auto warn = warner(run);
  const int threads = worker_threads(run);
  Reader reader({.paths = o.inputs, .threads = threads, .warn = warn});
  OutputFile output(o.output, 1, OutputCompression::binary);
  TwoBitWriter writer(input_names(o.inputs), spool_directory(o.output));
  const std::int64_t others = read_records(reader, threads, writer);
  if (writer.records() == 0) throw DataError(fmt::format("{}: no record with bases", input_name(o.inputs.front())));
  if (others != 0)
    warn(fmt::format("{} other than A, C, G, T and N became N", counted(static_cast<std::uint64_t>(others), "letter")));
  if (writer.empty_records() != 0)
    warn(fmt::format("{} without bases left out", counted(writer.empty_records(), "record")));
  writer.write(output, o.wide);
  output.commit();
  return 0;
}

}  // namespace

std::function<int()> add_pack_command(CLI::App& app) {
  auto options = std::make_shared<PackOptions>();
  PackOptions& o = *options;
  CLI::App& command = add_command(app, "pack", "Write genomes as .2bit, which is searched faster than text",
                                  kPartCommands, pack_help());
  begin_group(command, group::kOutput);
  add_arguments(command, "input", "FILE", o.inputs,
                "FASTA, plain or compressed (gzip, BGZF, zstd, bzip2, xz); a URL; - is stdin", {.required = true});
  add_text(command, "-o,--output", "FILE", o.output, "Output file; - is stdout (default)");
  add_flag(command, "--wide", o.wide, "Write version 1, whose offsets have 64 bits, even where 32 suffice");
  begin_group(command, group::kRunning);
  add_timeout_option(command);
  add_threads_option(command, o.threads, "Number of threads; 0 (default): all that this process may use");
  add_quiet_option(command, o.quiet);
  return [options] { return run_pack(*options); };
}

}  // namespace basesweep
