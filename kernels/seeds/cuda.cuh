// The index of q-grams on the GPU, and lists of windows that it leads to.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/buffer.hpp"
#include "kernels/seeds/step.hpp"

namespace basesweep::seeds {

// An IndexView on the device. Positions of a gram have no order. All columns are in it, also those that hold no base,
// so that ends are exactly those that a sweep finds.
class DeviceIndex {
 public:
  // `text` lies on the device. Throws OutOfMemory.
  DeviceIndex(const PackedView& text, const cuda::Stream& stream);
  IndexView view() const { return {starts_.get(), positions_.get(), gram_}; }
  std::uint32_t gram() const { return gram_; }
  // Of device memory for an index of so many columns.
  static std::size_t bytes(std::uint32_t columns);

 private:
  std::uint32_t gram_;
  cuda::DeviceBuffer<std::uint32_t> starts_;
  cuda::DeviceBuffer<std::uint32_t> positions_;
};

// The last column of an alignment without indels that holds a piece, and its entry, as entry << 32 | column: where that
// lies past the text, edits may still bring the end in.
using Candidate = std::uint64_t;

// What the index leads to. All on the device.
struct CandidateList {
  Candidate* candidates;  // room for `capacity`
  std::uint64_t capacity;
  unsigned long long* found;  // those past capacity too
  std::uint32_t* frequent;    // entries whose pieces are all over the text: for these nothing is listed
  unsigned long long* frequent_count;
};

// Queues the look-up of entries [0, count). Each piece that is at a place of the text makes a candidate.
void find_candidates(const SoughtView& reads, std::uint32_t count, const PackedView& text, const IndexView& index,
                     const CandidateList& list, cudaStream_t stream);

// So many columns at most have the last columns of a window's candidates, so that a thread's work is bounded; entries
// of several windows are cut where their column is a multiple.
BASESWEEP_HD constexpr std::uint32_t stretch_bits(const SoughtEntry& entry) {
  const std::uint32_t longest = std::uint32_t{entry.length} + entry.edits;
  std::uint32_t bits = 6;
  while (longest >> bits != 0) ++bits;
  return bits;
}

inline constexpr std::uint32_t kMostWords = kMostReadLength / 64;

// Windows in order of their entries, which must be in order of length.
struct WindowList {
  SoughtWindow* windows;
  std::uint32_t* ends;  // kMostWords + 1: how many windows are of entries of at most so many words; the last: of all
};

// Queues making disjoint windows of sorted candidates, `count` (at least 1, at most kMostCandidates) of them. Room for
// as many windows, and for as many numbers in `heads`. `scratch` grows as needed.
inline constexpr std::uint64_t kMostCandidates = std::uint64_t{1} << 30;
void make_windows(const Candidate* candidates, std::uint64_t count, const SoughtView& reads, std::uint32_t columns,
                  std::uint32_t* heads, const WindowList& list, cuda::DeviceBuffer<std::byte>& scratch,
                  cudaStream_t stream);

// Windows [first, first + count) of those that cut all columns for each of `entries` in turn into stretches.
struct Sweep {
  const std::uint32_t* entries;
  std::uint32_t stretch;  // columns
  std::uint32_t columns;  // of the reference

  std::uint32_t windows_per_entry() const { return (columns - 1) / stretch + 1; }
};
void make_windows(const Sweep& sweep, std::uint64_t first, std::uint32_t count, SoughtWindow* windows,
                  cudaStream_t stream);

}  // namespace basesweep::seeds
