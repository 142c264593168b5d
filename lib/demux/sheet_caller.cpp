#include "lib/demux/sheet_caller.hpp"

#include <tuple>
#include <vector>

namespace basesweep {
namespace {

// Whether the set has these barcodes, with limits that may be others. Limits decide which barcodes of a sheet are
// equal, so that a set may get more or fewer of them.
bool has_letters_of(const std::optional<BarcodeSet>& set, const std::vector<Barcode>& barcodes) {
  if (!set) return barcodes.empty();
  if (set->size() != barcodes.size()) return false;
  for (std::size_t i = 0; i < barcodes.size(); ++i) {
    const Barcode &known = (*set)[i], &one = barcodes[i];
    if (std::tie(known.left, known.barcode, known.right) != std::tie(one.left, one.barcode, one.right)) return false;
  }
  return true;
}

}  // namespace

const BarcodeCaller& SheetCaller::make(const SheetBarcodes& barcodes, std::uint32_t context,
                                       const BarcodeSet::MakeScorer& make_scorer, const SampleCallOptions& options) {
  if (!has_letters_of(first_, barcodes.first) || !has_letters_of(second_, barcodes.second))
    rare_ = std::make_shared<const BarcodeCaller::Rare>(options.ends);
  first_.emplace(barcodes.first, context, make_scorer);
  if (!barcodes.second.empty()) second_.emplace(barcodes.second, context, make_scorer);
  return caller_.emplace(*first_, second_ ? &*second_ : nullptr, barcodes.samples, options, rare_);
}

std::uint32_t usual_window(const BarcodeKit* kit, const PatternLengths& lengths) {
  if (kit == nullptr || !kit->slack) return SearchedEnds().window;
  return static_cast<std::uint32_t>(lengths.longest) + *kit->slack;
}

}  // namespace basesweep
