// The GPU matcher of all rooms. Its slots upload a batch, run the room's kernel, and sort and fetch what it found.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/cuda/cuda.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/pinned_pool.hpp"
#include "kernels/cuda/slot_threads.hpp"
#include "lib/search/matcher.hpp"

namespace basesweep::cuda {

// Each slot has a thread that takes batches from a queue, so copies, kernels and fetches of different batches overlap.
// The slots make the CUDA context and the tables while the pipeline already reads; an error there is reported with the
// first batch.
class CudaMatcher final : public Matcher {
 public:
  static constexpr int kSlots = kMatcherSlots;

  // `make_kernel` is called on a thread of the matcher, once; the current device is options.gpu.
  CudaMatcher(const RoomOptions& options, std::function<std::unique_ptr<Kernel>()> make_kernel);
  ~CudaMatcher() override;

  void submit(const PackedBatch& batch, Done done) override;
  std::string describe() const override { return description_; }
  std::pmr::memory_resource* memory() override { return &pool_; }
  std::uint32_t batch_positions() const override { return 1U << 24; }
  int slots() const override { return kSlots; }

 private:
  struct Tables;
  class Slot;

  void make_slot(int slot);

  const RoomOptions options_;
  const std::string description_;
  const std::function<std::unique_ptr<Kernel>()> make_kernel_;
  PinnedPool pool_;
  std::shared_ptr<const Tables> tables_;
  std::vector<std::unique_ptr<Slot>> slots_;
  SlotThreads threads_;  // last, so that the threads end before what they use
};

}  // namespace basesweep::cuda
