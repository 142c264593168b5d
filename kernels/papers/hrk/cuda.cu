#include <algorithm>
#include <cub/block/block_scan.cuh>

#include "kernels/cuda/matrices.cuh"
#include "lib/search/pattern_set.hpp"

namespace basesweep::hrk {
namespace {

constexpr int kThreads = 256;
constexpr int kThreadWords = 4;
constexpr std::uint32_t kBlockWords = kThreads * kThreadWords;  // the words whose windows a block takes at a time
constexpr int kBlocksPerProcessor = 4;

using BlockScan = cub::BlockScan<Matrix, kThreads>;

struct Shared {
  Matrix S[kBlockWords];
  Matrix T[kBlockWords];
  BlockScan::TempStorage scratch;
};

// The product of all that was scanned so far, carried from one portion of a scan to the next.
template <class Operator>
struct Running {
  Matrix all = identity_matrix();
  __device__ Matrix operator()(const Matrix& portion) {
    const Matrix before = all;
    all = Operator{}(all, portion);
    return before;
  }
};

// Searches a subtext (section 6.3). A block scans its words: T, the products of the inverses of all words before, is
// kept for the words where windows begin; S, the products of the words before, for the words where the windows' last
// whole word ends.
__global__ void __launch_bounds__(kThreads)
    search(const __grid_constant__ FingerprintsView view, const __grid_constant__ FingerprintGroup group,
           const __grid_constant__ cuda::DeviceSink sink) {
  Shared& shared = *sink.own_shared<Shared>();
  Matrix* S = shared.S;
  Matrix* T = shared.T;
  sink.begin_block();
  const std::uint32_t length_words = group.length / kMatrixPositions;
  const std::uint32_t text_end = sink.text.own_end + group.length;
  constexpr std::uint32_t kBlockPositions = kBlockWords * kMatrixPositions;
  for (std::uint32_t begin = sink.text.own_begin / kMatrixPositions * kMatrixPositions + blockIdx.x * kBlockPositions;
       begin < sink.text.own_end; begin += gridDim.x * kBlockPositions) {
    Running<cuda::AppendMatrix> running;
    for (std::uint32_t portion = 0; portion < length_words + kBlockWords; portion += kBlockWords) {
      const std::uint32_t first = portion + threadIdx.x * kThreadWords;
      Matrix item[kThreadWords];
      Matrix before[kThreadWords];
#pragma unroll
      for (std::uint32_t i = 0; i < kThreadWords; ++i) {
        const std::uint32_t position = begin + (first + i) * kMatrixPositions;
        item[i] = position < text_end ? cuda::matrix_at(sink.text, position) : identity_matrix();
      }
      BlockScan(shared.scratch).ExclusiveScan(item, before, cuda::AppendMatrix{}, running);
#pragma unroll
      for (std::uint32_t i = 0; i < kThreadWords; ++i) {
        if (const std::uint32_t word = first + i - length_words; word < kBlockWords) S[word] = before[i];
      }
      __syncthreads();
      if (portion != 0) continue;
      for (Matrix& matrix : item) matrix = inverse(matrix);
      BlockScan(shared.scratch).ExclusiveScan(item, before, identity_matrix(), cuda::PrependMatrix{});
#pragma unroll
      for (std::uint32_t i = 0; i < kThreadWords; ++i) T[first + i] = before[i];
      __syncthreads();
    }
    for (std::uint32_t word = threadIdx.x; word < kBlockWords; word += kThreads) {
      const std::uint32_t position = begin + word * kMatrixPositions;
      if (position - threadIdx.x % 32 * kMatrixPositions >= sink.text.own_end) break;  // the whole warp breaks here
      cuda::search_windows(sink, view, group, product(T[word], S[word]), position, position < sink.text.own_end);
    }
    __syncthreads();
  }
  sink.end_block();
}

class HrkKernel final : public cuda::FingerprintKernel {
 public:
  explicit HrkKernel(const RoomOptions& options)
      : FingerprintKernel(options.gpu, matrix_fingerprints(options.patterns, options.queries)) {}

  void launch(const cuda::DeviceSink& all, std::byte* /*workspace*/, cudaStream_t stream) const override {
    if (all.text.own_begin >= all.text.own_end) return;
    const cuda::DeviceSink sink = all.counting_in(sizeof(Shared), sizeof(Shared) + kCounterBytes);
    const std::uint32_t positions = all.text.own_end - all.text.own_begin / kMatrixPositions * kMatrixPositions;
    const std::uint32_t blocks =
        device_.blocks_for(positions / (kThreadWords * kMatrixPositions) + 1, kThreads, kBlocksPerProcessor);
    device_.allow_shared(search);
    for (const FingerprintGroup& group : groups_) {
      search<<<blocks, kThreads, sink.shared_bytes(), stream>>>(view_, group, sink);
    }
  }

 private:
  static constexpr std::size_t kCounterBytes = 16'384;
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<HrkKernel>(options);
}

}  // namespace basesweep::hrk
