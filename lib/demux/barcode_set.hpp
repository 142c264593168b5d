// The different barcodes of one side of a sample sheet, and their costs in ends of reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/search/barcode_scorer.hpp"

namespace basesweep {

// A barcode and what stands around it, 5' to 3' as in the read. Letters are IUPAC codes.
struct Barcode {
  std::string left;  // the whole flank, as far as it is known
  std::string barcode;
  std::string right;
  std::uint32_t limit = 0;  // the most edits that its pattern may have
  // The most that the barcode alone may have: flanks are the same for all barcodes, also for those that the sheet
  // lacks.
  std::uint32_t own_limit = std::numeric_limits<std::uint32_t>::max();

  bool operator==(const Barcode&) const = default;
};

// How a barcode becomes a pattern.
struct BarcodePatternOptions {
  std::uint32_t context = 20;  // bases of each flank that are searched with the barcode, those next to it
  double error_rate = 0.30;    // of the pattern's length
};

// The part of a barcode that is searched: the barcode with `context` bases of its flanks.
std::string pattern_of(const Barcode& barcode, std::uint32_t context);

// Where a pattern is in a text, bases [begin, end).
struct BarcodePlace {
  std::size_t begin;
  std::size_t end;
};

class BarcodeSet {
 public:
  // Makes the scorer of patterns with the same flanks: make_barcode_scorer(), which is given by the caller, since this
  // library does not link the kernels.
  using MakeScorer = std::function<std::unique_ptr<BarcodeScorer>(const FlankedBarcodes& patterns)>;

  // No two barcodes are equal. Throws as `make`.
  BarcodeSet(std::vector<Barcode> barcodes, std::uint32_t context, const MakeScorer& make);

  std::string describe() const { return groups_.front().scorer->describe(); }
  std::size_t size() const { return barcodes_.size(); }
  const Barcode& operator[](std::size_t index) const { return barcodes_[index]; }
  // The length of the shortest pattern, without the edits that it may have.
  std::size_t least_letters() const { return least_letters_; }
  // The costs of all barcodes in each text, those of text i from costs[rows[i] * size()] on. Short texts that are equal
  // have the same row. Thread-safe.
  struct Costs {
    std::vector<std::uint8_t> costs;
    std::vector<std::uint32_t> rows;
  };
  void score(std::span<const std::string_view> texts, Costs& costs) const;
  // The place of a barcode with both whole flanks in a text: of those with the fewest edits the one that ends first,
  // and of those that end there the shortest.
  BarcodePlace place(std::size_t index, std::string_view text) const;
  // Whether the barcode itself is within its own limit at its place in a text.
  bool holds(std::size_t index, std::string_view text, BarcodePlace place) const;

 private:
  // Barcodes with the same flanks.
  struct Group {
    std::vector<std::size_t> members;
    std::unique_ptr<BarcodeScorer> scorer;
  };

  void score_each(std::span<const std::string_view> texts, std::vector<std::uint8_t>& costs) const;

  std::vector<Barcode> barcodes_;
  std::vector<std::string> plain_;  // with whole flanks; "": not only A, C, G and T
  std::vector<Group> groups_;
  std::size_t least_letters_ = 0;
};

}  // namespace basesweep
