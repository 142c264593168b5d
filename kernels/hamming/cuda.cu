#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/hit_sink.cuh"
#include "kernels/cuda/kernel.hpp"
#include "kernels/hamming/step.hpp"

namespace basesweep::hamming {
namespace {

constexpr int kThreads = 256;
constexpr int kWords = 3;  // of 32 positions, that a thread takes at a time
constexpr std::uint32_t kThreadColumns = 32 * kWords;
constexpr std::uint32_t kChunkColumns = 32;

struct Logic {
  using Word = std::uint32_t;
  // Two instructions, written out so that they stay two.
  static __device__ __forceinline__ Word add(Word& sum, Word a, Word b) {
    Word carry;
    Word next;
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(carry) : "r"(sum), "r"(a), "r"(b));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(next) : "r"(sum), "r"(a), "r"(b));
    sum = next;
    return carry;
  }
};

// Columns [32 i, 32 i + 32) of a pattern, in fours: those that all four ask for A, then for C, T and G; then what is
// left and IUPAC sets, mixed, and filled up with columns that take any base. Of a column only its place among the 32 is
// kept.
struct alignas(16) Chunk {
  std::uint32_t first;  // of its Quads: one for each four columns, mixed ones with the four sets after each
  std::uint32_t pure;   // fours of each base, a byte each
  std::uint32_t mixed;
};

struct alignas(16) Quad {
  std::uint32_t of[4];  // places of four columns; or of a set, all ones for each base that mismatches it
};

struct alignas(16) CountedEntry {
  std::uint32_t entry;  // index in the PatternSet
  std::uint32_t last;   // last column
  std::uint32_t first_count;
  std::uint32_t first_chunk;  // up to that of the next entry
};

// As plain pointers, for the kernel.
struct Tables {
  const CountedEntry* entries;  // and one past the last
  const Chunk* chunks;
  const Quad* quads;
  std::uint32_t count;
};

// 16 bytes that all threads of a warp read, in one instruction.
template <class T>
__device__ __forceinline__ T load(const T* p) {
  const uint4 words = __ldg(reinterpret_cast<const uint4*>(p));
  T value;
  memcpy(&value, &words, sizeof value);
  return value;
}

// Where the bases at a thread's positions and at the 32 after them are not A, C, T, G.
struct Window {
  std::uint32_t mismatch[4][kWords + 1];
};

__device__ __forceinline__ Window window_at(const PackedView& text, std::uint32_t word) {
  const auto* lo_words = reinterpret_cast<const std::uint32_t*>(text.lo) + word;
  const auto* hi_words = reinterpret_cast<const std::uint32_t*>(text.hi) + word;
  Window window;
#pragma unroll
  for (int i = 0; i <= kWords; ++i) {
    const std::uint32_t lo = lo_words[i];
    const std::uint32_t hi = hi_words[i];
    window.mismatch[0][i] = lo | hi;
    window.mismatch[1][i] = ~(lo & ~hi);
    window.mismatch[2][i] = ~(~lo & hi);
    window.mismatch[3][i] = ~(lo & hi);
    // The compiler must forget how they were made, or it would make them anew, and keep the planes, at every use.
#pragma unroll
    for (int b = 0; b < 4; ++b) asm("" : "+r"(window.mismatch[b][i]));
  }
  return window;
}

__device__ __forceinline__ std::uint32_t at(const std::uint32_t (&words)[kWords + 1], int i, std::uint32_t place) {
  return __funnelshift_r(words[i], words[i + 1], place);
}

// The counters of a thread's positions.
template <int Planes>
struct ThreadCounters {
  Counters<Logic, Planes> word[kWords];

  __device__ __forceinline__ explicit ThreadCounters(std::uint32_t first_count) {
#pragma unroll
    for (int i = 0; i < kWords; ++i) word[i].clear(first_count);
  }

  // Whether all positions have too many mismatches.
  __device__ __forceinline__ bool full() const {
    std::uint32_t all = ~0U;
#pragma unroll
    for (int i = 0; i < kWords; ++i) all &= word[i].over;
    return all == ~0U;
  }

  __device__ __forceinline__ void add_pure(const std::uint32_t (&words)[kWords + 1], const Quad& quad) {
    const auto& place = quad.of;
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      word[i].add(at(words, i, place[0]), at(words, i, place[1]), at(words, i, place[2]), at(words, i, place[3]));
    }
  }

  // Adds four columns that ask for any sets.
  __device__ __forceinline__ void add_mixed(const Window& window, const Quad* quads) {
    const Quad quad = load(quads);
    std::uint32_t lo_words[kWords + 1];
    std::uint32_t hi_words[kWords + 1];
#pragma unroll
    for (int i = 0; i <= kWords; ++i) {
      lo_words[i] = ~(window.mismatch[1][i] & window.mismatch[3][i]);
      hi_words[i] = ~(window.mismatch[2][i] & window.mismatch[3][i]);
    }
    std::uint32_t mismatch[4][kWords];
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      const Quad set = load(quads + 1 + c);
#pragma unroll
      for (int i = 0; i < kWords; ++i) {
        const std::uint32_t lo = at(lo_words, i, quad.of[c]);
        const std::uint32_t hi = at(hi_words, i, quad.of[c]);
        const std::uint32_t low = (lo & set.of[1]) | (~lo & set.of[0]);
        const std::uint32_t high = (lo & set.of[3]) | (~lo & set.of[2]);
        mismatch[c][i] = (hi & high) | (~hi & low);
      }
    }
#pragma unroll
    for (int i = 0; i < kWords; ++i) word[i].add(mismatch[0][i], mismatch[1][i], mismatch[2][i], mismatch[3][i]);
  }

  __device__ __forceinline__ void add_chunk(const Window& window, const Chunk& chunk, const Quad* quads) {
    std::uint32_t q = chunk.first;
#pragma unroll
    for (int b = 0; b < 4; ++b) {
      if (b == 3 && full()) return;
#pragma unroll 1
      for (const std::uint32_t end = q + (chunk.pure >> 8 * b & 0xff); q != end; ++q) {
        add_pure(window.mismatch[b], load(quads + q));
      }
    }
#pragma unroll 1
    for (const std::uint32_t end = q + 5 * chunk.mixed; q != end && !full(); q += 5) add_mixed(window, quads + q);
  }
};

// Out of line: it is seldom called, and would take registers from the loop.
__device__ __noinline__ void send(const cuda::DeviceSink& sink, std::uint32_t column, std::uint32_t entry,
                                  std::uint32_t found) {
  sink.word(column, entry, found);
}

// A thread takes kThreadColumns positions at a time, as first columns of a pattern.
template <int Planes>
__global__ void __launch_bounds__(kThreads)
    search(const Tables tables, const __grid_constant__ cuda::DeviceSink sink, std::uint32_t first, std::uint32_t end) {
  const std::uint32_t step = gridDim.x * kThreads;
  for (std::uint32_t w = first + blockIdx.x * kThreads + threadIdx.x; w < end; w += step) {
    const Window window = window_at(sink.text, kWords * w);
    CountedEntry next = load(tables.entries);
#pragma unroll 1
    for (std::uint32_t e = 0; e < tables.count; ++e) {
      const CountedEntry entry = next;
      next = load(tables.entries + e + 1);
      ThreadCounters<Planes> counters(entry.first_count);
      counters.add_chunk(window, load(tables.chunks + entry.first_chunk), tables.quads);
#pragma unroll 1
      for (std::uint32_t c = entry.first_chunk + 1; c < next.first_chunk && !counters.full(); ++c) {
        const Window further = window_at(sink.text, kWords * w + c - entry.first_chunk);
        counters.add_chunk(further, load(tables.chunks + c), tables.quads);
      }
      if (counters.full()) continue;
#pragma unroll
      for (int i = 0; i < kWords; ++i) {
        const std::uint32_t found = ~counters.word[i].over;
        if (found != 0) send(sink, kThreadColumns * w + 32 * i + entry.last, entry.entry, found);
      }
    }
  }
}

// Entries whose counters have as many planes, on their way to the device.
struct Group {
  std::vector<CountedEntry> entries;
  std::vector<Chunk> chunks;
  std::vector<Quad> quads;
  std::uint32_t longest = 1;
  std::uint32_t shortest = ~0U;

  void add(std::uint32_t index, const Entry& entry) {
    const std::vector<BaseSet>& columns = entry.columns;
    const auto length = static_cast<std::uint32_t>(columns.size());
    longest = std::max(longest, length);
    shortest = std::min(shortest, length);
    entries.push_back({index, length - 1, first_count(entry.limits.edits), static_cast<std::uint32_t>(chunks.size())});
    for (std::uint32_t first = 0; first < length; first += kChunkColumns) add_chunk(columns, first);
  }

 private:
  void add_chunk(const std::vector<BaseSet>& columns, std::uint32_t first) {
    Chunk chunk{static_cast<std::uint32_t>(quads.size()), 0, 0};
    std::map<BaseSet, std::vector<std::uint32_t>> places;
    for (std::uint32_t i = 0; i < kChunkColumns && first + i < columns.size(); ++i) {
      if (columns[first + i] != kAnyBase) places[columns[first + i]].push_back(i);
    }
    std::vector<std::pair<BaseSet, std::uint32_t>> left;
    for (const auto& [set, list] : places) {  // the bases come in the order of their codes
      std::size_t i = 0;
      for (; is_single_base(set) && i + 4 <= list.size(); i += 4) {
        quads.push_back({{list[i], list[i + 1], list[i + 2], list[i + 3]}});
        chunk.pure += 1U << 8 * single_base(set);
      }
      for (; i < list.size(); ++i) left.emplace_back(set, list[i]);
    }
    std::stable_sort(left.begin(), left.end(), [](const auto& a, const auto& b) {
      return std::popcount(a.first) < std::popcount(b.first);  // the pickiest first
    });
    left.resize((left.size() + 3) / 4 * 4, {kAnyBase, 0});
    for (std::size_t i = 0; i < left.size(); i += 4, ++chunk.mixed) {
      quads.push_back({{left[i].second, left[i + 1].second, left[i + 2].second, left[i + 3].second}});
      for (std::size_t c = i; c < i + 4; ++c) quads.push_back(set_words(left[c].first));
    }
    chunks.push_back(chunk);
  }

  static Quad set_words(BaseSet set) {
    Quad words;
    for (int b = 0; b < 4; ++b) words.of[b] = (set >> b & 1) != 0 ? 0 : ~0U;
    return words;
  }
};

struct DeviceGroup {
  std::uint32_t planes, count, longest, shortest;
  cuda::DeviceBuffer<CountedEntry> entries;
  cuda::DeviceBuffer<Chunk> chunks;
  cuda::DeviceBuffer<Quad> quads;
};

class HammingKernel final : public cuda::Kernel {
 public:
  explicit HammingKernel(const RoomOptions& options) {
    std::map<std::uint32_t, Group> groups;
    for (const std::uint32_t e : options.entries) {
      const Entry& entry = options.patterns.entries()[e];
      groups[planes_for(entry.limits.edits)].add(e, entry);
    }
    for (auto& [planes, group] : groups) {
      const auto count = static_cast<std::uint32_t>(group.entries.size());
      group.entries.push_back({0, 0, 0, static_cast<std::uint32_t>(group.chunks.size())});
      groups_.push_back({planes, count, group.longest, group.shortest, cuda::to_device(group.entries),
                         cuda::to_device(group.chunks), cuda::to_device(group.quads)});
    }
    BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, options.gpu));
  }

  void launch(const cuda::DeviceSink& sink, std::byte* /*workspace*/, cudaStream_t stream) const override {
    for (const DeviceGroup& group : groups_) {
      const std::uint32_t begin = sink.text.own_begin - std::min(sink.text.own_begin, group.longest - 1);
      if (sink.text.own_end < group.shortest) continue;
      const std::uint32_t first = begin / kThreadColumns;
      const std::uint32_t end = (sink.text.own_end - group.shortest) / kThreadColumns + 1;
      if (first >= end) continue;
      constexpr std::uint32_t kBlocksPerProcessor = 64;  // many more than fit, so that the last ones to run are short
      const std::uint32_t blocks = std::min((end - first + kThreads - 1) / kThreads,
                                            kBlocksPerProcessor * static_cast<std::uint32_t>(processors_));
      const Tables tables{group.entries.get(), group.chunks.get(), group.quads.get(), group.count};
      with_planes(group.planes,
                  [&]<int Planes>() { search<Planes><<<blocks, kThreads, 0, stream>>>(tables, sink, first, end); });
    }
  }

 private:
  std::vector<DeviceGroup> groups_;
  int processors_ = 1;
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<HammingKernel>(options);
}

}  // namespace basesweep::hamming
