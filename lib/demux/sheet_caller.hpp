// A sheet's samples, ready to be called: the sets of barcodes and the caller that searches them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "lib/demux/barcode_caller.hpp"
#include "lib/demux/barcode_kits.hpp"
#include "lib/demux/barcode_set.hpp"
#include "lib/demux/sample_sheet.hpp"

namespace basesweep {

class SheetCaller {
 public:
  // Makes the caller, in place of one that was made before for the same context and ends. `context`: bases of flanks
  // that are scored with a barcode.
  const BarcodeCaller& make(const SheetBarcodes& barcodes, std::uint32_t context,
                            const BarcodeSet::MakeScorer& make_scorer, const SampleCallOptions& options);

  // Of the last make().
  const BarcodeCaller& caller() const { return *caller_; }
  const BarcodeSet& first_barcodes() const { return *first_; }

 private:
  std::optional<BarcodeSet> first_;
  std::optional<BarcodeSet> second_;
  std::optional<BarcodeCaller> caller_;
  std::shared_ptr<const BarcodeCaller::Rare> rare_;
};

// The bases at the ends of reads to search where nothing else is said: enough for the barcodes of a kit that begin at
// the end of reads. `kit`: null without one.
std::uint32_t usual_window(const BarcodeKit* kit, const PatternLengths& lengths);

}  // namespace basesweep
