// Common parts of the graphs that search text: their options, the targets of their rows, the summary at the end.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/circular_records.hpp"
#include "lib/base/line_names.hpp"
#include "lib/base/record_info.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/packer/packer.hpp"
#include "lib/pipeline/progress.hpp"
#include "lib/reader/block_source.hpp"
#include "lib/search/region_set.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

struct TextOptions {
  PackerOptions packer{};                        // a pipeline that needs `letters` sets it itself
  int threads = 1;                               // workers; the calling thread, which reads, is one more
  bool alone = false;                            // no workers: the calling thread does all, for little text
  std::uint32_t batch_positions = 0;             // positions that a batch owns; 0: as many as the searcher wants
  std::optional<std::int64_t> expected_bases{};  // of the input, if known: little text is cut for all threads
  const RegionSet* regions = nullptr;            // only hits that start in these regions count; null: all
  std::int64_t first_record = 0;                 // the number of the first record that comes, from 0
  // Unless `circular_known` says that they are in the input, records that are named must come, else DataError.
  CircularRecords circular{};
  bool circular_known = false;
  RecordEnded record_ended{};  // see BatcherOptions
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  ProgressCounts* progress = nullptr;  // written while the pipeline runs; may be null
};

// Where rows go. Without formatter and sink they are only counted.
struct RowTarget {
  const Formatter* formatter = nullptr;
  ByteSink* sink = nullptr;
  // The input's records that have bases, if known beforehand. Without them, a formatter whose header lists records can
  // only print at the end.
  std::optional<std::vector<RecordInfo>> records{};
  std::string spool_directory = "/tmp";  // for what can only be printed at the end
  NameRule names = NameRule::any;        // that the names of records with rows must obey, else DataError
};

struct TextSummary {
  std::vector<SourceInfo> sources{};
  std::vector<SourceCounts> source_counts{};  // one for each path
  std::uint64_t hits = 0;                     // hits, products or places that were found
  bool truncated = false;                     // there were more than the options ask for
};

}  // namespace basesweep
