// Finds ends of reads on a GPU: candidates from an index of the reference, or a sweep; the rooms' kernels verify them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/cuda/cuda.hpp"
#include "kernels/cuda/slot_threads.hpp"
#include "lib/search/finder.hpp"

namespace basesweep::cuda {

class ResidentReference;

// The reference and its index are on the device once. Each slot has a thread that takes batches from a queue, so
// copies, kernels and fetches of different batches overlap.
class CudaFinder final : public Finder {
 public:
  static constexpr int kSlots = 3;

  // Throws DeviceError if the GPU's memory does not suffice for the reference.
  CudaFinder(const PackedBatch& reference, const FinderOptions& options, int gpu, Verifiers verifiers);
  ~CudaFinder() override;

  void submit(const ReadQueryView& reads, std::uint32_t first_read, Done done) override;
  std::string describe() const override { return description_; }
  // About 6,000 reads of 150: enough for the GPU, and few enough for many threads to share in placing them.
  std::size_t batch_bytes() const override { return std::size_t{1} << 21; }
  int slots() const override { return kSlots; }

 private:
  class Slot;

  void make_slot(int slot);

  const int gpu_;
  const Candidates candidates_;
  const std::size_t max_ends_;
  const Verifiers verifiers_;
  std::unique_ptr<const ResidentReference> reference_;
  std::string description_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::unique_ptr<SlotThreads> threads_;  // last, so that the threads end before what they use
};

}  // namespace basesweep::cuda
