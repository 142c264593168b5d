// Finds the ends of reads in windows of the reference. A thread has one window.
#include <algorithm>

#include "kernels/approximate/verify.hpp"
#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/windows.cuh"

namespace basesweep::myers {
namespace {

constexpr std::uint32_t kThreads = 128;
constexpr std::uint32_t kTilePositions = 32;
constexpr std::uint32_t kMaxWords = kMaxReadLength / 64;

// Sets all bits to the lowest one.
__device__ __forceinline__ std::uint64_t spread(std::uint32_t bit) { return std::uint64_t{0} - (bit & 1); }

// The rows that hold a base, given by its spread bits. Spare rows hold none: with the vertical difference +1 that they
// begin with, they pass on the horizontal difference 0 from above the first row.
__device__ __forceinline__ std::uint64_t rows_of(std::uint64_t lo, std::uint64_t hi, std::uint64_t known,
                                                 std::uint64_t base_lo, std::uint64_t base_hi) {
  return known & ~(lo ^ base_lo) & ~(hi ^ base_hi);
}

template <int kWords>
__global__ void __launch_bounds__(kThreads) verify_in_registers(const __grid_constant__ cuda::WindowTask task) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= task.count) return;
  const QueryWindow window = task.windows[i];
  const ReadQuery query = task.reads.queries[window.query];
  std::uint64_t lo[kWords], hi[kWords], known[kWords], pv[kWords], mv[kWords];
#pragma unroll
  for (int w = 0; w < kWords; ++w) {
    lo[w] = task.reads.lo[query.first_word + w];
    hi[w] = task.reads.hi[query.first_word + w];
    known[w] = task.reads.known[query.first_word + w];
    pv[w] = ~std::uint64_t{0};
    mv[w] = 0;
  }
  std::uint32_t score = query.length;
  for (std::uint32_t tile = context_begin(query, window.first); tile < window.end; tile += kTilePositions) {
    auto text_lo = static_cast<std::uint32_t>(positions_at(task.text.lo, tile));
    auto text_hi = static_cast<std::uint32_t>(positions_at(task.text.hi, tile));
    const std::uint32_t end = min(window.end, tile + kTilePositions);
    for (std::uint32_t position = tile; position < end; ++position, text_lo >>= 1, text_hi >>= 1) {
      const std::uint64_t base_lo = spread(text_lo);
      const std::uint64_t base_hi = spread(text_hi);
      std::uint64_t ph = 0;
      std::uint64_t mh = 0;
#pragma unroll
      for (int w = 0; w < kWords; ++w) {
        ph = w == 0 ? 0 : ph >> 63;
        mh = w == 0 ? 0 : mh >> 63;
        myers_step(rows_of(lo[w], hi[w], known[w], base_lo, base_hi), pv[w], mv[w], ph, mh);
      }
      score += top_bit(ph) - top_bit(mh);
      if (score <= query.edits && position >= window.first) task.sink.send(window.query, position, score);
    }
  }
}

// For longer queries: tile by tile, and in a tile word by word, so that the rows of a word stay in registers. The
// horizontal differences pass from word to word, one bit for each position.
__global__ void __launch_bounds__(kThreads) verify_in_memory(const __grid_constant__ cuda::WindowTask task) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= task.count) return;
  const QueryWindow window = task.windows[i];
  const ReadQuery query = task.reads.queries[window.query];
  std::uint64_t all_pv[kMaxWords];
  std::uint64_t all_mv[kMaxWords];
  for (std::uint32_t w = 0; w < task.words; ++w) {
    all_pv[w] = ~std::uint64_t{0};
    all_mv[w] = 0;
  }
  std::uint32_t score = query.length;
  for (std::uint32_t tile = context_begin(query, window.first); tile < window.end; tile += kTilePositions) {
    const auto text_lo = static_cast<std::uint32_t>(positions_at(task.text.lo, tile));
    const auto text_hi = static_cast<std::uint32_t>(positions_at(task.text.hi, tile));
    const std::uint32_t count = min(window.end - tile, kTilePositions);
    std::uint32_t border_ph = 0;
    std::uint32_t border_mh = 0;
    for (std::uint32_t w = 0; w < task.words; ++w) {
      const std::uint64_t lo = task.reads.lo[query.first_word + w];
      const std::uint64_t hi = task.reads.hi[query.first_word + w];
      const std::uint64_t known = task.reads.known[query.first_word + w];
      std::uint64_t pv = all_pv[w];
      std::uint64_t mv = all_mv[w];
      std::uint32_t below_ph = 0;
      std::uint32_t below_mh = 0;
      for (std::uint32_t c = 0; c < count; ++c) {
        std::uint64_t ph = border_ph >> c & 1;
        std::uint64_t mh = border_mh >> c & 1;
        myers_step(rows_of(lo, hi, known, spread(text_lo >> c), spread(text_hi >> c)), pv, mv, ph, mh);
        below_ph |= top_bit(ph) << c;
        below_mh |= top_bit(mh) << c;
      }
      all_pv[w] = pv;
      all_mv[w] = mv;
      border_ph = below_ph;
      border_mh = below_mh;
    }
    for (std::uint32_t c = 0; c < count; ++c) {
      score += (border_ph >> c & 1) - (border_mh >> c & 1);
      if (score <= query.edits && tile + c >= window.first) task.sink.send(window.query, tile + c, score);
    }
  }
}

}  // namespace

void verify_windows(const cuda::WindowTask& task, cuda::DeviceBuffer<std::byte>& /*workspace*/, cudaStream_t stream) {
  const std::uint32_t blocks = (task.count - 1) / kThreads + 1;
  switch (task.words) {
    case 1: verify_in_registers<1><<<blocks, kThreads, 0, stream>>>(task); break;
    case 2: verify_in_registers<2><<<blocks, kThreads, 0, stream>>>(task); break;
    case 3: verify_in_registers<3><<<blocks, kThreads, 0, stream>>>(task); break;
    case 4: verify_in_registers<4><<<blocks, kThreads, 0, stream>>>(task); break;
    case 5: verify_in_registers<5><<<blocks, kThreads, 0, stream>>>(task); break;
    case 6: verify_in_registers<6><<<blocks, kThreads, 0, stream>>>(task); break;
    case 7: verify_in_registers<7><<<blocks, kThreads, 0, stream>>>(task); break;
    case 8: verify_in_registers<8><<<blocks, kThreads, 0, stream>>>(task); break;
    default: verify_in_memory<<<blocks, kThreads, 0, stream>>>(task); break;
  }
  BASESWEEP_CUDA(cudaGetLastError());
}

}  // namespace basesweep::myers
