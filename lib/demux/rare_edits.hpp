// What barcodes find in random text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "lib/demux/barcode_set.hpp"

namespace basesweep {

// The length of random texts where whole reads are searched; longer ones would delay the start.
inline constexpr std::size_t kMostRandomBases = 2000;

// Texts of A, C, G and T that are the same in each run.
std::vector<std::string> random_texts(std::size_t count, std::size_t bases);

// Says which edits at most 1 % of random texts would have a barcode with. It looks at random texts when it is asked
// first. Thread-safe.
class RareEdits {
 public:
  // `bases`: of the random texts.
  explicit RareEdits(std::size_t bases) : bases_(bases) {}

  // Whether so few texts of `text_bases` bases have the barcode with so many edits. `set` must have the same barcodes
  // in each call; their limits may differ.
  bool are_rare(const BarcodeSet& set, std::size_t barcode, std::uint32_t edits, std::size_t text_bases) const;

 private:
  void find(const BarcodeSet& set) const;

  const std::size_t bases_;
  mutable std::once_flag found_;
  // For each barcode and number of edits: the length of the longest texts of which at most 1 % have it.
  mutable std::vector<std::vector<double>> longest_;
};

}  // namespace basesweep
