// The tables of a set of barcodes, and the costs of their flanks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/search/barcode_scorer.hpp"

namespace basesweep::barcodes {

// Codes of letters of the text: those of bases (lib/base/dna.hpp), and one for all other letters.
inline constexpr std::size_t kCodes = 5;
inline constexpr std::uint8_t kOtherCode = 4;

// Barcodes whose costs are computed side by side, whatever the width of vectors.
inline constexpr std::size_t kGroup = 32;

// What a flank costs beside each column of a text.
struct FlankCosts {
  std::vector<std::int8_t> top;     // how much more the left flank costs up to base j than up to base j - 1, for j > 0
  std::vector<std::int32_t> right;  // the least cost of the right flank from base j on
};

// A flank as rows of bits.
class FlankRows {
 public:
  explicit FlankRows(std::string_view letters);
  std::size_t size() const { return size_; }
  // Calls take(delta) for each letter of the text: how much the cost of the whole flank changes.
  template <class Letters, class Take>
  void walk(Letters letters, Take take) const;

 private:
  std::uint64_t eq_[kCodes];
  std::size_t size_;
};

// The rows of all barcodes, in lanes of 32 bits if no barcode has more letters, else of 64 bits.
template <class Lane>
struct LaneTables {
  // Group g, code c, barcode b of the group: eq[(g * kCodes + c) * kGroup + b].
  std::vector<Lane> eq;
  std::vector<Lane> last;    // the bit of each barcode's last row
  std::vector<Lane> letters;  // of each barcode

  explicit LaneTables(std::span<const std::string> barcodes);
  std::size_t groups() const { return last.size() / kGroup; }
};

template <class Lane>
struct TablesView {
  const Lane* eq;
  const Lane* last;
  const Lane* letters;
  std::size_t groups;
};

// The arguments of a scan: a text of `length` codes, with its flanks' costs.
struct TextView {
  const std::uint8_t* codes;
  std::size_t length;
  const std::int8_t* top;
  const std::int32_t* right;
  std::int32_t left_letters;
};

}  // namespace basesweep::barcodes
