// What barcodes find in random text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lib/demux/barcode_set.hpp"

namespace basesweep {

// Where whole reads are searched, random ones have so many bases: as many as can be looked at without waiting.
inline constexpr std::size_t kMostRandomBases = 2000;

// Texts of A, C, G and T that are the same in each run.
std::vector<std::string> random_texts(std::size_t count, std::size_t bases);

// How many random texts to search for so many barcodes: 1,000, or fewer where that would take long.
std::size_t random_text_count(std::size_t barcodes);

// For each barcode the most edits that at most 1 % of random texts of so many bases have it with; -1 if more have it
// without an edit.
std::vector<std::int32_t> rare_edits(const BarcodeSet& set, std::size_t bases);

}  // namespace basesweep
