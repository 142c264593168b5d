// Scores barcodes on a GPU: a block for each text and 128 barcodes, a thread for each barcode.
#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/cuda.hpp"
#include "kernels/reads/barcodes/index.hpp"
#include "kernels/reads/barcodes/step.hpp"

namespace basesweep::barcodes {
namespace {

using cuda::DeviceBuffer;
using cuda::PinnedBuffer;
using cuda::queue_copy;
using cuda::Stream;

constexpr int kThreads = 128;
constexpr int kSlots = 4;

// The texts of a call: bases [first[i], first[i + 1]) of all codes are those of text i. The arrays of flanks' costs
// have the same places; costs of right flanks are those behind each base, and that before the first one is in `before`.
struct Texts {
  const std::uint8_t* codes;
  const std::int8_t* top;
  const std::int16_t* right;
  const std::int16_t* before;
  const std::uint32_t* first;
  std::int32_t left_letters;
};

template <class Lane>
__global__ void __launch_bounds__(kThreads)
    score_texts(TablesView<Lane> tables, std::uint32_t barcodes, Texts texts, std::uint8_t* costs) {
  const std::uint32_t text = blockIdx.x;
  const std::uint32_t barcode = blockIdx.y * kThreads + threadIdx.x;
  if (barcode >= barcodes) return;
  const std::uint32_t group = barcode / kGroup, lane = barcode % kGroup;
  Lane eq[kTextCodes];
#pragma unroll
  for (std::uint32_t code = 0; code < kTextCodes; ++code)
    eq[code] = tables.eq[(group * kTextCodes + code) * kGroup + lane];
  const Lane last = tables.last[barcode];
  Lane pv = ~Lane{0}, mv = 0, ph = 0, mh = 0;
  std::int32_t cost = texts.left_letters + static_cast<std::int32_t>(tables.letters[barcode]);
  std::int32_t best = cost + texts.before[text];
  const std::uint32_t end = texts.first[text + 1];
  for (std::uint32_t j = texts.first[text]; j < end; ++j) {
    const std::uint8_t code = texts.codes[j];  // the same for all threads of the block
    const Lane row = code == 0 ? eq[0] : code == 1 ? eq[1] : code == 2 ? eq[2] : code == 3 ? eq[3] : eq[4];
    step(row, texts.top[j], pv, mv, ph, mh);
    cost += static_cast<std::int32_t>((ph & last) != 0) - static_cast<std::int32_t>((mh & last) != 0);
    best = min(best, cost + texts.right[j]);
  }
  costs[std::size_t{text} * barcodes + barcode] =
      static_cast<std::uint8_t>(min(best, std::int32_t{BarcodeScorer::kMaxCost}));
}

// The buffers of one call at a time.
struct Slot {
  Stream stream;
  PinnedBuffer<std::uint8_t> codes, costs;
  PinnedBuffer<std::int8_t> top;
  PinnedBuffer<std::int16_t> right, before;
  PinnedBuffer<std::uint32_t> first;
  DeviceBuffer<std::uint8_t> device_codes, device_costs;
  DeviceBuffer<std::int8_t> device_top;
  DeviceBuffer<std::int16_t> device_right, device_before;
  DeviceBuffer<std::uint32_t> device_first;
};

template <class T>
const T* upload(const PinnedBuffer<T>& from, DeviceBuffer<T>& to, std::size_t count, const Stream& stream) {
  to.reserve(count);
  queue_copy(to.get(), from.get(), count, cudaMemcpyHostToDevice, stream.get());
  return to.get();
}

template <class Lane>
class GpuScorer final : public BarcodeScorer {
 public:
  GpuScorer(const FlankedBarcodes& patterns, int gpu) : gpu_(gpu), flanks_(patterns), count_(patterns.barcodes.size()) {
    use_gpu();
    const LaneTables<Lane> tables(patterns.barcodes);
    eq_ = cuda::to_device(tables.eq);
    last_ = cuda::to_device(tables.last);
    letters_ = cuda::to_device(tables.letters);
    for (int i = 0; i < kSlots; ++i) free_.push_back(std::make_unique<Slot>());
  }
  ~GpuScorer() override {
    if (cudaSetDevice(gpu_) == cudaSuccess) free_.clear();
  }

  void score(std::span<const std::string_view> texts, std::uint8_t* costs) const override {
    if (texts.empty()) return;
    use_gpu();
    std::unique_ptr<Slot> slot = take();
    try {
      score(texts, *slot, costs);
    } catch (...) {
      give_back(std::move(slot));
      throw;
    }
    give_back(std::move(slot));
  }
  std::size_t count() const override { return count_; }
  std::string describe() const override { return "barcodes on gpu " + std::to_string(gpu_); }

 private:
  void use_gpu() const { BASESWEEP_CUDA(cudaSetDevice(gpu_)); }
  void score(std::span<const std::string_view> texts, Slot& slot, std::uint8_t* costs) const {
    std::size_t bases = 0;
    for (const std::string_view text : texts) bases += text.size();
    slot.codes.reserve(bases + 1);
    slot.top.reserve(bases + 1);
    slot.right.reserve(bases + 1);
    slot.before.reserve(texts.size());
    slot.first.reserve(texts.size() + 1);
    std::uint32_t at = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      slot.first[i] = at;
      slot.before[i] = flanks_.walk(texts[i], slot.codes.get() + at, slot.top.get() + at, slot.right.get() + at);
      at += static_cast<std::uint32_t>(texts[i].size());
    }
    slot.first[texts.size()] = at;
    const Stream& stream = slot.stream;
    const Texts view{upload(slot.codes, slot.device_codes, bases + 1, stream),
                     upload(slot.top, slot.device_top, bases + 1, stream),
                     upload(slot.right, slot.device_right, bases + 1, stream),
                     upload(slot.before, slot.device_before, texts.size(), stream),
                     upload(slot.first, slot.device_first, texts.size() + 1, stream),
                     static_cast<std::int32_t>(flanks_.left_letters())};
    const std::size_t all = texts.size() * count_;
    slot.costs.reserve(all);
    slot.device_costs.reserve(all);
    const TablesView<Lane> tables{eq_.get(), last_.get(), letters_.get(), last_.size() / kGroup};
    const dim3 blocks(static_cast<unsigned>(texts.size()), static_cast<unsigned>((count_ + kThreads - 1) / kThreads));
    score_texts<Lane><<<blocks, kThreads, 0, stream.get()>>>(tables, static_cast<std::uint32_t>(count_), view,
                                                             slot.device_costs.get());
    BASESWEEP_CUDA(cudaGetLastError());
    queue_copy(slot.costs.get(), slot.device_costs.get(), all, cudaMemcpyDeviceToHost, stream.get());
    stream.synchronize();
    std::copy_n(slot.costs.get(), all, costs);
  }

  std::unique_ptr<Slot> take() const {
    std::unique_lock lock(mutex_);
    returned_.wait(lock, [this] { return !free_.empty(); });
    std::unique_ptr<Slot> slot = std::move(free_.back());
    free_.pop_back();
    return slot;
  }
  void give_back(std::unique_ptr<Slot> slot) const {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(std::move(slot));
    }
    returned_.notify_one();
  }

  const int gpu_;
  const Flanks flanks_;
  const std::size_t count_;
  DeviceBuffer<Lane> eq_, last_, letters_;
  mutable std::mutex mutex_;
  mutable std::condition_variable returned_;
  mutable std::vector<std::unique_ptr<Slot>> free_;
};

}  // namespace

}  // namespace basesweep::barcodes

namespace basesweep::cuda {

std::unique_ptr<BarcodeScorer> make_barcode_scorer(const FlankedBarcodes& patterns, int gpu) {
  if (barcodes::longest(patterns.barcodes) <= barcodes::kShortBarcode)
    return std::make_unique<barcodes::GpuScorer<std::uint32_t>>(patterns, gpu);
  return std::make_unique<barcodes::GpuScorer<std::uint64_t>>(patterns, gpu);
}

}  // namespace basesweep::cuda
