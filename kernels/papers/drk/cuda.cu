#include <algorithm>

#include "kernels/cuda/fingerprints.cuh"
#include "kernels/papers/drk/index.hpp"

namespace basesweep {
namespace drk {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocksPerProcessor = 4;  // as many as registers allow
constexpr std::uint32_t kNumberPositions = 16;

// The number of the 16 positions that begin `positions` (below 16) after those of number[0].
__device__ __forceinline__ std::uint32_t number_after(const std::uint32_t* number, std::uint32_t positions) {
  return __funnelshift_l(number[1], number[0], 2 * positions);
}

// The code of position k of a number's 16.
__device__ __forceinline__ std::uint32_t digit(std::uint32_t number, std::uint32_t k) {
  return number >> (2 * (kNumberPositions - 1 - k)) & 3;
}

struct SharedNumbers {
  const std::uint32_t* first;
  __host__ __device__ std::uint32_t operator()(std::uint32_t position) const {
    return first[position / kNumberPositions];
  }
};

// A block takes kThreads subtexts of g positions at a time; g is a multiple of 16. It first fetches their text and the
// m - 1 positions after it into shared memory, as numbers of 16 positions in base 4.
template <class Policy, int Count>
__global__ void __launch_bounds__(kThreads)
    search(const __grid_constant__ FingerprintsView view, const __grid_constant__ FingerprintGroup group,
           const __grid_constant__ cuda::DeviceSink sink, Policy policy, std::uint32_t g) {
  auto* numbers = sink.own_shared<std::uint32_t>();
  sink.begin_block();
  const std::uint32_t m = group.length;
  const std::uint32_t tile = kThreads * g;
  const std::uint32_t words = (tile + m) / 32 + 2;  // of 32 positions
  const std::uint32_t text_end = sink.text.own_end + m;
  const auto* lo = reinterpret_cast<const std::uint32_t*>(sink.text.lo);
  const auto* hi = reinterpret_cast<const std::uint32_t*>(sink.text.hi);
  for (std::uint32_t begin = sink.text.own_begin / 32 * 32 + blockIdx.x * tile; begin < sink.text.own_end;
       begin += gridDim.x * tile) {
    for (std::uint32_t w = threadIdx.x; w < words; w += kThreads) {
      const std::uint32_t word = begin / 32 + w;
      const std::uint64_t number = word * 32 < text_end ? number_of(lo[word], hi[word]) : 0;
      numbers[2 * w] = static_cast<std::uint32_t>(number >> 32);
      numbers[2 * w + 1] = static_cast<std::uint32_t>(number);
    }
    __syncthreads();
    const std::uint32_t* own = numbers + threadIdx.x * g / kNumberPositions;
    auto F = first_fingerprint(policy, m, SharedNumbers{own});
    const std::uint32_t* joining = own + m / kNumberPositions;
    for (std::uint32_t i = 0; i < g; i += kNumberPositions, ++own, ++joining) {
      const std::uint32_t left = *own;
      const std::uint32_t joined = number_after(joining, m % kNumberPositions);
      const auto before = F;
      bool found = false;
#pragma unroll
      for (std::uint32_t k = 0; k < kNumberPositions; ++k) {
        found |= find_fingerprint<Count>(view, group, Policy::value(F)) != kNoItem;
        F = policy.roll(F, digit(left, k), digit(joined, k));
      }
      if (!__any_sync(~0U, found)) continue;
      auto again = before;
#pragma unroll 1
      for (std::uint32_t k = 0; k < kNumberPositions; ++k) {
        const std::uint32_t item = find_fingerprint<Count>(view, group, Policy::value(again));
        if (__any_sync(~0U, item != kNoItem)) {
          cuda::send_verified(sink, view, group, item, begin + threadIdx.x * g + i + k);
        }
        again = policy.roll(again, digit(left, k), digit(joined, k));
      }
    }
    __syncthreads();
  }
  sink.end_block();
}

template <class Policy>
class DrkKernel final : public cuda::FingerprintKernel {
 public:
  explicit DrkKernel(const RoomOptions& options) : FingerprintKernel(options.gpu, make_index<Policy>(options)) {}

  void launch(const cuda::DeviceSink& sink, std::byte* /*workspace*/, cudaStream_t stream) const override {
    if (sink.text.own_begin >= sink.text.own_end) return;
    for (const FingerprintGroup& group : groups_) {
      switch (group.count()) {
        case 1: launch<1>(group, sink, stream); break;
        case 2: launch<2>(group, sink, stream); break;
        default: launch<0>(group, sink, stream); break;
      }
    }
  }

 private:
  // The positions of a thread, when a block may use `bytes` of shared memory. Each thread must take in m positions
  // before its first window, so a large m asks for more positions of its own and fewer threads. All processors should
  // get the same amount of work, in as many rounds as that takes. The result is an odd number of words, so that a
  // warp's threads read from different banks.
  std::uint32_t subtext(std::uint32_t m, std::uint32_t positions, std::size_t bytes) const {
    constexpr std::uint32_t kLong = 2048;
    const std::uint32_t blocks = device_.processors * (m < kLong ? kBlocksPerProcessor : 1);
    const std::uint32_t all = div_up(positions, blocks * kThreads * kNumberPositions);
    const auto fitting = static_cast<std::uint32_t>((bytes - tile_bytes(m, 0)) / (kThreads * sizeof(std::uint32_t)));
    const std::uint32_t most = (std::min(31 + m / 256, fitting) - 1) | 1;
    return (div_up(all, div_up(all, most)) | 1) * kNumberPositions;
  }

  // Bytes of shared memory for the text of a block.
  static constexpr std::size_t tile_bytes(std::uint32_t m, std::uint32_t g) {
    return ((kThreads * g + m) / 32 + 2) * sizeof(std::uint64_t);
  }

  static constexpr std::uint32_t div_up(std::uint32_t x, std::uint32_t y) { return (x + y - 1) / y; }

  template <int Count>
  void launch(const FingerprintGroup& group, const cuda::DeviceSink& all, cudaStream_t stream) const {
    const std::uint32_t positions = all.text.own_end - all.text.own_begin / 32 * 32;
    const std::size_t max_counters = device_.processor_shared_bytes / 16;
    const std::size_t half = device_.shared_by_two();  // so that two blocks fit
    const std::uint32_t g = subtext(group.length, positions, half - all.counting_in(0, max_counters).shared_bytes());
    const std::size_t tile = tile_bytes(group.length, g);
    const cuda::DeviceSink sink = all.counting_in(tile, tile + max_counters);
    const auto kernel = search<Policy, Count>;
    device_.allow_shared(kernel);
    const std::uint32_t blocks = device_.blocks_for((positions + g - 1) / g, kThreads, kBlocksPerProcessor);
    kernel<<<blocks, kThreads, sink.shared_bytes(), stream>>>(view_, group, sink, Policy(group.length), g);
  }
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<DrkKernel<Modulo>>(options);
}

}  // namespace drk

namespace drk_wom32 {

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<drk::DrkKernel<drk::Wom32>>(options);
}

}  // namespace drk_wom32

namespace drk_wom64 {

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<drk::DrkKernel<drk::Wom64>>(options);
}

}  // namespace drk_wom64
}  // namespace basesweep
