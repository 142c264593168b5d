#include "kernels/reads/barcodes/index.hpp"

#include <algorithm>

#include "lib/base/dna.hpp"

namespace basesweep::barcodes {

template <class Lane>
LaneTables<Lane>::LaneTables(std::span<const std::string> barcodes) {
  const std::size_t groups = (barcodes.size() + kGroup - 1) / kGroup;
  eq.resize(groups * kCodes * kGroup);
  last.resize(groups * kGroup);
  letters.resize(groups * kGroup);
  for (std::size_t i = 0; i < barcodes.size(); ++i) {
    const std::string& barcode = barcodes[i];
    last[i] = Lane{1} << (barcode.size() - 1);
    letters[i] = static_cast<Lane>(barcode.size());
    for (std::size_t row = 0; row < barcode.size(); ++row) {
      const BaseSet set = pattern_letter_set(barcode[row]);
      for (std::size_t code = 0; code < 4; ++code) {
        if ((set >> code & 1U) == 0) continue;
        eq[(i / kGroup * kCodes + code) * kGroup + i % kGroup] |= Lane{1} << row;
      }
    }
  }
}

template struct LaneTables<std::uint32_t>;
template struct LaneTables<std::uint64_t>;

FlankRows::FlankRows(std::string_view letters) : eq_{}, size_(letters.size()) {
  for (std::size_t row = 0; row < letters.size(); ++row) {
    const BaseSet set = pattern_letter_set(letters[row]);
    for (std::size_t code = 0; code < 4; ++code) {
      if ((set >> code & 1U) != 0) eq_[code] |= std::uint64_t{1} << row;
    }
  }
}

}  // namespace basesweep::barcodes
