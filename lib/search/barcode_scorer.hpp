// The interface of what scores ends of reads against barcodes (kernels/reads/barcodes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/search/searcher_options.hpp"

namespace basesweep {

// Patterns that share what comes before and after them: left + barcode + right. Letters are IUPAC codes.
struct FlankedBarcodes {
  std::string left;
  std::string right;
  std::vector<std::string> barcodes;
};

// The most letters that a flank, or a barcode, may have.
inline constexpr std::size_t kMaxBarcodeLetters = 64;

// The codes of letters of a text, as scores see them: those of bases (lib/base/dna.hpp), and one for all other letters.
inline constexpr std::size_t kTextCodes = 5;
inline constexpr std::uint8_t kOtherCode = 4;
inline std::uint8_t text_code(char letter) {
  return is_single_base(iupac_set(letter)) ? static_cast<std::uint8_t>(base_code(letter)) : kOtherCode;
}

class BarcodeScorer {
 public:
  // The highest cost that is told; higher ones are told as this one.
  static constexpr std::uint8_t kMaxCost = 255;

  virtual ~BarcodeScorer() = default;
  // For each text and barcode, the least number of edits (mismatches, inserted and deleted bases) that turn the whole
  // pattern into a stretch of the text, which may be empty. A letter of the text other than A, C, G, T and U matches
  // nothing, in either case. The costs of text i begin at costs[i * count()]. Thread-safe.
  virtual void score(std::span<const std::string_view> texts, std::uint8_t* costs) const = 0;
  virtual std::size_t count() const = 0;     // of barcodes
  virtual std::string describe() const = 0;  // "barcodes on cpu avx2"
};

// Where barcodes are scored.
struct BarcodeScorerOptions : SearcherOptions {
  // Bases of all texts that will be scored, if known: Device::automatic weighs the start of a GPU with it.
  std::optional<std::int64_t> expected_text{};
};

// Makes a scorer. Throws UsageError for a flank or a barcode of more than kMaxBarcodeLetters, DeviceError when a GPU
// that is asked for cannot be used.
std::unique_ptr<BarcodeScorer> make_barcode_scorer(const FlankedBarcodes& patterns,
                                                   const BarcodeScorerOptions& options = {});

}  // namespace basesweep
