// Sorts reads by sample.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lib/demux/barcode_caller.hpp"
#include "lib/demux/demux_totals.hpp"
#include "lib/reads/read_processor.hpp"

namespace basesweep {

struct DemuxOptions {
  bool trim = true;        // barcodes and flanks are cut off
  bool orient = false;     // reads, or pairs, on strand '-' are turned
  bool unassigned = true;  // reads of no sample are written to the file after those of all samples
  bool rows = false;       // of the table of reads, see append_demux_row()
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
