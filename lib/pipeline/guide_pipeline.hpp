// The flow graph of `guides`: reader -> packer -> batcher -> finder -> writer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/circular_records.hpp"
#include "lib/base/record_info.hpp"
#include "lib/guides/guide_finder.hpp"
#include "lib/guides/guide_set.hpp"
#include "lib/guides/guide_table.hpp"
#include "lib/packer/packer.hpp"
#include "lib/packer/record_cursor.hpp"
#include "lib/pipeline/progress.hpp"
#include "lib/reader/block_source.hpp"
#include "lib/search/region_set.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// Fields that PipelineOptions has too mean the same.
struct GuidePipelineOptions {
  PackerOptions packer;
  int threads = 1;
  std::uint32_t batch_positions = 0;   // 0: as many as the finder wants
  const RegionSet* regions = nullptr;  // only places whose alignment starts in these regions count; null: all
  std::int64_t first_record = 0;
  const Annotation* annotation = nullptr;  // places have the features that they overlap; null: none
  CircularRecords circular{};
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  ProgressCounts* progress = nullptr;
};

// Without formatter and sink, places are only added to the table.
struct GuideOutput {
  const Formatter* formatter = nullptr;  // of PlacedGuides
  ByteSink* sink = nullptr;
  std::optional<std::vector<RecordInfo>> records{};  // with bases, if known beforehand
  std::string spool_directory{};       // of what waits for a header that lists records which are not known beforehand
  GuideRowOf row = GuideRowOf::place;  // regions and lower case keep or drop each row by its own interval
};

struct GuideSummary {
  std::vector<SourceInfo> sources;
  std::vector<SourceCounts> source_counts;
  std::uint64_t places = 0;
  std::uint64_t rows = 0;  // that were written
};

// Runs the input through the finder, adds all places to the table, and writes them in order: record, start, end,
// strand, guide, PAM. Throws like run_pipeline(). A batch holds its places.
GuideSummary run_guide_pipeline(const GuidePipelineOptions& options, BlockSource& source, const GuideSet& guides,
                                const GuideFinder& finder, GuideTable& table, const GuideOutput& output);

}  // namespace basesweep
