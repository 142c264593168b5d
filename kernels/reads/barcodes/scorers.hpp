// The scorers of barcodes on the CPU, for the registry.
#pragma once

#include <memory>

#include "lib/base/isa.hpp"
#include "lib/search/barcode_scorer.hpp"

namespace basesweep::barcodes {

std::unique_ptr<BarcodeScorer> make_cpu_scorer(const FlankedBarcodes& patterns, Isa isa);

}  // namespace basesweep::barcodes
