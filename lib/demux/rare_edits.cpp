#include "lib/demux/rare_edits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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

void RareEdits::find(const BarcodeSet& set) const {
  constexpr std::size_t kMost = 1000, kLeast = 50, kScoredBases = 150'000'000;
  const std::size_t each = std::max<std::size_t>(set.size() * bases_, 1);
  const std::vector<std::string> texts = random_texts(std::clamp(kScoredBases / each, kLeast, kMost), bases_);
  BarcodeSet::Costs costs;
  set.score(std::vector<std::string_view>(texts.begin(), texts.end()), costs);
  longest_.resize(set.size());
  const auto count = static_cast<double>(texts.size());
  for (std::size_t barcode = 0; barcode < set.size(); ++barcode) {
    std::array<std::size_t, 256> with{};  // texts, by edits
    for (std::size_t i = 0; i < texts.size(); ++i)
      ++with[costs.costs[std::size_t{costs.rows[i]} * set.size() + barcode]];
    std::size_t found = 0;
    for (const std::size_t texts_with : with) {
      found += texts_with;
      if (found == texts.size()) break;
      // Finds come at random, so that 1 - exp(-rate * bases) of the texts have some.
      constexpr double kRare = 0.01;
      const double finds = -std::log(1 - static_cast<double>(found) / count);  // in a text
      longest_[barcode].push_back(found == 0 ? std::numeric_limits<double>::infinity()
                                             : -std::log(1 - kRare) * static_cast<double>(bases_) / finds);
    }
  }
}

bool RareEdits::are_rare(const BarcodeSet& set, std::size_t barcode, std::uint32_t edits,
                         std::size_t text_bases) const {
  std::call_once(found_, [&] { find(set); });
  const std::vector<double>& longest = longest_[barcode];
  return edits < longest.size() && static_cast<double>(text_bases) <= longest[edits];
}

}  // namespace basesweep
