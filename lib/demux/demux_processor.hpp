// Sorts reads by sample.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lib/demux/barcode_caller.hpp"
#include "lib/reads/read_processor.hpp"

namespace basesweep {

struct DemuxOptions {
  bool trim = true;        // barcodes and flanks are cut off
  bool orient = false;     // reads, or pairs, on strand '-' are turned
  bool unassigned = true;  // reads of no sample are written to the file after those of all samples
  bool rows = false;       // of the table of reads, see kDemuxTableHeader
};

// The columns of the table of reads. A mate has a row of its own.
inline constexpr std::string_view kDemuxTableHeader =
    "read\tsample\tedits\tsecond\tstrand\tcut_start\tcut_end\treason\n";

// Totals of a run. Mates are counted one by one.
struct DemuxTotals {
  struct Sample {
    std::uint64_t reads = 0;
    std::uint64_t bases = 0;  // as they are written
    std::uint64_t edits = 0;  // the sum of those of all reads; a pair has its edits in both mates
  };
  std::vector<Sample> samples;  // of the sheet, then the reads of none
  std::array<std::uint64_t, kNoSampleReasons> reasons{};
  // Reads with a pair of barcodes that no sample has, by the numbers of both.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> pairs;
};

class DemuxProcessor final : public ReadProcessor {
 public:
  // `names`: of the samples. `tags`: those that the reads of a sample get, see WrittenRead::tags; empty: none do. The
  // destination of a read is the number of its sample.
  DemuxProcessor(const BarcodeCaller& caller, std::vector<std::string> names, std::vector<std::string> tags,
                 DemuxOptions options);

  ProcessedReads process(const ReadList& reads) const override;
  void take(const ReadCounts& counts) override;
  const DemuxTotals& totals() const { return totals_; }

 private:
  struct Counts;
  void write(const ReadList& reads, const SampleCall& call, std::size_t first, ProcessedReads& to) const;

  const BarcodeCaller& caller_;
  const std::vector<std::string> names_;
  const std::vector<std::string> tags_;
  const DemuxOptions options_;
  DemuxTotals totals_;
};

}  // namespace basesweep
