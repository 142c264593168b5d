#include "lib/demux/sheet_caller.hpp"

namespace basesweep {

const BarcodeCaller& SheetCaller::make(const SheetBarcodes& barcodes, std::uint32_t context,
                                       const BarcodeSet::MakeScorer& make_scorer, const SampleCallOptions& options) {
  first_.emplace(barcodes.first, context, make_scorer);
  if (!barcodes.second.empty()) second_.emplace(barcodes.second, context, make_scorer);
  if (rare_ == nullptr) rare_ = std::make_shared<const BarcodeCaller::Rare>(options.ends);
  return caller_.emplace(*first_, second_ ? &*second_ : nullptr, barcodes.samples, options, rare_);
}

std::uint32_t usual_window(const BarcodeKit* kit, const PatternLengths& lengths) {
  if (kit == nullptr || !kit->slack) return SearchedEnds().window;
  return static_cast<std::uint32_t>(lengths.longest) + *kit->slack;
}

}  // namespace basesweep
