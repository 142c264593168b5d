#include "lib/demux/rare_edits.hpp"

#include <algorithm>
#include <random>
#include <string_view>

namespace basesweep {

std::vector<std::string> random_texts(std::size_t count, std::size_t bases) {
  std::mt19937_64 random(1);  // the standard says which numbers it makes
  std::vector<std::string> texts(count);
  for (std::string& text : texts) {
    text.reserve(bases);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < bases; ++i) {
      if (i % 32 == 0) bits = random();
      text += "ACGT"[bits & 3U];
      bits >>= 2U;
    }
  }
  return texts;
}

std::size_t random_text_count(std::size_t barcodes) {
  constexpr std::size_t kMost = 1000, kLeast = 50, kScores = 1'000'000;
  return std::clamp(kScores / std::max<std::size_t>(barcodes, 1), kLeast, kMost);
}

std::vector<std::int32_t> rare_edits(const BarcodeSet& set, std::size_t bases) {
  const std::vector<std::string> texts = random_texts(random_text_count(set.size()), bases);
  BarcodeSet::Costs costs;
  set.score(std::vector<std::string_view>(texts.begin(), texts.end()), costs);
  std::vector<std::int32_t> rare(set.size());
  std::vector<std::uint8_t> of_barcode(texts.size());
  // The cost of the text with which they are more than 1 %.
  const auto first_too_many = static_cast<std::ptrdiff_t>(texts.size() / 100);
  for (std::size_t barcode = 0; barcode < set.size(); ++barcode) {
    for (std::size_t i = 0; i < texts.size(); ++i)
      of_barcode[i] = costs.costs[std::size_t{costs.rows[i]} * set.size() + barcode];
    std::nth_element(of_barcode.begin(), of_barcode.begin() + first_too_many, of_barcode.end());
    rare[barcode] = std::int32_t{of_barcode[static_cast<std::size_t>(first_too_many)]} - 1;
  }
  return rare;
}

}  // namespace basesweep
