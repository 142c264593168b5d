#include <algorithm>
#include <cmath>

#include "kernels/approximate/pigeonhole/index.hpp"
#include "kernels/approximate/pigeonhole/step.hpp"
#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/occurrence_sink.cuh"
#include "kernels/cuda/warp_sum.cuh"

namespace basesweep::pigeonhole {
namespace {

constexpr int kProbeThreads = 1024;  // threads of a block, which share a bitmap
constexpr int kVerifyThreads = 128;
constexpr std::uint32_t kStep = 32;  // positions that a thread looks up at a time
constexpr std::uint32_t kBlockStep = kProbeThreads * kStep;
constexpr std::uint32_t kMaxCapacity = 1U << 23;  // places in the queue
// A thread counts at most this many seeds, so that a warp's sum does not wrap. It is more than the queue holds, so that
// further seeds, and those of the threads after it, get places past the end of the queue.
constexpr std::uint32_t kManySeeds = 1U << 26;

// A seed whose gram was found in the text.
struct Survivor {
  std::uint32_t place;  // index in IndexView::places
  std::uint32_t at;     // position of its gram
};

struct Queue {
  unsigned long long* found;  // seeds so far, with those that found no room
  Survivor* survivors;
  std::uint32_t capacity;
};

__device__ __forceinline__ void verify(const IndexView& index, const cuda::DeviceSink& sink, Survivor survivor) {
  const GramPlace o = index.places[survivor.place];
  if (!seed_is_at(o, index.checks, sink.text.lo, sink.text.hi, survivor.at)) return;
  const VerifyQuery query = index.queries[o.slot];
  const VerifyWindow window = window_of(o, query, survivor.at, sink.text.positions);
  verify_window(query, index.blocks, sink.text.lo, sink.text.hi, window.begin, window.first, window.end,
                [&](std::uint32_t position) { sink.send(position, index.ids[o.slot]); });
}

// Not inlined, because find() seldom needs it and should keep its registers.
__device__ __noinline__ void verify_in_place(const IndexView& index, const cuda::DeviceSink& sink, Survivor survivor) {
  verify(index, sink, survivor);
}

// Bit i is set if some query has the gram at position i of lo and hi. `bitmap` lies in shared memory.
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
    const std::uint32_t key = (low & low_mask) | (high & ~low_mask);  // the bits above the key are masked below
    const std::uint32_t bit = __funnelshift_r(bitmap[key >> 5 & word_mask], 0, key);
    found = __funnelshift_r(found, bit, 1);
  }
  return found;
}

// Looks up positions [begin, end), both multiples of kStep. A warp queues what it finds with one atomic.
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
  for (std::uint64_t position = first; position < end;
       position += stride) {  // the same iterations for all threads of a warp
    const std::uint32_t at = static_cast<std::uint32_t>(position) + lane * kStep;
    std::uint64_t lo = 0;
    std::uint64_t hi = 0;
    std::uint32_t found = 0;
    if (at < end) {
      lo = positions_at(sink.text.lo, at);
      hi = positions_at(sink.text.hi, at);
      found = probe(bitmap, index.gram, lo, hi);
    }
    if (!__any_sync(~0U, found != 0)) continue;

    std::uint32_t count = 0;
    for (std::uint32_t left = found; left != 0; left &= left - 1) {
      const int i = __ffs(static_cast<int>(left)) - 1;
      const std::uint32_t key = key_of(lo >> i, hi >> i, index.gram);
      count = min(count + (index.starts[key + 1] - index.starts[key]), kManySeeds);
    }
    const std::uint32_t sum = cuda::inclusive_sum(count, lane);
    std::uint32_t place = 0;  // need not be right past the end of the queue
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
      : PigeonholeKernel(options, {options.patterns, options.queries}) {}

  std::size_t workspace_bytes(std::uint32_t positions) const override {
    return kHeaderBytes + capacity(positions) * sizeof(Survivor);
  }

  void launch(const cuda::DeviceSink& sink, std::byte* workspace, cudaStream_t stream) const override {
    if (sink.text.own_begin >= sink.text.own_end) return;
    const auto room = static_cast<std::uint32_t>(capacity(sink.text.positions));
    const Queue queue{reinterpret_cast<unsigned long long*>(workspace),
                      reinterpret_cast<Survivor*>(workspace + kHeaderBytes), room};
    // All grams of ends in [own_begin, own_end) lie in [begin, end).
    std::uint64_t begin = sink.text.own_begin < reach_ ? 0 : (sink.text.own_begin - reach_) / kStep * kStep;
    const std::uint64_t end = sink.text.own_end;
    const std::uint64_t positions_at_once =
        std::max<std::uint64_t>(kStep, static_cast<std::uint64_t>(room / expected_rate_) / kStep * kStep);
    for (; begin < end; begin += positions_at_once) {
      const std::uint64_t stop = std::min(begin + positions_at_once, end);
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
  static constexpr std::uint64_t kMinCapacity = 1U << 14;
  static constexpr int kVerifyBlocksPerProcessor = 16;

  PigeonholeKernel(const RoomOptions& options, const Index& index)
      : bitmap_(cuda::to_device(index.bitmap)),
        starts_(cuda::to_device(index.starts)),
        places_(cuda::to_device(index.places)),
        checks_(cuda::to_device(index.checks)),
        queries_(cuda::to_device(index.verify.queries)),
        blocks_(cuda::to_device(index.verify.blocks)),
        ids_(cuda::to_device(index.ids)),
        bitmap_bytes_(index.bitmap.size() * sizeof(std::uint32_t)) {
    view_ = index.view();
    view_.bitmap = bitmap_.get();
    view_.starts = starts_.get();
    view_.places = places_.get();
    view_.checks = checks_.get();
    view_.queries = queries_.get();
    view_.blocks = blocks_.get();
    view_.ids = ids_.get();
    for (const VerifyQuery& query : index.verify.queries) reach_ = std::max(reach_, longest_alignment(query));
    // The seeds found at a position of random text, and half as many again for other text.
    const double rate = static_cast<double>(index.places.size()) / std::exp2(2 * index.gram);
    expected_rate_ = std::max(1.5 * rate, 1e-3);
    BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, options.gpu));
    BASESWEEP_CUDA(
        cudaFuncSetAttribute(find, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bitmap_bytes_)));
    int blocks = 0;
    BASESWEEP_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, find, kProbeThreads, bitmap_bytes_));
    resident_blocks_ = static_cast<std::uint64_t>(blocks) * processors_;
  }

  std::uint64_t capacity(std::uint32_t positions) const {
    return std::clamp(static_cast<std::uint64_t>(positions * expected_rate_), kMinCapacity,
                      std::uint64_t{kMaxCapacity});
  }

  cuda::DeviceBuffer<std::uint32_t> bitmap_;
  cuda::DeviceBuffer<std::uint32_t> starts_;
  cuda::DeviceBuffer<GramPlace> places_;
  cuda::DeviceBuffer<MatchBlock> checks_;
  cuda::DeviceBuffer<VerifyQuery> queries_;
  cuda::DeviceBuffer<EqBlock> blocks_;
  cuda::DeviceBuffer<std::uint32_t> ids_;
  IndexView view_{};  // on the device
  std::size_t bitmap_bytes_;
  std::uint32_t reach_ = 0;  // positions of the longest alignment
  double expected_rate_ = 0;
  int processors_ = 1;
  std::uint64_t resident_blocks_ = 1;
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<PigeonholeKernel>(options);
}

}  // namespace basesweep::pigeonhole
