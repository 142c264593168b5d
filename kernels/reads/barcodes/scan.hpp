// The CPU loop of barcode scores, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstdint>

#include "kernels/reads/barcodes/index.hpp"
#include "lib/base/isa.hpp"

namespace basesweep {

// Writes the cost of each barcode of each group, at most BarcodeScorer::kMaxCost.
template <class Lane>
using BarcodeScan = void(const barcodes::TablesView<Lane>& tables, const barcodes::TextView& text, std::uint8_t* costs);

BASESWEEP_PER_ISA(BarcodeScan<std::uint16_t>, scan_shortest_barcodes)
BASESWEEP_PER_ISA(BarcodeScan<std::uint32_t>, scan_short_barcodes)
BASESWEEP_PER_ISA(BarcodeScan<std::uint64_t>, scan_long_barcodes)

}  // namespace basesweep
