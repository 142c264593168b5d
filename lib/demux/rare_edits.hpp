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

// Says whether a barcode with some number of edits is rare: whether at most 1 % of random texts have it with no more.
// It searches random texts the first time that it is asked. Thread-safe.
class RareEdits {
 public:
  // `bases`: of the random texts.
  explicit RareEdits(std::size_t bases) : bases_(bases) {}

  // `text_bases`: the length of the text. All calls have a set with the same barcodes, whose limits may differ.
  bool are_rare(const BarcodeSet& set, std::size_t barcode, std::uint32_t edits, std::size_t text_bases) const;

 private:
  void find(const BarcodeSet& set) const;

  const std::size_t bases_;
  mutable std::once_flag found_;
  // [barcode][edits]: the length up to which texts have it rarely.
  mutable std::vector<std::vector<double>> longest_;
};

}  // namespace basesweep
