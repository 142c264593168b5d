// How many reads without a barcode would be called by chance, and the error rate that keeps them few.
#pragma once

#include <cstddef>
#include <functional>

#include "lib/demux/barcode_caller.hpp"
#include "lib/demux/sample_sheet.hpp"

namespace basesweep {

// Of `reads` random reads.
struct ChanceCalls {
  std::size_t reads = 0;
  std::size_t assigned = 0;  // to a sample
  std::size_t within = 0;    // of which some sample is within its limits, assigned or not

  double share() const { return static_cast<double>(assigned) / static_cast<double>(reads); }
  // Whether so few are assigned, or within limits, that a run need not care: 1 %, or a single read.
  bool few_assigned() const { return few(assigned); }
  bool few_within() const { return few(within); }

 private:
  bool few(std::size_t calls) const { return calls <= 1 || 100 * calls <= reads; }
};

// Random reads, or pairs, that are the same in each run.
struct RandomReads {
  bool paired = false;
  std::size_t bases = 0;  // of a mate
};
// With as many bases as are searched in a read, as far as that is known.
RandomReads random_reads(bool paired, bool anywhere, std::uint32_t window);

// Of sheets with many barcodes fewer reads are called, since that takes longer.
ChanceCalls call_random_reads(const BarcodeCaller& caller, const RandomReads& reads, const SheetBarcodes& barcodes);

// Lowers the error rate of a search until few random reads have a sample within its limits, or it is 0. `barcodes`: of
// the sheet by this search; they change with it. `make`: makes the caller of these barcodes. Returns the calls of the
// last one.
ChanceCalls lower_error_rate(SampleSheet& sheet, SheetSearch& search, SheetBarcodes& barcodes, const RandomReads& reads,
                             const std::function<const BarcodeCaller&()>& make);

}  // namespace basesweep
