// The windows that the index leads to, for queries of a batch.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/sort.hpp"
#include "kernels/reads/resident_reference.cuh"
#include "kernels/reads/seeds/cuda.cuh"

namespace basesweep::cuda {

class CandidateWindows {
 public:
  CandidateWindows() : counters_(kCounters), pinned_counters_(kCounters), ends_(kEnds), pinned_ends_(kEnds) {
    reserve(kFirstCapacity);
  }

  // Looks up queries [0, count) of `reads`, and returns those that are better swept for, ascending: their seeds are all
  // over the reference. Waits for the stream. Throws OutOfMemory.
  std::vector<std::uint32_t> look_up(const ReadQueryView& reads, std::uint32_t count,
                                     const ResidentReference& reference, const Stream& stream) {
    frequent_.reserve(count);
    while (true) {
      BASESWEEP_CUDA(cudaMemsetAsync(counters_.get(), 0, kCounters * sizeof *counters_.get(), stream.get()));
      seeds::find_candidates(
          reads, count, reference.text(), reference.index()->view(),
          {candidates_.get(), capacity_, counters_.get() + kCandidates, frequent_.get(), counters_.get() + kFrequent},
          stream.get());
      queue_copy(pinned_counters_.get(), counters_.get(), kCounters, cudaMemcpyDeviceToHost, stream.get());
      stream.synchronize();
      count_ = pinned_counters_[kCandidates];
      if (count_ <= capacity_) break;
      if (count_ > seeds::kMaxCandidates) throw OutOfMemory("GPU memory does not suffice for a batch's candidates");
      reserve(count_ + count_ / 4);
    }
    std::vector<std::uint32_t> frequent(pinned_counters_[kFrequent]);
    if (!frequent.empty()) {
      queue_copy(frequent.data(), frequent_.get(), frequent.size(), cudaMemcpyDeviceToHost, stream.get());
      stream.synchronize();
      std::sort(frequent.begin(), frequent.end());
    }
    return frequent;
  }

  // Makes windows of the candidates that look_up() found, if any. Waits for the stream.
  void list(const ReadQueryView& reads, std::uint32_t count, std::uint32_t positions, DeviceBuffer<std::byte>& scratch,
            const Stream& stream) {
    if (count_ == 0) return;
    heads_.reserve(count_);
    windows_.reserve(count_);
    const std::uint64_t* sorted = sort_keys(candidates_.get(), candidates_.get() + capacity_, count_, 0,
                                            32 + std::bit_width(count - 1), scratch, stream.get());
    seeds::make_windows(sorted, count_, reads, positions, heads_.get(), {windows_.get(), ends_.get()}, scratch,
                        stream.get());
    queue_copy(pinned_ends_.get(), ends_.get(), kEnds, cudaMemcpyDeviceToHost, stream.get());
    stream.synchronize();
  }

  // Forgets what was found.
  void clear() { count_ = 0; }
  bool empty() const { return count_ == 0; }

  // The windows of queries that have `words` words: [begin(words), begin(words) + count(words)) of all. Only if not
  // empty().
  const QueryWindow* begin(std::uint32_t words) const { return windows_.get() + pinned_ends_[words - 1]; }
  std::uint32_t count(std::uint32_t words) const { return pinned_ends_[words] - pinned_ends_[words - 1]; }

 private:
  static constexpr std::uint64_t kFirstCapacity = 1U << 16;
  static constexpr std::size_t kEnds = seeds::kMaxWords + 1;
  enum Counter { kCandidates, kFrequent, kCounters };

  void reserve(std::uint64_t capacity) {
    candidates_.reserve(2 * capacity);
    capacity_ = capacity;
  }

  std::uint64_t count_ = 0;                    // number of candidates
  DeviceBuffer<seeds::Candidate> candidates_;  // room for capacity_, and as much again for sorting
  std::uint64_t capacity_ = 0;
  DeviceBuffer<std::uint32_t> frequent_;
  DeviceBuffer<unsigned long long> counters_;
  PinnedBuffer<unsigned long long> pinned_counters_;
  DeviceBuffer<std::uint32_t> heads_;
  DeviceBuffer<QueryWindow> windows_;
  DeviceBuffer<std::uint32_t> ends_;  // see seeds::WindowList
  PinnedBuffer<std::uint32_t> pinned_ends_;
};

}  // namespace basesweep::cuda
