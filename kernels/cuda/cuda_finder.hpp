// Finds ends of reads on a GPU: candidates from an index of the reference, or a sweep; the rooms' kernels verify them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/cuda/slot_threads.hpp"
#include "kernels/cuda/window_kernel.hpp"
#include "lib/finder.hpp"

namespace basesweep::cuda {

// The reference and its index lie on the device once. A thread for each slot takes batches from a queue, so copies,
// kernels and fetches of different batches overlap.
class CudaFinder final : public Finder {
 public:
  static constexpr int kSlots = 3;

  // Throws DeviceError where the GPU's memory does not suffice for the reference.
  CudaFinder(const PackedBatch& reference, const FinderOptions& options);
  ~CudaFinder() override;

  void submit(const ReadBatch& reads, std::uint32_t first_read, Done done) override;
  std::string describe() const override { return description_; }
  // Some 6,000 reads of 150: enough for the GPU, and few enough for many threads to place them.
  std::size_t batch_bytes() const override { return std::size_t{1} << 21; }
  int slots() const override { return kSlots; }

 private:
  struct Resident;
  class Slot;

  void make_slot(int slot);

  const int gpu_;
  const Candidates candidates_;
  const std::size_t most_ends_;
  const WindowKernel verify_;
  std::unique_ptr<const Resident> resident_;
  std::string description_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::unique_ptr<SlotThreads> threads_;  // ends first
};

}  // namespace basesweep::cuda
