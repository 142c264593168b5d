#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cub/device/device_scan.cuh>

#include "kernels/cuda/matrices.cuh"
#include "lib/search/pattern_set.hpp"

namespace basesweep::crk {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocksPerProcessor = 8;
// Starts that are searched at a time. This bounds the memory of the scans.
constexpr std::uint32_t kPartPositions = 1U << 24;

// Writes K of each word of 32 positions, from position `origin` on.
__global__ void __launch_bounds__(kThreads)
    make_matrices(const __grid_constant__ PackedView text, std::uint32_t origin, std::uint32_t words, Matrix* K) {
  for (std::uint32_t w = blockIdx.x * kThreads + threadIdx.x; w < words; w += gridDim.x * kThreads) {
    K[w] = cuda::matrix_at(text, origin + w * kMatrixPositions);
  }
}

struct Inverse {
  __device__ Matrix operator()(const Matrix& matrix) const { return inverse(matrix); }
};

// Queues both scans (section 3.3). T[w] becomes the product of the inverses of all words before w; S, which holds K,
// becomes the product of the K before. Returns the bytes of scratch memory that the scans need; without scratch, that
// is all it does.
std::size_t scan(Matrix* S, Matrix* T, std::uint32_t words, std::byte* scratch, std::size_t bytes,
                 cudaStream_t stream) {
  std::size_t other_bytes = bytes;
  BASESWEEP_CUDA(cub::DeviceScan::ExclusiveScan(scratch, bytes, thrust::make_transform_iterator(S, Inverse{}), T,
                                                cuda::PrependMatrix{}, identity_matrix(), words, stream));
  BASESWEEP_CUDA(cub::DeviceScan::ExclusiveScan(scratch, other_bytes, S, S, cuda::AppendMatrix{}, identity_matrix(),
                                                words, stream));
  return std::max(bytes, other_bytes);
}

// A thread searches the 32 windows that begin in a word, and a warp takes 32 consecutive words.
__global__ void __launch_bounds__(kThreads)
    search(const __grid_constant__ FingerprintsView view, const __grid_constant__ FingerprintGroup group,
           const __grid_constant__ cuda::DeviceSink sink, const Matrix* S, const Matrix* T, std::uint32_t origin,
           std::uint32_t words) {
  sink.begin_block();
  for (std::uint32_t w = blockIdx.x * kThreads + threadIdx.x; w - threadIdx.x % 32 < words; w += gridDim.x * kThreads) {
    const std::uint32_t word = min(w, words - 1);
    const Matrix window = product(T[word], S[word + group.length / kMatrixPositions]);
    cuda::search_windows(sink, view, group, window, origin + word * kMatrixPositions, w < words);
  }
  sink.end_block();
}

class CrkKernel final : public cuda::FingerprintKernel {
 public:
  explicit CrkKernel(const RoomOptions& options)
      : FingerprintKernel(options.gpu, matrix_fingerprints(options.patterns, options.queries)) {}

  std::size_t workspace_bytes(std::uint32_t positions) const override {
    const std::uint32_t words = scanned_words(std::min(positions, kPartPositions));
    return 2 * words * sizeof(Matrix) + scan(nullptr, nullptr, words, nullptr, 0, nullptr);
  }

  void launch(const cuda::DeviceSink& all, std::byte* workspace, cudaStream_t stream) const override {
    const cuda::DeviceSink sink = all.counting_in(0, device_.processor_shared_bytes / kBlocksPerProcessor / 2);
    const std::uint32_t own_end = all.text.own_end;
    for (std::uint32_t origin = all.text.own_begin / kMatrixPositions * kMatrixPositions; origin < own_end;) {
      const std::uint32_t positions = std::min(own_end - origin, kPartPositions);
      const std::uint32_t words = scanned_words(positions);
      auto* S = reinterpret_cast<Matrix*>(workspace);
      Matrix* T = S + words;
      make_matrices<<<blocks_for(words), kThreads, 0, stream>>>(all.text, origin, words, S);
      scan(S, T, words, reinterpret_cast<std::byte*>(T + words), scan(nullptr, nullptr, words, nullptr, 0, nullptr),
           stream);
      const std::uint32_t own_words = (positions + kMatrixPositions - 1) / kMatrixPositions;
      for (const FingerprintGroup& group : groups_) {
        search<<<blocks_for(own_words), kThreads, sink.shared_bytes(), stream>>>(view_, group, sink, S, T, origin,
                                                                                 own_words);
      }
      origin += positions;
    }
  }

 private:
  // The number of words that the windows beginning in this many positions reach, and one more, because S is exclusive.
  std::uint32_t scanned_words(std::uint32_t positions) const {
    return (positions + kMatrixPositions - 1) / kMatrixPositions + groups_.back().length / kMatrixPositions + 1;
  }

  std::uint32_t blocks_for(std::uint32_t words) const {
    return device_.blocks_for(words, kThreads, kBlocksPerProcessor);
  }
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<CrkKernel>(options);
}

}  // namespace basesweep::crk
