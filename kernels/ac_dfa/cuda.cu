#include <algorithm>
#include <cstddef>
#include <span>

#include "kernels/ac_dfa/index.hpp"
#include "kernels/ac_dfa/step.hpp"
#include "kernels/cuda/device.hpp"
#include "kernels/cuda/hit_sink.cuh"
#include "kernels/cuda/kernel.hpp"

namespace basesweep::ac_dfa {
namespace {

// Threads of a block, each of which holds its own copy of the table: two blocks share a processor while two tables fit
// there, else one larger block has it alone.
constexpr int kSharingThreads = 512;
constexpr int kLoneThreads = 1024;

constexpr int kGroup = 16;  // columns walked before anyone looks whether something ended

// A thread fetches whole sectors of 32 bytes of its chunk at once: what it left for later would often be gone from the
// cache, which the tables leave little of.
constexpr int kLoadWords = 4;
constexpr std::uint32_t kLoadColumns = 64 * kLoadWords;

__device__ __forceinline__ void load(std::uint64_t (&words)[kLoadWords], const std::uint64_t* from) {
  const auto* pairs = reinterpret_cast<const ulonglong2*>(from);
  const ulonglong2 first = pairs[0];
  const ulonglong2 second = pairs[1];
  words[0] = first.x;
  words[1] = first.y;
  words[2] = second.x;
  words[3] = second.y;
}

// Calls use(column, entry) for what ends in a group of columns and starts in the thread's own. `state` is the one
// before the group, bit i of `ends` tells that something ends with column i of it.
template <class Cell, class Use>
__device__ void for_each_ending(const IndexView& index, const Cell* cells, std::uint32_t state, std::uint32_t codes,
                                std::uint32_t ends, std::uint32_t column, std::uint32_t begin, std::uint32_t end,
                                Use use) {
  for (; ends != 0; ends >>= 1, codes >>= 2) {
    state = next_state(cells, state, codes & 3U);
    ++column;
    if ((ends & 1U) == 0) continue;
    const std::uint32_t output = state - index.first_output;
    for (std::uint32_t e = index.ending_begin[output]; e < index.ending_begin[output + 1]; ++e) {
      const Ending ending = index.endings[e];
      const std::uint32_t start = column - ending.length;
      if (start >= begin && start < end) use(start, ending);
    }
  }
}

// Sends what ends in a group. The group is walked again, twice: to count, so that a warp needs one atomic, and to
// store.
template <class Cell>
__device__ __noinline__ void send(const IndexView& index, const Cell* cells, const cuda::DeviceSink& sink,
                                  std::uint32_t state, std::uint32_t codes, std::uint32_t ends, std::uint32_t column,
                                  std::uint32_t begin, std::uint32_t end) {
  std::uint32_t n = 0;
  for_each_ending(index, cells, state, codes, ends, column, begin, end, [&](std::uint32_t start, const Ending& ending) {
    if (!sink.accepts(start, ending.length)) return;
    ++n;
    if (sink.counts_only()) sink.count(ending.entry, 1);
  });
  if (sink.counts_only()) return;
  std::uint64_t place = sink.reserve(n);
  for_each_ending(index, cells, state, codes, ends, column, begin, end, [&](std::uint32_t start, const Ending& ending) {
    if (sink.accepts(start, ending.length)) sink.store(place++, start, ending.entry);
  });
}

// A thread walks a chunk of `chunk` columns, a multiple of kLoadColumns, and max_length - 1 columns on: whatever starts
// in its chunk ends there. All walks begin at the root, so nothing that starts before the chunk is found.
template <class Cell, bool InShared, int Threads>
__global__ void __launch_bounds__(Threads, Threads == kSharingThreads ? 2 : 1)
    search(const __grid_constant__ IndexView index, const Cell* table, const __grid_constant__ cuda::DeviceSink sink,
           std::uint32_t chunk) {
  extern __shared__ uint4 shared[];
  const Cell* cells = table;
  if constexpr (InShared) {
    const std::uint32_t vectors = (index.states * 4 * sizeof(Cell) + sizeof(uint4) - 1) / sizeof(uint4);
#pragma unroll 2
    for (std::uint32_t i = threadIdx.x; i < vectors; i += Threads) shared[i] = reinterpret_cast<const uint4*>(table)[i];
    __syncthreads();
    cells = reinterpret_cast<const Cell*>(shared);
  }
  const std::uint32_t origin = sink.text.own_begin / kLoadColumns * kLoadColumns;
  const std::uint32_t chunks = (sink.text.own_end - origin + chunk - 1) / chunk;
  for (std::uint32_t c = blockIdx.x * Threads + threadIdx.x; c < chunks; c += gridDim.x * Threads) {
    const std::uint32_t begin = origin + c * chunk;
    const std::uint32_t end = begin + chunk;
    const std::uint32_t stop = end + index.max_length - 1;
    std::uint32_t state = 0;
    for (std::uint32_t loaded = begin; loaded < stop; loaded += kLoadColumns) {
      std::uint64_t lo[kLoadWords];
      std::uint64_t hi[kLoadWords];
      load(lo, sink.text.lo + loaded / 64);
      load(hi, sink.text.hi + loaded / 64);
#pragma unroll 1
      for (std::uint32_t column = loaded; column < loaded + kLoadColumns && column < stop; column += 64) {
        const std::uint64_t both[2] = {
            codes(static_cast<std::uint32_t>(lo[0]), static_cast<std::uint32_t>(hi[0])),
            codes(static_cast<std::uint32_t>(lo[0] >> 32), static_cast<std::uint32_t>(hi[0] >> 32))};
#pragma unroll
        for (int w = 0; w + 1 < kLoadWords; ++w) {  // a queue, so that registers need no index
          lo[w] = lo[w + 1];
          hi[w] = hi[w + 1];
        }
#pragma unroll
        for (int group = 0; group < 64 / kGroup; ++group) {
          const std::uint32_t at = column + kGroup * group;
          if (at >= stop) break;
          const auto group_codes = static_cast<std::uint32_t>(both[group / 2] >> (2 * kGroup * (group % 2)));
          const std::uint32_t before = state;
          std::uint32_t ends = 0;
#pragma unroll
          for (int i = 0; i < kGroup; ++i) {
            // The code, times the size of a cell, in one shift and mask apart from the chain of look-ups.
            constexpr int kScale = sizeof(Cell) == 2 ? 1 : 2;
            const int shift = 2 * i - kScale;
            const unsigned offset = (shift < 0 ? group_codes << -shift : group_codes >> shift) & (3U << kScale);
            state = cell_at(cells, state, offset);
            if (state >= index.first_output) ends |= 1U << i;
          }
          if (ends != 0) send(index, cells, sink, before, group_codes, ends, at, begin, end);
        }
      }
    }
  }
}

class AcDfaKernel final : public cuda::Kernel {
 public:
  explicit AcDfaKernel(const RoomOptions& options) : device_(options.gpu) {
    const Index index(options.patterns, options.entries);
    view_ = index.view();
    const std::size_t cells = std::size_t{view_.states} * 4;
    const std::size_t outputs = view_.states - view_.first_output;
    const std::size_t bytes = (cells * sizeof(std::uint16_t) + 15) / 16 * 16;
    if (view_.narrow != nullptr && bytes <= device_.shared_bytes) shared_bytes_ = bytes;
    // A block takes 1 KB of its own besides.
    sharing_ = shared_bytes_ == 0 || 2 * (shared_bytes_ + 1024) <= device_.processor_shared_bytes;
    if (view_.narrow != nullptr) view_.narrow = tables_.put(std::span(view_.narrow, cells));
    if (view_.wide != nullptr) view_.wide = tables_.put(std::span(view_.wide, cells));
    view_.pairs = nullptr;
    view_.endings = tables_.put(std::span(view_.endings, view_.ending_begin[outputs]));
    view_.ending_begin = tables_.put(std::span(view_.ending_begin, outputs + 1));
  }

  void launch(const cuda::DeviceSink& sink, std::byte* /*workspace*/, cudaStream_t stream) const override {
    if (sink.text.own_begin >= sink.text.own_end) return;
    if (view_.narrow == nullptr) {
      launch<std::uint32_t, false, kSharingThreads>(view_.wide, sink, stream);
    } else if (shared_bytes_ == 0) {
      launch<std::uint16_t, false, kSharingThreads>(view_.narrow, sink, stream);
    } else if (sharing_) {
      launch<std::uint16_t, true, kSharingThreads>(view_.narrow, sink, stream);
    } else {
      launch<std::uint16_t, true, kLoneThreads>(view_.narrow, sink, stream);
    }
  }

 private:
  static constexpr std::uint32_t kMostColumns = 512;  // of a chunk

  template <class Cell, bool InShared, int Threads>
  void launch(const Cell* table, const cuda::DeviceSink& sink, cudaStream_t stream) const {
    constexpr std::uint32_t kBlocksPerProcessor = Threads == kSharingThreads ? 2 : 1;
    const std::uint32_t most_blocks = kBlocksPerProcessor * static_cast<std::uint32_t>(device_.processors);
    const std::uint32_t columns = sink.text.own_end - sink.text.own_begin / kLoadColumns * kLoadColumns;
    const std::uint32_t fair = columns / (most_blocks * Threads) / kLoadColumns * kLoadColumns;
    const std::uint32_t chunk = std::clamp(fair, kLoadColumns, kMostColumns);
    const std::uint32_t chunks = (columns + chunk - 1) / chunk;
    const auto kernel = search<Cell, InShared, Threads>;
    if (InShared) device_.allow_shared(kernel);
    kernel<<<std::min((chunks + Threads - 1) / Threads, most_blocks), Threads, InShared ? shared_bytes_ : 0, stream>>>(
        view_, table, sink, chunk);
  }

  const cuda::Device device_;
  cuda::DeviceTables tables_;
  IndexView view_{};              // on the device
  std::size_t shared_bytes_ = 0;  // 0: the table is too large
  bool sharing_ = true;           // two blocks fit on a processor
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<AcDfaKernel>(options);
}

}  // namespace basesweep::ac_dfa
