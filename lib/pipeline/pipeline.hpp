// The flow graph of `motif` and `match`: reader -> packer -> batcher -> matcher -> resolver -> selector -> formatter ->
// writer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/align/resolver.hpp"
#include "lib/pipeline/hit_selector.hpp"
#include "lib/pipeline/record_sinks.hpp"
#include "lib/pipeline/text_run.hpp"
#include "lib/pipeline/waiting_hits.hpp"
#include "lib/search/matcher.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// Regions and circular records need a matcher with Output::occurrences.
struct PipelineOptions : TextOptions {
  Report report = Report::sites;  // in approximate search
  SelectOptions select{};
  std::optional<double> occurrences{};                 // expected at a position, where the patterns do not say it
  std::size_t waiting_bytes = WaitingHits::kMaxBytes;  // of hits that wait in memory for the end of their record
};

struct PipelineOutput : RowTarget {
  // Get the records that have a hit, and those that have none. Need a matcher with
  // Output::occurrences, and neither regions nor SelectOptions::max_hits.
  RecordSinks matching_records{};
  RecordSinks other_records{};
  std::optional<PairChoice> pairs{};  // if the text is pairs, see RecordSplit
  // Gets each record with bases, when they begin: its number among them, its name, and the index of its path. In order,
  // not by the thread that writes to the sink, but before its hits are written. May be empty.
  std::function<void(std::int64_t reference, const std::string& name, std::uint32_t source)> see_record{};
  // Called by the thread that writes to the sink: the hits of all records before this one are written. May be empty.
  std::function<void(std::int64_t reference)> pass{};
};

struct RunSummary : TextSummary {
  std::vector<std::uint64_t> counts{};  // selected hits of each query of the pattern set
  FineCounts fine{};                    // if SelectOptions ask for them
  std::optional<SplitCounts> split{};   // if PipelineOutput asks for records
};

// Runs the input through the matcher and writes header and hits. Throws what any stage threw; of errors in the input,
// the first in input order. Throws UsageError when the formatter needs records and the text is FASTQ, Error (kExitData)
// when the records of the input are not those of `output.records`. Tokens bound the memory (lib/pipeline/stream.hpp): a
// block of text holds one from reading until it is packed and joined, or until the batch that it completed is written.
// A formatter that needs records costs their names and lengths too.
RunSummary run_pipeline(const PipelineOptions& options, BlockSource& source, const PatternSet& patterns,
                        Matcher& matcher, const PipelineOutput& output);

}  // namespace basesweep
