#include "kernels/reads/barcodes/index.hpp"

#include <algorithm>
#include <string>

#include "kernels/reads/barcodes/step.hpp"
#include "lib/base/dna.hpp"

namespace basesweep::barcodes {

template <class Lane>
LaneTables<Lane>::LaneTables(std::span<const std::string> barcodes) {
  const std::size_t groups = (barcodes.size() + kGroup - 1) / kGroup;
  eq.resize(groups * kTextCodes * kGroup);
  last.resize(groups * kGroup);
  letters.resize(groups * kGroup);
  for (std::size_t i = 0; i < barcodes.size(); ++i) {
    const std::string& barcode = barcodes[i];
    last[i] = static_cast<Lane>(Lane{1} << (barcode.size() - 1));
    letters[i] = static_cast<Lane>(barcode.size());
    for (std::size_t row = 0; row < barcode.size(); ++row) {
      const BaseSet set = pattern_letter_set(barcode[row]);
      for (std::size_t code = 0; code < 4; ++code) {
        if ((set >> code & 1U) == 0) continue;
        eq[(i / kGroup * kTextCodes + code) * kGroup + i % kGroup] |= static_cast<Lane>(Lane{1} << row);
      }
    }
  }
}

template struct LaneTables<std::uint16_t>;
template struct LaneTables<std::uint32_t>;
template struct LaneTables<std::uint64_t>;

FlankRows::FlankRows(std::string_view letters) : size_(letters.size()) {
  for (std::size_t row = 0; row < letters.size(); ++row) {
    const BaseSet set = pattern_letter_set(letters[row]);
    for (std::size_t code = 0; code < 4; ++code) {
      if ((set >> code & 1U) != 0) eq_[code] |= std::uint64_t{1} << row;
    }
  }
}

template <int Step, class Take>
void FlankRows::walk(const std::uint8_t* codes, std::size_t count, Take take) const {
  if (size_ == 0) {
    for (; count != 0; --count) take(0);
    return;
  }
  std::uint64_t pv = ~std::uint64_t{0}, mv = 0, ph = 0, mh = 0;
  const std::uint64_t last = std::uint64_t{1} << (size_ - 1);
  for (std::size_t i = 0; i < count; ++i) {
    step(eq_[codes[Step == 1 ? i : count - 1 - i]], 0, pv, mv, ph, mh);
    take(static_cast<int>((ph & last) != 0) - static_cast<int>((mh & last) != 0));
  }
}

Flanks::Flanks(const FlankedBarcodes& patterns)
    : left_(patterns.left), right_(std::string(patterns.right.rbegin(), patterns.right.rend())) {}

std::int16_t Flanks::walk(std::string_view text, std::uint8_t* codes, std::int8_t* top, std::int16_t* right) const {
  std::transform(text.begin(), text.end(), codes, text_code);
  left_.walk<1>(codes, text.size(), [&top](int delta) { *top++ = static_cast<std::int8_t>(delta); });
  auto cost = static_cast<std::int16_t>(right_.size());
  right += text.size();
  right_.walk<-1>(codes, text.size(), [&](int delta) {
    *--right = cost;
    cost = static_cast<std::int16_t>(cost + delta);
  });
  return cost;
}

std::size_t longest(std::span<const std::string> barcodes) {
  std::size_t letters = 0;
  for (const std::string& barcode : barcodes) letters = std::max(letters, barcode.size());
  return letters;
}

}  // namespace basesweep::barcodes
