// The part of the self-test that is about reads: barcodes, adapters and guides in reads, compared with plain code.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lib/counting/guide_lookup.hpp"
#include "lib/oracle/trial/random.hpp"
#include "lib/search/barcode_scorer.hpp"

namespace basesweep {

// Barcodes, ends of reads, and the cost of each barcode in each of them.
struct BarcodeTexts {
  std::string name;
  FlankedBarcodes barcodes;
  std::vector<std::string> texts;
  std::vector<std::uint8_t> expected;  // as BarcodeScorer gives them
};

// An adapter, reads, and where each of them is cut.
struct AdapterTexts {
  std::string name;
  std::string adapter;
  std::vector<std::string> reads;
  std::vector<std::size_t> expected;
};

// Guides, reads, and what each of them counts for.
struct CountTexts {
  std::string name;
  std::vector<std::string> guides;
  GuideLookupOptions options;
  std::vector<std::string> reads;
  std::vector<GuideCall> expected;
};

// Barcodes of one length without flanks, and of unequal lengths with flanks; some are planted with edits.
std::vector<BarcodeTexts> barcode_texts(trial::Random& random);
// A 3' adapter without errors, whole in reads or over their end.
std::vector<AdapterTexts> adapter_texts(trial::Random& random);
// Guides of 20, exact and with a mismatch, on one strand and on both.
std::vector<CountTexts> count_texts(trial::Random& random);

// Each returns the first difference, or "".
std::string try_barcodes(const BarcodeTexts& texts, const BarcodeScorer& scorer);
std::string try_adapters(const AdapterTexts& texts);
std::string try_counts(const CountTexts& texts);

}  // namespace basesweep
