// The finder on a GPU.
#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "kernels/cuda/cuda.hpp"
#include "kernels/guides/halves/device_slot.cuh"

namespace basesweep::halves {
namespace {

// A thread makes the CUDA context, the tables and the slots while the pipeline already reads; an error there is thrown
// by the first search. The calling threads drive the slots: while one waits for the GPU, another can fill the other
// slot.
class CudaGuideFinder final : public GuideFinder {
 public:
  CudaGuideFinder(const GuideSet& guides, GuideWay way, int gpu)
      : guides_(guides), way_(way), gpu_(gpu), start_([this] { start(); }) {}
  ~CudaGuideFinder() override { start_.join(); }
  CudaGuideFinder(const CudaGuideFinder&) = delete;
  CudaGuideFinder& operator=(const CudaGuideFinder&) = delete;

  std::string describe() const override { return "halves on gpu " + std::to_string(gpu_); }

  // Sites are sorted anew for each batch, and a word is looked up at the same cost however many sites have it.
  std::uint32_t batch_positions() const override {
    constexpr double kSites = 1U << 24;
    return static_cast<std::uint32_t>(
        std::clamp(kSites / sites_per_position(guides_), double{1U << 22}, double{1U << 28}));
  }
  int slots() const override { return kSlots; }

  void find(const PackedBatch& batch, const Loop& loop, const Use& use) const override {
    std::vector<GuidePlace> places;
    {
      const Lease slot(*this);
      slot->find(batch, places);
    }
    std::vector<std::size_t> begins;  // of the places of a guide
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (i == 0 || places[i].guide != places[i - 1].guide) begins.push_back(i);
    }
    begins.push_back(places.size());
    constexpr std::size_t kGuidesAtOnce = 64;
    const std::size_t guides = begins.size() - 1;
    loop((guides + kGuidesAtOnce - 1) / kGuidesAtOnce, [&](std::size_t block) {
      const std::size_t end = std::min(guides, (block + 1) * kGuidesAtOnce);
      for (std::size_t i = block * kGuidesAtOnce; i < end; ++i) {
        use({places.data() + begins[i], begins[i + 1] - begins[i]});
      }
    });
  }

  bool add_up(const PackedBatch& batch, bool skip_soft_masked, const UseSums& use) const override {
    const Lease slot(*this);
    use(slot->add_up(batch, skip_soft_masked));
    return true;
  }

 private:
  static constexpr int kSlots = 2;

  // A slot for the calling thread.
  class Lease {
   public:
    explicit Lease(const CudaGuideFinder& finder) : finder_(finder) {
      std::unique_lock lock(finder.mutex_);
      finder.wake_.wait(lock, [&finder] { return !finder.free_.empty() || finder.broken_; });
      if (finder.free_.empty()) std::rethrow_exception(finder.broken_);
      slot_ = std::move(finder.free_.back());
      finder.free_.pop_back();
      lock.unlock();
      if (const cudaError_t code = cudaSetDevice(finder.gpu_); code != cudaSuccess) {
        give_back();
        BASESWEEP_CUDA(code);
      }
    }
    ~Lease() { give_back(); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Slot* operator->() const { return slot_.get(); }

   private:
    void give_back() {
      {
        const std::lock_guard lock(finder_.mutex_);
        finder_.free_.push_back(std::move(slot_));
      }
      finder_.wake_.notify_one();
    }

    const CudaGuideFinder& finder_;
    std::unique_ptr<Slot> slot_;
  };

  void start() {
    try {
      BASESWEEP_CUDA(cudaSetDevice(gpu_));
      resident_ = std::make_unique<const Resident>(guides_, way_);
      std::vector<std::unique_ptr<Slot>> slots;
      for (int i = 0; i < kSlots; ++i) slots.push_back(std::make_unique<Slot>(*resident_));
      const std::lock_guard lock(mutex_);
      free_ = std::move(slots);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      broken_ = std::current_exception();
    }
    wake_.notify_all();
  }

  const GuideSet& guides_;
  const GuideWay way_;
  const int gpu_;
  std::unique_ptr<const Resident> resident_;
  mutable std::mutex mutex_;
  mutable std::condition_variable wake_;
  mutable std::vector<std::unique_ptr<Slot>> free_;
  std::exception_ptr broken_;
  std::thread start_;  // last, so that it begins when all else is there
};

}  // namespace
}  // namespace basesweep::halves

namespace basesweep::cuda {

std::unique_ptr<GuideFinder> make_guide_finder(const GuideSet& guides, GuideWay way, int gpu) {
  return std::make_unique<halves::CudaGuideFinder>(guides, way, gpu);
}

}  // namespace basesweep::cuda
