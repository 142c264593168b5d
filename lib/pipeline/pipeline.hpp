// The one flow graph: reader -> packer -> batcher -> matcher -> resolver -> selector -> formatter -> writer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/align/resolver.hpp"
#include "lib/matcher.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/packer/packer.hpp"
#include "lib/pipeline/hit_selector.hpp"
#include "lib/pipeline/progress.hpp"
#include "lib/reader/block_source.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

struct PipelineOptions {
  PackerOptions packer;           // `letters` is set by the pipeline
  Report report = Report::sites;  // of approximate search
  SelectOptions select;
  int threads = 1;                  // that work; reading waits on a thread of its own
  std::uint32_t batch_columns = 0;  // 0: what the matcher wants
  // Only hits that start there are printed and counted; the matcher must give hits, not counts. Null: all.
  const RegionSet* regions = nullptr;
  std::int64_t first_record = 0;  // the number of the first record that comes
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  ProgressCounts* progress = nullptr;
};

// Where hits go; with neither formatter nor sink they are only counted.
struct PipelineOutput {
  const Formatter* formatter = nullptr;
  ByteSink* sink = nullptr;
  // The input's records, where they are known beforehand: a formatter that needs them can print at once.
  std::optional<std::vector<RecordInfo>> records;
  std::string spool_directory = "/tmp";  // for hits that can only be printed at the end
};

struct RunSummary {
  std::vector<SourceInfo> sources;
  std::vector<SourceCounts> source_counts;  // one for each path
  std::vector<std::uint64_t> counts;        // hits that left, per entry of the pattern set
  std::uint64_t hits = 0;
  bool truncated = false;  // by --max-hits
};

// How much text a block or batch should hold at most, so that what is found in it fits into memory: less where an exact
// search finds something in every other column, as one for N does, or where entries may differ in a third of their
// columns, since then most columns of any text end alignments of them.
std::uint32_t most_columns_at_once(const PatternSet& patterns);

// Runs the input through the matcher and writes header and hits. Throws what any stage threw; of errors in the input,
// the first in input order. Throws UsageError when the formatter needs records and the text is FASTQ, DataError when
// the records are not as `output.records` has them. Memory is bounded by the tokens in flight: a block of text holds
// one from reading until it is packed and joined, or until the batch it completed is written. (A formatter that needs
// records costs their names and lengths too.)
RunSummary run_pipeline(const PipelineOptions& options, BlockSource& source, const PatternSet& patterns,
                        Matcher& matcher, const PipelineOutput& output);

}  // namespace basesweep
