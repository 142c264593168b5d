// Scores barcodes on the CPU: one text after another, barcodes side by side.
#include <algorithm>
#include <vector>

#include "kernels/reads/barcodes/scan.hpp"
#include "kernels/reads/barcodes/scorers.hpp"
#include "lib/base/per_thread.hpp"

namespace basesweep::barcodes {
namespace {

// Memory that is kept from one text to the next.
struct Scratch {
  std::vector<std::uint8_t> codes;
  std::vector<std::int8_t> top;
  std::vector<std::int16_t> right;
  std::vector<std::uint8_t> costs;  // of whole groups
};

template <class Lane>
class CpuScorer final : public BarcodeScorer {
 public:
  CpuScorer(const FlankedBarcodes& patterns, BarcodeScan<Lane>* scan, Isa isa)
      : flanks_(patterns), tables_(patterns.barcodes), count_(patterns.barcodes.size()), scan_(scan), isa_(isa) {}

  void score(std::span<const std::string_view> texts, std::uint8_t* costs) const override {
    auto& scratch = per_thread<Scratch>();
    scratch.costs.resize(tables_.last.size());
    const TablesView<Lane> view{tables_.eq.data(), tables_.last.data(), tables_.letters.data(), tables_.groups()};
    for (const std::string_view text : texts) {
      scratch.codes.resize(text.size());
      scratch.top.resize(text.size());
      scratch.right.resize(text.size());
      const std::int16_t before = flanks_.walk(text, scratch.codes.data(), scratch.top.data(), scratch.right.data());
      scan_(view,
            {scratch.codes.data(), text.size(), scratch.top.data(), scratch.right.data(), before,
             static_cast<std::int32_t>(flanks_.left_letters())},
            scratch.costs.data());
      costs = std::copy_n(scratch.costs.begin(), count_, costs);
    }
  }
  std::size_t count() const override { return count_; }
  std::string describe() const override { return std::string("barcodes on cpu ") + to_string(isa_); }

 private:
  const Flanks flanks_;
  const LaneTables<Lane> tables_;
  const std::size_t count_;
  BarcodeScan<Lane>* const scan_;
  const Isa isa_;
};

}  // namespace

std::unique_ptr<BarcodeScorer> make_cpu_scorer(const FlankedBarcodes& patterns, Isa isa) {
  if (longest(patterns.barcodes) <= kShortestBarcode)
    return std::make_unique<CpuScorer<std::uint16_t>>(patterns, scan_shortest_barcodes_for(isa), isa);
  if (longest(patterns.barcodes) <= kShortBarcode)
    return std::make_unique<CpuScorer<std::uint32_t>>(patterns, scan_short_barcodes_for(isa), isa);
  return std::make_unique<CpuScorer<std::uint64_t>>(patterns, scan_long_barcodes_for(isa), isa);
}

}  // namespace basesweep::barcodes
