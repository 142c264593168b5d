// The index of q-grams on the GPU, and the lists of windows that look-ups in it lead to.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/buffer.hpp"
#include "kernels/reads/seeds/step.hpp"

namespace basesweep::seeds {

// An index on the device. The positions of a key have no order. Positions that hold no base are in it too, so that
// look-ups lead to exactly the ends that a sweep finds.
class DeviceIndex {
 public:
  // `text` lies on the device. Throws OutOfMemory.
  DeviceIndex(const PackedView& text, const cuda::Stream& stream);
  IndexView view() const { return {starts_.get(), positions_.get(), gram_}; }
  std::uint32_t gram() const { return gram_; }
  // Bytes of device memory for the index of a reference with this many positions.
  static std::size_t bytes(std::uint32_t positions);

 private:
  std::uint32_t gram_;
  cuda::DeviceBuffer<std::uint32_t> starts_;
  cuda::DeviceBuffer<std::uint32_t> positions_;
};

// query << 32 | position: the last position of the alignment without indels that holds a seed of the query. It may lie
// past the text, since edits can bring the end back into it.
using Candidate = std::uint64_t;

// The result of look-ups. All pointers are the device's.
struct CandidateList {
  Candidate* candidates;  // [capacity]
  std::uint64_t capacity;
  unsigned long long* found;           // candidates, also those that did not fit
  std::uint32_t* frequent;             // queries whose seeds are all over the text; their candidates are not listed
  unsigned long long* frequent_count;  // their number
};

// Queues the look-up of queries [0, count). Each occurrence of a seed makes a candidate.
void find_candidates(const ReadQueryView& reads, std::uint32_t count, const PackedView& text, const IndexView& index,
                     const CandidateList& list, cudaStream_t stream);

// The candidates of one window have their last positions within 2^stretch_bits() positions, so that a thread's work is
// bounded: windows are cut at multiples of that number.
BASESWEEP_HD constexpr std::uint32_t stretch_bits(const ReadQuery& query) {
  const std::uint32_t longest = std::uint32_t{query.length} + query.edits;
  std::uint32_t bits = 6;
  while (longest >> bits != 0) ++bits;
  return bits;
}

inline constexpr std::uint32_t kMaxWords = kMaxReadLength / 64;

// Windows in order of their queries, which must be in order of length.
struct WindowList {
  QueryWindow* windows;
  std::uint32_t* ends;  // [kMaxWords + 1]: ends[w] windows are of queries with at most w words
};

// Queues making disjoint windows of `count` (1 to kMaxCandidates) sorted candidates. list.windows and `heads` must have
// room for `count`. `scratch` grows as needed.
inline constexpr std::uint64_t kMaxCandidates = std::uint64_t{1} << 30;
void make_windows(const Candidate* candidates, std::uint64_t count, const ReadQueryView& reads, std::uint32_t positions,
                  std::uint32_t* heads, const WindowList& list, cuda::DeviceBuffer<std::byte>& scratch,
                  cudaStream_t stream);

// A sweep: for each query in turn, all positions of the reference, cut into windows.
struct Sweep {
  const std::uint32_t* queries;  // on the device
  std::uint32_t stretch;         // positions of a window
  std::uint32_t positions;       // in the reference

  std::uint32_t windows_per_query() const { return (positions - 1) / stretch + 1; }
};
// Queues making windows [first, first + count) of a sweep.
void make_windows(const Sweep& sweep, std::uint64_t first, std::uint32_t count, QueryWindow* windows,
                  cudaStream_t stream);

}  // namespace basesweep::seeds
