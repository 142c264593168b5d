// The tables of a set of barcodes, and the costs of their flanks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/search/barcode_scorer.hpp"

namespace basesweep::barcodes {

// Barcodes whose costs are computed side by side, whatever the width of vectors.
inline constexpr std::size_t kGroup = 32;

// The most letters of a barcode whose rows fit into lanes of 16 bits, which only the CPU has, and of 32 bits.
inline constexpr std::size_t kShortestBarcode = 16;
inline constexpr std::size_t kShortBarcode = 32;
std::size_t longest(std::span<const std::string> barcodes);

// A flank as rows of bits.
class FlankRows {
 public:
  explicit FlankRows(std::string_view letters);
  std::size_t size() const { return size_; }
  // Reads the codes [begin, end) forwards (Step 1), or from the last to the first (-1), and calls take(delta) after
  // each: how much the cost of the whole flank has changed.
  template <int Step, class Take>
  void walk(const std::uint8_t* codes, std::size_t count, Take take) const;

 private:
  std::array<std::uint64_t, kTextCodes> eq_{};
  std::size_t size_;
};

// The costs of the two flanks in a text. All barcodes share them.
class Flanks {
 public:
  explicit Flanks(const FlankedBarcodes& patterns);
  std::size_t left_letters() const { return left_.size(); }
  // Writes for each base of the text its code; by how much more the left flank costs up to this base than up to the
  // base before; and the least cost of the right flank after this base. Returns its cost in the whole text.
  std::int16_t walk(std::string_view text, std::uint8_t* codes, std::int8_t* top, std::int16_t* right) const;

 private:
  FlankRows left_;
  FlankRows right_;  // its letters backwards
};

// The rows of all barcodes, in lanes of 16 or 32 bits if no barcode has more letters, else of 64 bits.
template <class Lane>
struct LaneTables {
  // Group g, code c, barcode b of the group: eq[(g * kTextCodes + c) * kGroup + b].
  std::vector<Lane> eq;
  std::vector<Lane> last;     // the bit of each barcode's last row
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
  const std::int16_t* right;  // after each base
  std::int32_t before;        // cost of the right flank before the first base
  std::int32_t left_letters;
};

}  // namespace basesweep::barcodes
