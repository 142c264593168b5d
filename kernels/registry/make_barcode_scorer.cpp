// Makes the scorer of barcodes for the devices that the user chose.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "kernels/cuda/cuda.hpp"
#include "kernels/reads/barcodes/index.hpp"
#include "kernels/reads/barcodes/scorers.hpp"
#include "kernels/registry/choose_device.hpp"
#include "lib/base/error.hpp"
#include "lib/search/barcode_scorer.hpp"

namespace basesweep {
namespace {

// Seconds of one CPU thread for a base of text and a barcode (AMD EPYC, AVX2, 2026-11-27).
constexpr double kSecondsPerCell = 1e-9;

// For Device::automatic: a GPU, and the CPU once the GPU has failed.
class GpuOrCpuScorer final : public BarcodeScorer {
 public:
  GpuOrCpuScorer(std::unique_ptr<BarcodeScorer> gpu, const FlankedBarcodes& patterns, BarcodeScorerOptions options)
      : gpu_(std::move(gpu)), cpu_(barcodes::make_cpu_scorer(patterns, options.isa)), options_(std::move(options)) {}

  void score(std::span<const std::string_view> texts, std::uint8_t* costs) const override {
    if (!failed_) {
      try {
        return gpu_->score(texts, costs);
      } catch (const DeviceError& error) {
        if (!failed_.exchange(true))
          options_.log(fmt::format("the GPU failed, and the CPU scores barcodes: {}", error.what()));
      }
    }
    cpu_->score(texts, costs);
  }
  std::size_t count() const override { return gpu_->count(); }
  std::string describe() const override { return gpu_->describe(); }

 private:
  const std::unique_ptr<BarcodeScorer> gpu_;
  const std::unique_ptr<BarcodeScorer> cpu_;
  const BarcodeScorerOptions options_;
  mutable std::atomic<bool> failed_ = false;
};

Device chosen_device(const FlankedBarcodes& patterns, const BarcodeScorerOptions& options) {
  if (options.device != Device::automatic) return options.device;
  std::optional<double> seconds;
  if (options.expected_text) {
    seconds = static_cast<double>(*options.expected_text) * static_cast<double>(patterns.barcodes.size()) *
              kSecondsPerCell / std::max(options.threads, 1);
  }
  return choose_device(seconds, options.gpus.front(), options.log);
}

}  // namespace

std::unique_ptr<BarcodeScorer> make_barcode_scorer(const FlankedBarcodes& patterns,
                                                   const BarcodeScorerOptions& options) {
  const std::size_t longest =
      std::max({barcodes::longest(patterns.barcodes), patterns.left.size(), patterns.right.size()});
  if (longest > kMaxBarcodeLetters)
    throw UsageError(
        fmt::format("a barcode or a flank has {} letters; at most {} are searched", longest, kMaxBarcodeLetters));
  if (chosen_device(patterns, options) == Device::cpu) return barcodes::make_cpu_scorer(patterns, options.isa);
  if (options.device == Device::gpu) return cuda::make_barcode_scorer(patterns, usable_gpus(options.gpus).front());
  try {
    return std::make_unique<GpuOrCpuScorer>(cuda::make_barcode_scorer(patterns, options.gpus.front()), patterns,
                                            options);
  } catch (const DeviceError& error) {
    options.log(fmt::format("device: cpu, since the GPU failed: {}", error.what()));
    return barcodes::make_cpu_scorer(patterns, options.isa);
  }
}

}  // namespace basesweep
