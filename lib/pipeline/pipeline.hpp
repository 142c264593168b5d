// The one flow graph: reader -> packer -> batcher -> matcher -> selector -> formatter -> writer.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lib/matcher.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/packer/packer.hpp"
#include "lib/pipeline/hit_selector.hpp"
#include "lib/reader/reader.hpp"
#include "lib/writer/formatter.hpp"
#include "lib/writer/output_file.hpp"

namespace basesweep {

struct PipelineOptions {
  ReaderOptions reader;
  PackerOptions packer;
  SelectOptions select;
  int threads = 1;                  // that work; reading waits on a thread of its own
  std::uint32_t batch_columns = 0;  // 0: what the matcher wants
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

struct RunSummary {
  std::vector<SourceInfo> sources;
  std::vector<SourceCounts> source_counts;  // one for each path
  std::vector<std::uint64_t> counts;        // hits that left, per entry of the pattern set
  std::uint64_t hits = 0;
  bool truncated = false;  // by --max-hits
};

// Runs the input through the matcher. `formatter` and `output` may be null: then hits are only counted. Throws what any
// stage threw; of errors in the input, the first in input order. Memory is bounded by the tokens in flight: a block of
// text holds one from reading until it is packed and joined, or until the batch it completed is written.
RunSummary run_pipeline(const PipelineOptions& options, const PatternSet& patterns, Matcher& matcher,
                        const Formatter* formatter, OutputFile* output);

}  // namespace basesweep
