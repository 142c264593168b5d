#include <algorithm>
#include <vector>

#include "kernels/cuda/device.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/occurrence_sink.cuh"
#include "kernels/cuda/pattern_blocks.cuh"
#include "kernels/papers/drk2s/index.hpp"
#include "kernels/papers/drk2s/step.hpp"

namespace basesweep::drk2s {
namespace {

constexpr int kThreads = 256;
constexpr int kGram = 8;  // bases of a sub-pattern: its fingerprint fills half a register
constexpr unsigned kAll = ~0U;
// Shared memory for counters: little enough that it does not reduce the number of blocks on a processor.
constexpr std::size_t kCounterBytes = 16 << 10;

// A sub-pattern, with its fingerprint in both halves of a register.
struct Skim {
  std::uint32_t fingerprint;
  std::uint32_t mask;
  std::uint32_t offset;
  std::uint32_t query;
  std::uint32_t first_block;
  std::uint32_t block_count;
};

// A kernel parameter, so it is in constant memory.
struct Batch {
  static constexpr int kMost = 128;
  Skim skim[kMost];
  const PatternBlock* pattern_blocks;
  int count;
};

// The fingerprints of 32 positions: of positions i and 8 + i in the halves of pair[i][0], of 16 + i and 24 + i in those
// of pair[i][1]. A byte of a plane shifted by i is the q-gram's low or high code bits, so two byte shuffles make four
// fingerprints.
struct Grams {
  std::uint32_t pair[8][2];
};

__device__ __forceinline__ Grams grams_of(const std::uint32_t (&lo)[2], const std::uint32_t (&hi)[2]) {
  Grams grams;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const std::uint32_t l = __funnelshift_r(lo[0], lo[1], i);
    const std::uint32_t h = __funnelshift_r(hi[0], hi[1], i);
    grams.pair[i][0] = __byte_perm(l, h, 0x5140);
    grams.pair[i][1] = __byte_perm(l, h, 0x7362);
  }
  return grams;
}

// One half of the result is 0 if the q-gram at some position has the fingerprint.
__device__ __forceinline__ std::uint32_t skim(const Grams& grams, std::uint32_t fingerprint, std::uint32_t mask) {
  std::uint32_t least = kAll;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int k = 0; k < 2; ++k) least = __vminu2(least, (grams.pair[i][k] ^ fingerprint) & mask);
  }
  return least;
}

__device__ __forceinline__ bool half_is_zero(std::uint32_t x) { return (x & 0xffffU) == 0 || (x >> 16) == 0; }

// The positions, of 32, whose q-gram has the fingerprint, a bit for each.
__device__ std::uint32_t candidates(const Grams& grams, std::uint32_t fingerprint, std::uint32_t mask) {
  std::uint32_t bits = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const std::uint32_t difference = (grams.pair[i][k] ^ fingerprint) & mask;
      bits |= static_cast<std::uint32_t>((difference & 0xffffU) == 0) << (16 * k + i);
      bits |= static_cast<std::uint32_t>((difference >> 16) == 0) << (16 * k + 8 + i);
    }
  }
  return bits;
}

// The second stage; the whole warp calls this. Each thread may hold candidates: `bits`, for the positions from
// `position` on. A thread checks the first block of its candidate alone. Where more blocks follow, the warp checks 32
// of them at a time.
__device__ __noinline__ void verify(const cuda::DeviceSink& sink, const Batch& batch, const Skim& s,
                                    std::uint32_t position, std::uint32_t bits) {
  const unsigned lane = threadIdx.x % 32;
  const PlanesText text{sink.text.lo, sink.text.hi};
  const PatternBlock* pattern_blocks = batch.pattern_blocks + s.first_block;
  while (__any_sync(kAll, bits != 0)) {
    const std::uint32_t start = position + (bits != 0 ? __ffs(static_cast<int>(bits)) - 1 : 0) - s.offset;
    bool good = bits != 0 && start >= sink.text.own_begin && start < sink.text.own_end &&
                (s.block_count == 0 || blocks_match(pattern_blocks, 1, text, start));
    bits &= bits - 1;
    if (s.block_count > 1) {
      for (unsigned waiting = __ballot_sync(kAll, good); waiting != 0; waiting &= waiting - 1) {
        const int owner = __ffs(static_cast<int>(waiting)) - 1;
        const bool all = cuda::warp_blocks_match(pattern_blocks, s.block_count, text, __shfl_sync(kAll, start, owner));
        if (lane == static_cast<unsigned>(owner)) good = all;
      }
    }
    if (good) sink.send(start, s.query);
  }
}

// A thread skims 64 positions at a time. Warps stay together: their threads leave the loop at the same word.
template <int Queries>
__global__ void __launch_bounds__(kThreads)
    search(const __grid_constant__ Batch batch, const __grid_constant__ cuda::DeviceSink sink, std::uint32_t first,
           std::uint32_t last) {
  sink.begin_block();
  for (std::uint32_t w = first + blockIdx.x * kThreads + threadIdx.x; w - threadIdx.x % 32 < last;
       w += gridDim.x * kThreads) {
    const std::uint32_t word = min(w, last - 1);  // threads past the end skim the last word again and send nothing
    const std::uint64_t lo = sink.text.lo[word];
    const std::uint64_t hi = sink.text.hi[word];
    const auto lo_next = static_cast<std::uint32_t>(sink.text.lo[word + 1]);
    const auto hi_next = static_cast<std::uint32_t>(sink.text.hi[word + 1]);
    const std::uint32_t lo_half[3] = {static_cast<std::uint32_t>(lo), static_cast<std::uint32_t>(lo >> 32), lo_next};
    const std::uint32_t hi_half[3] = {static_cast<std::uint32_t>(hi), static_cast<std::uint32_t>(hi >> 32), hi_next};
    const Grams grams[2] = {grams_of({lo_half[0], lo_half[1]}, {hi_half[0], hi_half[1]}),
                            grams_of({lo_half[1], lo_half[2]}, {hi_half[1], hi_half[2]})};
    const int count = Queries != 0 ? Queries : batch.count;
#pragma unroll(Queries != 0 ? Queries : 1)
    for (int e = 0; e < count; ++e) {
      const std::uint32_t fingerprint = batch.skim[e].fingerprint;
      const std::uint32_t mask = batch.skim[e].mask;
      const std::uint32_t least = __vminu2(skim(grams[0], fingerprint, mask), skim(grams[1], fingerprint, mask));
      if (!__any_sync(kAll, half_is_zero(least))) continue;
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const std::uint32_t bits = w < last ? candidates(grams[i], fingerprint, mask) : 0;
        verify(sink, batch, batch.skim[e], word * 64 + i * 32, bits);
      }
    }
  }
  sink.end_block();
}

class Drk2sKernel final : public cuda::Kernel {
 public:
  explicit Drk2sKernel(const RoomOptions& options) : device_(options.gpu) {
    const Index index(options.patterns, options.queries, kGram);
    pattern_blocks_ = cuda::to_device(index.pattern_blocks);
    max_offset_ = index.max_offset;
    for (const SubPattern& s : index.subpatterns) {
      if (batches_.empty() || batches_.back().count == Batch::kMost) {
        batches_.emplace_back();
        batches_.back().pattern_blocks = pattern_blocks_.get();
        batches_.back().count = 0;
      }
      Batch& batch = batches_.back();
      batch.skim[batch.count++] = {
          s.fingerprint | s.fingerprint << 16, s.mask | s.mask << 16, s.offset, s.query, s.first_block, s.block_count};
    }
  }

  void launch(const cuda::DeviceSink& sink, std::byte* /*workspace*/, cudaStream_t stream) const override {
    if (sink.text.own_begin >= sink.text.own_end) return;
    const std::uint32_t first = sink.text.own_begin / 64;
    const std::uint32_t last = (sink.text.own_end + max_offset_ + 63) / 64;
    constexpr int kBlocksPerProcessor = 8;
    const std::uint32_t blocks = device_.blocks_for(last - first, kThreads, kBlocksPerProcessor);
    const cuda::DeviceSink counting = sink.counting_in(0, kCounterBytes);
    const std::size_t shared = counting.shared_bytes();
    for (const Batch& batch : batches_) {
      switch (batch.count) {
        case 1: search<1><<<blocks, kThreads, shared, stream>>>(batch, counting, first, last); break;
        case 2: search<2><<<blocks, kThreads, shared, stream>>>(batch, counting, first, last); break;
        default: search<0><<<blocks, kThreads, shared, stream>>>(batch, counting, first, last); break;
      }
    }
  }

 private:
  const cuda::Device device_;
  std::vector<Batch> batches_;
  cuda::DeviceBuffer<PatternBlock> pattern_blocks_;
  std::uint32_t max_offset_ = 0;
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<Drk2sKernel>(options);
}

}  // namespace basesweep::drk2s
