// The work of `demux` on reads with structures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lib/demux/demux_totals.hpp"
#include "lib/demux/structure_processor.hpp"
#include "tools/demux_options.hpp"
#include "tools/run.hpp"

namespace basesweep {

// The facts about reads with structures that reports and headers have, and that tell runs apart.
struct StructureQuery {
  struct Sample {
    std::uint32_t layout = 0;  // number of its structure
    std::uint32_t limit = 0;   // the most mismatches that its reads may have
    std::string tag{};         // its barcode as SAM has it, with '-' between the segments of its structure
  };
  struct List {
    std::string name{};
    std::uint64_t barcodes = 0;
    std::uint64_t checksum = 0;  // see Whitelist::checksum()
  };

  std::vector<std::string> structures;
  std::vector<Sample> samples;  // of the sheet; none without one
  std::vector<List> lists;
};

// Adds `structures` and `lists` to a report. `lists`: as the command line has them.
void add_structures(const StructureQuery& query, const std::vector<std::string>& lists,
                    const std::vector<FitCounts>& fits, nlohmann::ordered_json& report);

class StructureDemux {
 public:
  // Reads the lists. `sheet`: the samples; null: there are none, and reads are assigned by their cell barcodes. Throws
  // UsageError and DataError for structures, samples and lists that are wrong or do not fit together.
  StructureDemux(const DemuxArguments& options, SampleSheet* sheet, const Run& run);

  // Whether there are structures of two mates.
  bool has_mates() const;
  // Makes the processor. `names`: of the samples.
  void prepare(std::vector<std::string> names, bool paired, BarcodeForm form);
  // Whether the reads are to go through counter() first.
  bool counts_first() const { return !lists_->empty() && !options_.no_posterior; }
  CellCounter& counter();
  StructureProcessor& processor() { return *processor_; }
  const DemuxTotals& totals() const { return processor_->totals(); }

  // Whether both mates of a sample's pairs are written. Reads of no sample are written whole.
  bool writes_pairs(std::size_t sample) const;
  StructureQuery query() const;

 private:
  std::string barcode_tag(const StructureSample& sample) const;

  const DemuxArguments& options_;
  std::unique_ptr<CellLists> lists_;
  std::vector<std::string> origins_;  // of each layout, for messages: the option, or the first line of the sheet
  std::optional<StructureCaller> caller_;
  std::optional<CellCounter> counter_;
  std::optional<StructureProcessor> processor_;
};

}  // namespace basesweep
