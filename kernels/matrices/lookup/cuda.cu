#include <algorithm>
#include <utility>

#include "kernels/cuda/device.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/occurrence_sink.cuh"
#include "kernels/matrices/lookup/product.hpp"
#include "kernels/matrices/room.hpp"

namespace basesweep::lookup {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kRows = 8;  // products of 16 windows that a warp multiplies with the same queries
constexpr std::uint32_t kWindows = 16 * kRows;
constexpr unsigned kAll = ~0U;

// The tables on the device.
struct ProductView {
  const ProductBytes* bytes;  // of the class
  const ProductQuery* queries;
  const std::array<std::int32_t, 4>* columns;
  std::uint32_t count;  // of products
};

// Windows that passed the product and wait until a warp has one for each thread.
struct Waiting {
  std::uint32_t position;
  std::uint32_t query;  // of ProductView::queries
};
struct Queue {
  Waiting windows[64];
};

// Adds 16 windows x 8 positions times 8 positions x 8 queries to `sums`. PTX ISA, "Matrix fragments for
// mma.m16n8k32": a thread has rows lane / 4 and lane / 4 + 8 of the windows, and columns 2 (lane % 4) and the next one
// of the sums. Turing multiplies a quarter of it at a time, with the same fragments.
__device__ __forceinline__ void multiply_add(int (&sums)[4], const std::uint32_t (&text)[4],
                                             const ProductBytes& bytes) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(text[0]), "r"(text[1]), "r"(text[2]), "r"(text[3]), "r"(bytes.near), "r"(bytes.far));
#else
  const auto quarter = [](int& left, int& right, std::uint32_t rows, std::uint32_t columns) {
    asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+r"(left), "+r"(right)
        : "r"(rows), "r"(columns));
  };
  quarter(sums[0], sums[1], text[0], bytes.near);
  quarter(sums[0], sums[1], text[2], bytes.far);
  quarter(sums[2], sums[3], text[1], bytes.near);
  quarter(sums[2], sums[3], text[3], bytes.far);
#endif
}

// The rows of a warp's windows: what a thread holds of the text from `begin`, a multiple of 32, on. rows[i] has -1 in
// the byte of the base at position begin + lane / 4 + lane % 4 + 4 i. Windows overlap, so that rows serve several.
template <int kCount>
__device__ __forceinline__ void make_rows(const PackedView& text, std::uint32_t begin, std::uint32_t (&rows)[kCount]) {
  constexpr int kPerWord = 8;  // rows that begin in 32 positions
  const unsigned lane = threadIdx.x % 32;
  const unsigned shift = lane / 4 + lane % 4;
  const auto* lo = reinterpret_cast<const std::uint32_t*>(text.lo) + begin / 32;
  const auto* hi = reinterpret_cast<const std::uint32_t*>(text.hi) + begin / 32;
#pragma unroll
  for (int word = 0; word * kPerWord < kCount; ++word) {
    const std::uint32_t low = __funnelshift_r(lo[word], lo[word + 1], shift);
    const std::uint32_t high = __funnelshift_r(hi[word], hi[word + 1], shift);
#pragma unroll
    for (int i = 0; i < kPerWord && word * kPerWord + i < kCount; ++i) {
      const std::uint32_t code = (low >> (4 * i) & 1) | (high >> (4 * i) & 1) << 1;
      rows[word * kPerWord + i] = 0xFFU << (8 * code);
    }
  }
}

// Whether the window has the score of a hit.
__device__ bool reaches(const ProductView& index, const ProductQuery& query, const PackedView& text,
                        std::uint32_t position) {
  const std::uint64_t lo = positions_at(text.lo, position);
  const std::uint64_t hi = positions_at(text.hi, position);
  const auto* scores = reinterpret_cast<const std::int32_t*>(index.columns + query.first_column);
  std::int32_t score = 0;
  for (std::uint32_t i = 0; i < query.width; ++i) score += scores[4 * i + ((lo >> i & 1) | (hi >> i & 1) << 1)];
  return score >= query.threshold;
}

__device__ void check(const ProductView& index, const cuda::DeviceSink& sink, const Waiting& window) {
  const ProductQuery query = index.queries[window.query];
  if (reaches(index, query, sink.text, window.position)) sink.send(window.position, query.query);
}

// Queues the windows that a thread's bits stand for (bit 4 r + i: sum i of row r). Whenever 32 wait, each thread checks
// one. All threads of the warp call this.
__device__ __forceinline__ void queue_windows(const ProductView& index, const cuda::DeviceSink& sink,
                                              std::uint32_t begin, std::uint32_t first_query, std::uint32_t alive,
                                              Queue& queue, std::uint32_t& waiting) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned have = __ballot_sync(kAll, alive != 0); have != 0; have = __ballot_sync(kAll, alive != 0)) {
    if (alive != 0) {
      const auto bit = static_cast<std::uint32_t>(__ffs(static_cast<int>(alive)) - 1);
      alive &= alive - 1;
      const std::uint32_t position = begin + bit / 4 * 16 + lane / 4 + (bit & 2U) * 4;
      queue.windows[waiting + __popc(have & ((1U << lane) - 1))] = {position, first_query + lane % 4 * 2 + (bit & 1U)};
    }
    waiting += static_cast<std::uint32_t>(__popc(have));
    __syncwarp();
    if (waiting < 32) continue;
    waiting -= 32;
    check(index, sink, queue.windows[waiting + lane]);
    __syncwarp();
  }
}

// A warp takes kWindows windows at a time and multiplies them with all products of the class.
template <int kSteps>
__global__ void __launch_bounds__(kThreads, 2)
    search(const __grid_constant__ ProductView index, const __grid_constant__ cuda::DeviceSink sink) {
  Queue& queue = cuda::DeviceSink::own_shared<Queue>()[threadIdx.x / 32];
  sink.begin_block();
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t first = sink.text.own_begin / kWindows;
  const std::uint32_t end = (sink.text.own_end + kWindows - 1) / kWindows;
  std::uint32_t waiting = 0;
  for (std::uint32_t strip = first + blockIdx.x * kWarps + threadIdx.x / 32; strip < end; strip += gridDim.x * kWarps) {
    const std::uint32_t begin = strip * kWindows;
    std::uint32_t rows[4 * kRows + 2 * kSteps - 2];
    make_rows(sink.text, begin, rows);
    for (std::uint32_t product = 0; product < index.count; ++product) {
      ProductBytes bytes[kSteps];
#pragma unroll
      for (int step = 0; step < kSteps; ++step) bytes[step] = index.bytes[(product * kSteps + step) * 32 + lane];
      int sums[kRows][4];
      int all = -1;
#pragma unroll
      for (int row = 0; row < kRows; ++row) {
#pragma unroll
        for (int& sum : sums[row]) sum = kProductStart;
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
          const std::uint32_t* own = rows + 4 * row + 2 * step;
          multiply_add(sums[row], {own[0], own[2], own[1], own[3]}, bytes[step]);
        }
        all &= sums[row][0] & sums[row][1] & sums[row][2] & sums[row][3];
      }
      if (!__any_sync(kAll, all >= 0)) continue;
      std::uint32_t alive = 0;
#pragma unroll
      for (int row = 0; row < kRows; ++row) {
#pragma unroll
        for (int i = 0; i < 4; ++i) alive |= (sums[row][i] >= 0 ? 1U : 0U) << (4 * row + i);
      }
      queue_windows(index, sink, begin, product * kProductQueries, alive, queue, waiting);
    }
  }
  if (lane < waiting) check(index, sink, queue.windows[lane]);
  sink.end_block();
}

using Search = void (*)(ProductView, cuda::DeviceSink);

Search search_for(std::uint32_t steps) {
  switch (steps) {
    case 1: return search<1>;
    case 2: return search<2>;
    case 3: return search<3>;
    case 4: return search<4>;
    case 5: return search<5>;
    case 6: return search<6>;
    case 7: return search<7>;
    default: return search<8>;
  }
}

class ProductKernel final : public cuda::Kernel {
 public:
  explicit ProductKernel(const MatrixRoomOptions& options) : device_(options.common.gpu) {
    const ProductIndex index(options.matrices, options.queries);
    classes_ = index.classes;
    bytes_ = tables_.put(index.bytes);
    queries_ = tables_.put(index.queries);
    columns_ = tables_.put(index.columns);
  }

  void launch(const cuda::DeviceSink& given, std::byte* /*workspace*/, cudaStream_t stream) const override {
    if (given.text.own_begin >= given.text.own_end) return;
    const cuda::DeviceSink sink = given.counting_in(kWarps * sizeof(Queue), device_.shared_by_two());
    const std::uint64_t strips = given.text.own_end / kWindows - given.text.own_begin / kWindows + 1;
    for (const ProductClass& own : classes_) {
      const Search kernel = search_for(own.steps);
      device_.allow_shared(kernel);
      kernel<<<device_.blocks_for(32 * strips, kThreads, 2), kThreads, sink.shared_bytes(), stream>>>(
          {bytes_ + own.first_bytes, queries_ + own.first * kProductQueries, columns_, own.count}, sink);
    }
  }

 private:
  const cuda::Device device_;
  cuda::DeviceTables tables_;
  std::vector<ProductClass> classes_;
  const ProductBytes* bytes_;
  const ProductQuery* queries_;
  const std::array<std::int32_t, 4>* columns_;
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const MatrixRoomOptions& options) {
  return std::make_unique<ProductKernel>(options);
}

}  // namespace basesweep::lookup
