// The flow graph of `motif` and `match`: reader -> packer -> batcher -> matcher -> resolver -> selector -> formatter ->
// writer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/align/resolver.hpp"
#include "lib/base/line_names.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/packer/packer.hpp"
#include "lib/pipeline/hit_selector.hpp"
#include "lib/pipeline/progress.hpp"
#include "lib/pipeline/record_sinks.hpp"
#include "lib/pipeline/waiting_hits.hpp"
#include "lib/reader/block_source.hpp"
#include "lib/search/matcher.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

struct PipelineOptions {
  PackerOptions packer;           // the pipeline sets `letters` itself
  Report report = Report::sites;  // in approximate search
  SelectOptions select;
  int threads = 1;                               // workers; the calling thread, which reads, is one more
  std::uint32_t batch_positions = 0;             // positions that a batch owns; 0: as many as the matcher wants
  std::optional<std::int64_t> expected_bases{};  // of the input, if known: little text is cut for all threads
  std::optional<double> occurrences{};           // expected at a position, where the patterns do not say it
  // Only hits that start in these regions are written and counted; null: all hits. Needs a matcher with
  // Output::occurrences.
  const RegionSet* regions = nullptr;
  std::size_t waiting_bytes = WaitingHits::kMaxBytes;  // of hits that wait in memory for the end of their record
  std::int64_t first_record = 0;                       // the number of the first record that comes, from 0
  // Circular records need a matcher with Output::occurrences. Unless `circular_known` says that they are in the input,
  // those that are named must come, else DataError.
  CircularRecords circular{};
  bool circular_known = false;
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  ProgressCounts* progress = nullptr;  // written while the pipeline runs; may be null
};

// The output of the hits. Without formatter and sink they are only counted.
struct PipelineOutput {
  const Formatter* formatter = nullptr;
  ByteSink* sink = nullptr;
  // The input's records that have bases, if known beforehand. Without them, a formatter whose header lists records can
  // only print at the end.
  std::optional<std::vector<RecordInfo>> records;
  std::string spool_directory = "/tmp";  // for hits, and records, that can only be printed at the end
  // Get the records that have a hit, and those that have none; null: they are not written. Need a matcher with
  // Output::occurrences, and neither regions nor SelectOptions::max_hits.
  RecordSinks matching_records{};
  RecordSinks other_records{};
  PairChoice pairs = PairChoice::any;  // of pairs, see RecordSplit
  NameRule names = NameRule::any;      // that the names of records with hits must obey, else DataError
  // Gets each record with bases, when they begin: its number among them, its name, and the index of its path. In order,
  // not by the thread that writes to the sink, but before its hits are written. May be empty.
  std::function<void(std::int64_t reference, const std::string& name, std::uint32_t source)> see_record{};
  // Called by the thread that writes to the sink: the hits of all records before this one are written. May be empty.
  std::function<void(std::int64_t reference)> pass{};
};

struct RunSummary {
  std::vector<SourceInfo> sources;
  std::vector<SourceCounts> source_counts;  // one for each path
  std::vector<std::uint64_t> counts;        // selected hits of each query of the pattern set
  std::uint64_t hits = 0;                   // their sum
  bool truncated = false;                   // there were more hits than --max-hits
  FineCounts fine{};                        // if SelectOptions ask for them
};

// Runs the input through the matcher and writes header and hits. Throws what any stage threw; of errors in the input,
// the first in input order. Throws UsageError when the formatter needs records and the text is FASTQ, Error (kExitData)
// when the records of the input are not those of `output.records`. Tokens bound the memory (lib/pipeline/stream.hpp): a
// block of text holds one from reading until it is packed and joined, or until the batch that it completed is written.
// A formatter that needs records costs their names and lengths too.
RunSummary run_pipeline(const PipelineOptions& options, BlockSource& source, const PatternSet& patterns,
                        Matcher& matcher, const PipelineOutput& output);

}  // namespace basesweep
