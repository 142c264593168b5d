#include <algorithm>
#include <cstddef>
#include <vector>

#include "kernels/ac_dfa/index.hpp"
#include "kernels/ac_dfa/step.hpp"
#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/kernel.hpp"

namespace basesweep::ac_dfa {
namespace {

constexpr int kThreads = 1024;

// Sends the entries that end in `state` with the column before `end`, if they start in the thread's own columns.
__device__ __noinline__ void send(const IndexView& index, const cuda::DeviceSink& sink, std::uint32_t state,
                                  std::uint32_t end, std::uint32_t chunk_begin, std::uint32_t chunk_end) {
  const std::uint32_t output = state - index.first_output;
  for (std::uint32_t e = index.ending_begin[output]; e < index.ending_begin[output + 1]; ++e) {
    const std::uint32_t start = end - index.endings[e].length;
    if (start >= chunk_begin && start < chunk_end) sink.hit(start, index.endings[e].entry);
  }
}

// A thread walks a chunk of `chunk` columns, a multiple of 64, and max_length - 1 columns on: whatever starts in its chunk
// ends there. All walks begin at the root, so nothing that starts before the chunk is found.
template <class Cell, bool InShared>
__global__ void __launch_bounds__(kThreads) search(const __grid_constant__ IndexView index, const Cell* table,
                                                   const __grid_constant__ cuda::DeviceSink sink, std::uint32_t chunk) {
  extern __shared__ uint4 shared[];
  const Cell* cells = table;
  if constexpr (InShared) {
    const std::uint32_t vectors = (index.states * 4 * sizeof(Cell) + sizeof(uint4) - 1) / sizeof(uint4);
    for (std::uint32_t i = threadIdx.x; i < vectors; i += kThreads) shared[i] = reinterpret_cast<const uint4*>(table)[i];
    __syncthreads();
    cells = reinterpret_cast<const Cell*>(shared);
  }
  const std::uint32_t origin = sink.text.own_begin / 64 * 64;
  const std::uint32_t chunks = (sink.text.own_end - origin + chunk - 1) / chunk;
  for (std::uint32_t c = blockIdx.x * kThreads + threadIdx.x; c < chunks; c += gridDim.x * kThreads) {
    const std::uint32_t begin = origin + c * chunk;
    const std::uint32_t end = begin + chunk;
    const std::uint32_t stop = end + index.max_length - 1;
    std::uint32_t state = 0;
    for (std::uint32_t column = begin; column < stop; column += 64) {
      const std::uint64_t lo = sink.text.lo[column / 64];
      const std::uint64_t hi = sink.text.hi[column / 64];
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        std::uint64_t word = codes(static_cast<std::uint32_t>(lo >> (32 * half)), static_cast<std::uint32_t>(hi >> (32 * half)));
        const std::uint32_t at = column + 32 * half;
        if (at >= stop) break;
#pragma unroll
        for (int quarter = 0; quarter < 2; ++quarter) {
          auto bits = static_cast<std::uint32_t>(word >> (32 * quarter));
#pragma unroll
          for (int i = 0; i < 16; ++i) {
            state = next_state(cells, state, bits & 3U);
            bits >>= 2;
            if (state >= index.first_output) send(index, sink, state, at + 16 * quarter + i + 1, begin, end);
          }
        }
      }
    }
  }
}

class AcDfaKernel final : public cuda::Kernel {
 public:
  explicit AcDfaKernel(const RoomOptions& options) {
    const Index index(options.patterns, options.entries);
    const IndexView host = index.view();
    // Room to read whole vectors of 16 bytes.
    const std::size_t cells = std::size_t{host.states} * 4;
    if (host.narrow != nullptr) {
      narrow_ = copy_padded(host.narrow, cells);
    } else {
      wide_ = copy_padded(host.wide, cells);
    }
    const std::size_t outputs = host.states - host.first_output;
    ending_begin_ = copy_padded(host.ending_begin, outputs + 1);
    endings_ = copy_padded(host.endings, host.ending_begin[outputs]);
    view_ = host;
    view_.narrow = narrow_.get();
    view_.wide = wide_.get();
    view_.pairs = nullptr;
    view_.ending_begin = ending_begin_.get();
    view_.endings = endings_.get();

    int most = 0;
    BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, options.gpu));
    BASESWEEP_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, options.gpu));
    const std::size_t bytes = (cells * sizeof(std::uint16_t) + 15) / 16 * 16;
    if (host.narrow != nullptr && bytes <= static_cast<std::size_t>(most)) {
      shared_bytes_ = bytes;
      BASESWEEP_CUDA(cudaFuncSetAttribute(search<std::uint16_t, true>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          static_cast<int>(bytes)));
    }
  }

  void launch(const cuda::DeviceSink& sink, cudaStream_t stream) const override {
    if (sink.text.own_begin >= sink.text.own_end) return;
    const std::uint32_t columns = sink.text.own_end - sink.text.own_begin / 64 * 64;
    const auto processors = static_cast<std::uint32_t>(processors_);
    constexpr std::uint32_t kBlocksPerProcessor = 2;
    const std::uint32_t threads = kBlocksPerProcessor * kThreads * processors;
    const std::uint32_t chunk = std::clamp((columns / threads + 63) / 64 * 64, 64U, kMostColumns);
    const std::uint32_t chunks = (columns + chunk - 1) / chunk;
    const std::uint32_t blocks = std::min((chunks + kThreads - 1) / kThreads, kBlocksPerProcessor * processors);
    if (shared_bytes_ != 0) {
      search<std::uint16_t, true><<<blocks, kThreads, shared_bytes_, stream>>>(view_, view_.narrow, sink, chunk);
    } else if (view_.narrow != nullptr) {
      search<std::uint16_t, false><<<blocks, kThreads, 0, stream>>>(view_, view_.narrow, sink, chunk);
    } else {
      search<std::uint32_t, false><<<blocks, kThreads, 0, stream>>>(view_, view_.wide, sink, chunk);
    }
  }

 private:
  static constexpr std::uint32_t kMostColumns = 512;  // of a chunk

  template <class T>
  static cuda::DeviceBuffer<T> copy_padded(const T* values, std::size_t count) {
    cuda::DeviceBuffer<T> buffer(count + 16);
    if (count != 0) BASESWEEP_CUDA(cudaMemcpy(buffer.get(), values, count * sizeof(T), cudaMemcpyHostToDevice));
    return buffer;
  }

  IndexView view_{};  // on the device
  cuda::DeviceBuffer<std::uint16_t> narrow_;
  cuda::DeviceBuffer<std::uint32_t> wide_;
  cuda::DeviceBuffer<std::uint32_t> ending_begin_;
  cuda::DeviceBuffer<Ending> endings_;
  std::size_t shared_bytes_ = 0;
  int processors_ = 1;
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<AcDfaKernel>(options);
}

}  // namespace basesweep::ac_dfa
