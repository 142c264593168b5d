// The work of `demux` on reads with structures.
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "lib/demux/demux_totals.hpp"
#include "lib/demux/structure_processor.hpp"
#include "tools/demux_options.hpp"
#include "tools/run.hpp"

namespace basesweep {

class StructureDemux {
 public:
  // Reads the lists. `sheet`: the samples; null: there are none, and reads are assigned by their cell barcodes. Throws
  // UsageError and DataError for structures, samples and lists that are wrong or do not fit together.
  StructureDemux(const DemuxArguments& options, SampleSheet* sheet, const Run& run);

  // Makes the processor. `names`: of the samples.
  void prepare(std::vector<std::string> names, bool paired, BarcodeForm form);
  // Whether the reads are to go through counter() first.
  bool counts_first() const { return !lists_->empty() && !options_.no_posterior; }
  CellCounter& counter();
  StructureProcessor& processor() { return *processor_; }
  const DemuxTotals& totals() const { return processor_->totals(); }

  // Whether both mates of a sample's pairs are written. Reads of no sample are written whole.
  bool writes_pairs(std::size_t sample) const;
  // The barcode of a sample as SAM has it, with '-' between the segments of its structure.
  std::string barcode_tag(std::size_t sample) const;
  // Adds `structures` and `lists` to a report.
  void add_findings(nlohmann::ordered_json& report) const;

 private:
  const DemuxArguments& options_;
  std::unique_ptr<CellLists> lists_;
  std::optional<StructureCaller> caller_;
  std::optional<CellCounter> counter_;
  std::optional<StructureProcessor> processor_;
};

}  // namespace basesweep
