#include <algorithm>
#include <cmath>

#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/hit_sink.cuh"
#include "kernels/cuda/kernel.hpp"
#include "kernels/pigeonhole/index.hpp"
#include "kernels/pigeonhole/step.hpp"

namespace basesweep::pigeonhole {
namespace {

constexpr int kProbeThreads = 1024;  // share a bitmap
constexpr int kVerifyThreads = 128;
constexpr std::uint32_t kStep = 32;  // positions that a thread probes at a time
constexpr std::uint32_t kBlockStep = kProbeThreads * kStep;
constexpr std::uint32_t kMostCapacity = 1U << 23;  // of the queue
// A thread counts no more pieces, so that a warp's sum does not wrap; more than the queue holds, so that what its
// further ones and those of the threads after it get are places past the queue.
constexpr std::uint32_t kManyPieces = 1U << 26;

// A piece whose gram was found in the text.
struct Survivor {
  std::uint32_t occurrence;
  std::uint32_t at;  // column of its gram
};

struct Queue {
  unsigned long long* found;  // pieces so far, those past capacity too
  Survivor* survivors;
  std::uint32_t capacity;
};

__device__ __forceinline__ void verify(const IndexView& index, const cuda::DeviceSink& sink, Survivor survivor) {
  const Occurrence o = index.occurrences[survivor.occurrence];
  if (!piece_is_at(o, index.checks, sink.text.lo, sink.text.hi, survivor.at)) return;
  const VerifyEntry entry = index.entries[o.slot];
  const Window window = window_of(o, entry, survivor.at, sink.text.columns);
  verify_window(entry, index.blocks, sink.text.lo, sink.text.hi, window.begin, window.first, window.end,
                [&](std::uint32_t column) { sink.hit(column, index.ids[o.slot]); });
}

// Not inlined: the probing kernel, that seldom needs it, keeps its registers.
__device__ __noinline__ void verify_in_place(const IndexView& index, const cuda::DeviceSink& sink, Survivor survivor) {
  verify(index, sink, survivor);
}

// Bit i: the gram at column i of lo and hi is some entry's. `bitmap` lies in shared memory.
__device__ __forceinline__ std::uint32_t probe(const std::uint32_t* bitmap, std::uint32_t gram, std::uint64_t lo,
                                               std::uint64_t hi) {
  const std::uint32_t low_mask = (1U << gram) - 1;
  const std::uint32_t word_mask = ((1U << 2 * gram) - 1) >> 5;
  hi <<= gram;
  std::uint32_t found = 0;
#pragma unroll
  for (int i = 0; i < static_cast<int>(kStep); ++i) {
    const std::uint32_t low = __funnelshift_r(static_cast<std::uint32_t>(lo), static_cast<std::uint32_t>(lo >> 32), i);
    const std::uint32_t high = __funnelshift_r(static_cast<std::uint32_t>(hi), static_cast<std::uint32_t>(hi >> 32), i);
    const std::uint32_t key = (low & low_mask) | (high & ~low_mask);  // and bits above
    const std::uint32_t bit = __funnelshift_r(bitmap[key >> 5 & word_mask], 0, key);
    found = __funnelshift_r(found, bit, 1);
  }
  return found;
}

// Sum of the values of this and all lower threads of the warp.
__device__ __forceinline__ std::uint32_t inclusive_sum(std::uint32_t value, unsigned lane) {
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const std::uint32_t below = __shfl_up_sync(~0U, value, distance);
    if (lane >= distance) value += below;
  }
  return value;
}

// Looks up positions [begin, end), multiples of kStep. What a warp finds it queues with one atomic.
__global__ void __launch_bounds__(kProbeThreads)
    find(const __grid_constant__ IndexView index, const __grid_constant__ cuda::DeviceSink sink, std::uint32_t begin,
         std::uint32_t end, Queue queue) {
  extern __shared__ std::uint32_t bitmap[];
  const std::uint32_t bitmap_words = (1U << 2 * index.gram) / 32;
  for (std::uint32_t i = threadIdx.x; i < bitmap_words; i += kProbeThreads) bitmap[i] = index.bitmap[i];
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kBlockStep;
  const std::uint64_t first = begin + std::uint64_t{blockIdx.x} * kBlockStep + (threadIdx.x - lane) * kStep;
  for (std::uint64_t column = first; column < end; column += stride) {  // the same for all threads of a warp
    const std::uint32_t at = static_cast<std::uint32_t>(column) + lane * kStep;
    std::uint64_t lo = 0;
    std::uint64_t hi = 0;
    std::uint32_t found = 0;
    if (at < end) {
      lo = columns_at(sink.text.lo, at);
      hi = columns_at(sink.text.hi, at);
      found = probe(bitmap, index.gram, lo, hi);
    }
    if (!__any_sync(~0U, found != 0)) continue;

    std::uint32_t count = 0;
    for (std::uint32_t left = found; left != 0; left &= left - 1) {
      const int i = __ffs(static_cast<int>(left)) - 1;
      const std::uint32_t key = key_of(lo >> i, hi >> i, index.gram);
      count = min(count + (index.starts[key + 1] - index.starts[key]), kManyPieces);
    }
    const std::uint32_t sum = inclusive_sum(count, lane);
    std::uint32_t place = 0;  // past the queue it need not be right
    if (lane == 31) {
      const auto capacity = static_cast<unsigned long long>(queue.capacity);
      place = static_cast<std::uint32_t>(min(atomicAdd(queue.found, static_cast<unsigned long long>(sum)), capacity));
    }
    place = __shfl_sync(~0U, place, 31) + sum - count;
    for (; found != 0; found &= found - 1) {
      const int i = __ffs(static_cast<int>(found)) - 1;
      const std::uint32_t key = key_of(lo >> i, hi >> i, index.gram);
      const std::uint32_t stop = index.starts[key + 1];
      for (std::uint32_t n = index.starts[key]; n < stop; ++n, ++place) {
        if (place < queue.capacity) {
          queue.survivors[place] = {n, at + i};
        } else {
          verify_in_place(index, sink, {n, at + i});
        }
      }
    }
  }
}

__global__ void __launch_bounds__(kVerifyThreads)
    verify_all(const __grid_constant__ IndexView index, const __grid_constant__ cuda::DeviceSink sink, Queue queue) {
  const auto count = static_cast<std::uint32_t>(min(*queue.found, static_cast<unsigned long long>(queue.capacity)));
  for (std::uint32_t i = blockIdx.x * kVerifyThreads + threadIdx.x; i < count; i += gridDim.x * kVerifyThreads) {
    verify(index, sink, queue.survivors[i]);
  }
}

class PigeonholeKernel final : public cuda::Kernel {
 public:
  explicit PigeonholeKernel(const RoomOptions& options)
      : PigeonholeKernel(options, {options.patterns, options.entries}) {}

  std::size_t workspace_bytes(std::uint32_t columns) const override {
    return kHeaderBytes + capacity(columns) * sizeof(Survivor);
  }

  void launch(const cuda::DeviceSink& sink, std::byte* workspace, cudaStream_t stream) const override {
    if (sink.text.own_begin >= sink.text.own_end) return;
    const auto room = static_cast<std::uint32_t>(capacity(sink.text.columns));
    const Queue queue{reinterpret_cast<unsigned long long*>(workspace),
                      reinterpret_cast<Survivor*>(workspace + kHeaderBytes), room};
    // No gram of an end in [own_begin, own_end) lies outside of [begin, end).
    std::uint64_t begin = sink.text.own_begin < reach_ ? 0 : (sink.text.own_begin - reach_) / kStep * kStep;
    const std::uint64_t end = sink.text.own_end;
    const std::uint64_t columns_at_once =
        std::max<std::uint64_t>(kStep, static_cast<std::uint64_t>(room / expected_rate_) / kStep * kStep);
    for (; begin < end; begin += columns_at_once) {
      const std::uint64_t stop = std::min(begin + columns_at_once, end);
      BASESWEEP_CUDA(cudaMemsetAsync(queue.found, 0, sizeof *queue.found, stream));
      const auto blocks = static_cast<std::uint32_t>(
          std::min<std::uint64_t>((stop - begin + kBlockStep - 1) / kBlockStep, resident_blocks_));
      find<<<blocks, kProbeThreads, bitmap_bytes_, stream>>>(view_, sink, static_cast<std::uint32_t>(begin),
                                                             static_cast<std::uint32_t>(stop), queue);
      verify_all<<<processors_ * kVerifyBlocksPerProcessor, kVerifyThreads, 0, stream>>>(view_, sink, queue);
    }
  }

 private:
  static constexpr std::size_t kHeaderBytes = 256;
  static constexpr std::uint64_t kLeastCapacity = 1U << 14;
  static constexpr int kVerifyBlocksPerProcessor = 16;

  PigeonholeKernel(const RoomOptions& options, const Index& index)
      : bitmap_(cuda::to_device(index.bitmap)),
        starts_(cuda::to_device(index.starts)),
        occurrences_(cuda::to_device(index.occurrences)),
        checks_(cuda::to_device(index.checks)),
        entries_(cuda::to_device(index.verify.entries)),
        blocks_(cuda::to_device(index.verify.blocks)),
        ids_(cuda::to_device(index.ids)),
        bitmap_bytes_(index.bitmap.size() * sizeof(std::uint32_t)) {
    view_ = index.view();
    view_.bitmap = bitmap_.get();
    view_.starts = starts_.get();
    view_.occurrences = occurrences_.get();
    view_.checks = checks_.get();
    view_.entries = entries_.get();
    view_.blocks = blocks_.get();
    view_.ids = ids_.get();
    for (const VerifyEntry& entry : index.verify.entries) reach_ = std::max(reach_, longest_alignment(entry));
    // Pieces that random text makes the verifier's work, for each position; half as much again for other text.
    const double rate = static_cast<double>(index.occurrences.size()) / std::exp2(2 * index.gram);
    expected_rate_ = std::max(1.5 * rate, 1e-3);
    BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, options.gpu));
    BASESWEEP_CUDA(
        cudaFuncSetAttribute(find, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bitmap_bytes_)));
    int blocks = 0;
    BASESWEEP_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, find, kProbeThreads, bitmap_bytes_));
    resident_blocks_ = static_cast<std::uint64_t>(blocks) * processors_;
  }

  std::uint64_t capacity(std::uint32_t columns) const {
    return std::clamp(static_cast<std::uint64_t>(columns * expected_rate_), kLeastCapacity,
                      std::uint64_t{kMostCapacity});
  }

  cuda::DeviceBuffer<std::uint32_t> bitmap_;
  cuda::DeviceBuffer<std::uint32_t> starts_;
  cuda::DeviceBuffer<Occurrence> occurrences_;
  cuda::DeviceBuffer<PieceCheck> checks_;
  cuda::DeviceBuffer<VerifyEntry> entries_;
  cuda::DeviceBuffer<EqBlock> blocks_;
  cuda::DeviceBuffer<std::uint32_t> ids_;
  IndexView view_{};  // on the device
  std::size_t bitmap_bytes_;
  std::uint32_t reach_ = 0;  // columns of the longest alignment
  double expected_rate_ = 0;
  int processors_ = 1;
  std::uint64_t resident_blocks_ = 1;
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<PigeonholeKernel>(options);
}

}  // namespace basesweep::pigeonhole
