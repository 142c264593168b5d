#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "kernels/reads/barcodes/scan.hpp"
#include "kernels/reads/barcodes/step.hpp"
#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/base/per_thread.hpp"

namespace basesweep {
namespace barcodes {

template <class Letters, class Take>
void FlankRows::walk(Letters letters, Take take) const {
  if (size_ == 0) {
    for (std::size_t i = 0; i < letters.size(); ++i) take(0);
    return;
  }
  std::uint64_t pv = ~std::uint64_t{0}, mv = 0, ph = 0, mh = 0;
  const std::uint64_t last = std::uint64_t{1} << (size_ - 1);
  for (const std::uint8_t code : letters) {
    step(eq_[code], 0, pv, mv, ph, mh);
    take(static_cast<int>((ph & last) != 0) - static_cast<int>((mh & last) != 0));
  }
}

namespace {

std::uint8_t code_of(char letter) {
  return is_single_base(iupac_set(letter)) ? static_cast<std::uint8_t>(base_code(letter)) : kOtherCode;
}

// A text as scans take it.
struct CodedText {
  std::vector<std::uint8_t> codes, backward;
  FlankCosts flanks;

  void set(std::string_view letters, const FlankRows& left, const FlankRows& right) {
    codes.resize(letters.size());
    std::transform(letters.begin(), letters.end(), codes.begin(), code_of);
    flanks.top.clear();
    left.walk(std::span(codes), [this](int delta) { flanks.top.push_back(static_cast<std::int8_t>(delta)); });
    backward.assign(codes.rbegin(), codes.rend());
    flanks.right.resize(codes.size() + 1);
    std::int32_t cost = static_cast<std::int32_t>(right.size());
    std::size_t at = codes.size();
    flanks.right[at] = cost;
    right.walk(std::span(backward), [&](int delta) { flanks.right[--at] = cost += delta; });
  }
  TextView view(std::size_t left_letters) const {
    return {codes.data(), codes.size(), flanks.top.data(), flanks.right.data(), static_cast<std::int32_t>(left_letters)};
  }
};

template <class Lane>
class CpuScorer final : public BarcodeScorer {
 public:
  CpuScorer(const FlankedBarcodes& patterns, BarcodeScan<Lane>* scan)
      : left_(patterns.left),
        right_(std::string(patterns.right.rbegin(), patterns.right.rend())),
        tables_(patterns.barcodes),
        count_(patterns.barcodes.size()),
        scan_(scan) {}

  void score(std::span<const std::string_view> texts, std::uint8_t* costs) const override {
    auto& coded = per_thread<CodedText>();
    auto& padded = per_thread<std::vector<std::uint8_t>>();
    padded.resize(tables_.last.size());
    const TablesView<Lane> view{tables_.eq.data(), tables_.last.data(), tables_.letters.data(), tables_.groups()};
    for (const std::string_view text : texts) {
      coded.set(text, left_, right_);
      scan_(view, coded.view(left_.size()), padded.data());
      costs = std::copy_n(padded.begin(), count_, costs);
    }
  }
  std::size_t count() const override { return count_; }

 private:
  const FlankRows left_;
  const FlankRows right_;  // backwards
  const LaneTables<Lane> tables_;
  const std::size_t count_;
  BarcodeScan<Lane>* const scan_;
};

}  // namespace
}  // namespace barcodes

std::unique_ptr<BarcodeScorer> make_barcode_scorer(const FlankedBarcodes& patterns, Isa isa) {
  std::size_t longest = 0;
  for (const std::string& barcode : patterns.barcodes) longest = std::max(longest, barcode.size());
  if (std::max({longest, patterns.left.size(), patterns.right.size()}) > kMaxBarcodeLetters)
    throw UsageError(fmt::format("a barcode or flank has more than {} letters", kMaxBarcodeLetters));
  if (longest <= 32) return std::make_unique<barcodes::CpuScorer<std::uint32_t>>(patterns, scan_short_barcodes_for(isa));
  return std::make_unique<barcodes::CpuScorer<std::uint64_t>>(patterns, scan_long_barcodes_for(isa));
}

}  // namespace basesweep
