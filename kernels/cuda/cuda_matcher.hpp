// What the GPU matchers of all rooms share: slots that upload a batch, run the room's kernel, sort and fetch the hits.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/pinned_pool.hpp"
#include "kernels/cuda/slot_threads.hpp"
#include "lib/matcher.hpp"

namespace basesweep::cuda {

// The maker of an algorithm's kernel.
KernelMaker kernel_maker(Algorithm algorithm);

// A thread for each slot takes batches from a queue, so copies, kernels and fetches of different batches overlap. The
// slots make CUDA's context and the tables while the pipeline already reads; what goes wrong there comes with the first
// batch.
class CudaMatcher final : public Matcher {
 public:
  static constexpr int kSlots = 3;

  CudaMatcher(const RoomOptions& options, Algorithm algorithm);
  ~CudaMatcher() override;

  void submit(const PackedBatch& batch, Done done) override;
  std::string describe() const override { return description_; }
  std::pmr::memory_resource* memory() override { return &pool_; }
  std::uint32_t batch_columns() const override { return 1U << 24; }
  int slots() const override { return kSlots; }

 private:
  struct Tables;
  class Slot;

  void make_slot(int slot);

  const RoomOptions options_;
  const std::string description_;
  const KernelMaker make_kernel_;
  PinnedPool pool_;
  std::shared_ptr<const Tables> tables_;
  std::vector<std::unique_ptr<Slot>> slots_;
  SlotThreads threads_;  // ends first
};

}  // namespace basesweep::cuda
