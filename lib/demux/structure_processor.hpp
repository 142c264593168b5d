// Sorts reads with structures by sample, and writes their inserts with the barcodes as tags.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/demux/demux_totals.hpp"
#include "lib/demux/structure_caller.hpp"
#include "lib/reads/read_processor.hpp"

namespace basesweep {

// How the barcodes of a read are written.
enum class BarcodeForm : std::uint8_t {
  names,   // UMIs at the end of names; cell barcodes, and UMIs with them, as tags of titles
  titles,  // the same, but all tags are written in titles
  tags,    // all as tags
};

struct StructureProcessorOptions {
  bool trim = true;        // the insert is written; mates without one are not
  bool unassigned = true;  // reads of no sample are written to the file after those of all samples, whole
  bool rows = false;       // of the table of reads, see append_demux_row()
  BarcodeForm form = BarcodeForm::names;
};

class StructureProcessor final : public ReadProcessor {
 public:
  // `names`: of the samples; of the caller's, or one if it has none. The destination of a read is the number of its
  // sample.
  StructureProcessor(const StructureCaller& caller, std::vector<std::string> names, StructureProcessorOptions options);

  ProcessedReads process(const ReadList& reads) const override;
  void take(const ReadCounts& counts) override;
  const DemuxTotals& totals() const { return totals_; }

 private:
  struct Counts;
  // A read, or both mates.
  struct Mates {
    std::span<const InputRead> reads;
    std::array<std::string_view, 2> bases{};
    std::array<std::string_view, 2> qualities{};
  };

  void write(const Mates& mates, const StructureCall& call, ProcessedReads& to) const;
  void add_barcodes(const Mates& mates, const StructureCall& call, WrittenRead& written, ProcessedReads& to) const;
  void count(const StructureCall& call, Counts& counts) const;

  const StructureCaller& caller_;
  const std::vector<std::string> names_;
  const StructureProcessorOptions options_;
  DemuxTotals totals_;
};

// The letters of a barcode with '-' where a segment begins, as SAM has it. They must fit in the segments of the layout;
// `lengths`: of the segments.
std::string with_hyphens(std::string_view letters, std::span<const std::size_t> lengths);

// Counts the exact cell barcodes of the reads that are of a sample, for CellLists::count_exact().
class CellCounter final : public ReadProcessor {
 public:
  explicit CellCounter(const StructureCaller& caller) : caller_(caller) {}

  ProcessedReads process(const ReadList& reads) const override;
  void take(const ReadCounts& /*counts*/) override {}

 private:
  const StructureCaller& caller_;
};

}  // namespace basesweep
