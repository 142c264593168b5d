#include <algorithm>
#include <vector>

#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/hit_sink.cuh"
#include "kernels/cuda/kernel.hpp"
#include "kernels/verify.hpp"

namespace basesweep::myers {
namespace {

constexpr int kThreads = 128;
constexpr std::uint32_t kTileColumns = 32;
constexpr int kPairs = 16;  // of two bases

// The rows that hold the bases of two columns, one after the other. A table of them lies in shared memory, where the
// sixteen of a block of rows are in banks of their own, so that threads that look up different ones do not collide.
template <class Word>
struct alignas(2 * sizeof(Word)) EqPair {
  Word eq[2];
};

// 32 columns of text as eight nibbles in each of two words: low code bits of two neighbours, then their high ones.
struct Tile {
  std::uint32_t first;   // columns 4 i and 4 i + 1
  std::uint32_t second;  // columns 4 i + 2 and 4 i + 3
};

__device__ __forceinline__ Tile make_tile(std::uint32_t lo, std::uint32_t hi) {
  constexpr std::uint32_t kLow = 0x33333333;
  return {(lo & kLow) | (hi << 2 & ~kLow), (lo >> 2 & kLow) | (hi & ~kLow)};
}

template <class Word>
__device__ void fill_table(const EqBlock* blocks, std::uint32_t count, EqPair<Word>* table) {
  for (std::uint32_t i = threadIdx.x; i < count * kPairs; i += kThreads) {
    const EqBlock& block = blocks[i / kPairs];
    table[i].eq[0] = static_cast<Word>(block.eq[(i & 1) | (i >> 1 & 2)]);
    table[i].eq[1] = static_cast<Word>(block.eq[(i >> 1 & 1) | (i >> 2 & 2)]);
  }
}

__device__ __forceinline__ std::uint32_t high_half(std::uint32_t word) { return word; }
__device__ __forceinline__ std::uint32_t high_half(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> 32);
}

// Puts the sign of `word` below `bits`.
template <class Word>
__device__ __forceinline__ std::uint32_t push_sign(std::uint32_t bits, Word word) {
  return __funnelshift_l(high_half(word), bits, 1);
}

// Bits of one row of a tile, the first column highest: horizontal differences, above a block before it is worked on,
// below it afterwards.
struct Border {
  std::uint32_t ph, mh;
};

struct LastRow {
  int score;           // less k + 1
  std::uint32_t ends;  // where the score was negative, the first column highest
};

// One block of rows over one tile of columns.
template <bool kFirst, bool kLast, class Word>
__device__ __forceinline__ void advance(const EqPair<Word>* table, Tile tile, Word& pv, Word& mv, Border& border,
                                        LastRow& last_row) {
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const EqPair<Word> pair = table[(i % 2 == 0 ? tile.first : tile.second) >> i / 2 * 4 & 15];
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      Word ph = kFirst ? 0 : border.ph >> 31;
      Word mh = kFirst ? 0 : border.mh >> 31;
      myers_step(pair.eq[j], pv, mv, ph, mh);
      if constexpr (kLast) {
        last_row.score += static_cast<int>(high_half(ph) >> 31) - static_cast<int>(high_half(mh) >> 31);
        last_row.ends = push_sign(last_row.ends, static_cast<std::uint32_t>(last_row.score));
        if constexpr (!kFirst) {
          border.ph <<= 1;
          border.mh <<= 1;
        }
      } else {
        border.ph = push_sign(border.ph, ph);
        border.mh = push_sign(border.mh, mh);
      }
    }
  }
}

struct SearchEntry {
  VerifyEntry rows;
  std::uint32_t id;  // in the PatternSet
};

// One entry over a strip of text from its initial state on. kMostBlocks: of 64 rows, or 1.
template <class Word, int kMostBlocks>
struct Strip {
  Word pv[kMostBlocks];
  Word mv[kMostBlocks];
  LastRow last_row;

  __device__ explicit Strip(const VerifyEntry& entry) {
    for (std::uint32_t b = 0; b < (kMostBlocks == 1 ? 1 : entry.blocks); ++b) {
      pv[b] = b == 0 ? ~Word{0} << entry.spare_rows : ~Word{0};
      mv[b] = 0;
    }
    last_row.score = static_cast<int>(entry.length) - static_cast<int>(entry.edits) - 1;
  }

  __device__ __forceinline__ void advance_tile(const EqPair<Word>* table, std::uint32_t blocks, Tile tile) {
    Border border{};
    if constexpr (kMostBlocks == 1) {
      advance<true, true>(table, tile, pv[0], mv[0], border, last_row);
    } else {
      advance<true, false>(table, tile, pv[0], mv[0], border, last_row);
#pragma unroll 1
      for (std::uint32_t b = 1; b + 1 < blocks; ++b) {
        advance<false, false>(table + b * kPairs, tile, pv[b], mv[b], border, last_row);
      }
      advance<false, true>(table + (blocks - 1) * kPairs, tile, pv[blocks - 1], mv[blocks - 1], border, last_row);
    }
  }
};

// A thread takes one entry over `strip_tiles` tiles. Blocks of all entries on the same text follow one another.
template <class Word, int kMostBlocks>
__global__ void __launch_bounds__(kThreads)
    search(const SearchEntry* entries, std::uint32_t entry_count, const EqBlock* blocks, std::uint32_t strip_tiles,
           const __grid_constant__ cuda::DeviceSink sink) {
  __shared__ EqPair<Word> table[kMostBlocks * kPairs];
  const SearchEntry entry = entries[blockIdx.x % entry_count];
  fill_table(blocks + entry.rows.first_block, entry.rows.blocks, table);
  __syncthreads();
  const std::uint32_t end = (sink.text.own_end + kTileColumns - 1) / kTileColumns;
  const std::uint64_t begin = sink.text.own_begin / kTileColumns +
                              (std::uint64_t{blockIdx.x / entry_count} * kThreads + threadIdx.x) * strip_tiles;
  if (begin >= end) return;
  const auto first = static_cast<std::uint32_t>(begin);
  const std::uint32_t last = min(first + strip_tiles, end);
  const std::uint32_t warm_tiles = min(first, (longest_alignment(entry.rows) + kTileColumns - 1) / kTileColumns);

  Strip<Word, kMostBlocks> strip(entry.rows);
  const auto* lo = reinterpret_cast<const std::uint32_t*>(sink.text.lo);
  const auto* hi = reinterpret_cast<const std::uint32_t*>(sink.text.hi);
#pragma unroll 1
  for (std::uint32_t t = first - warm_tiles; t < last; ++t) {
    strip.advance_tile(table, entry.rows.blocks, make_tile(lo[t], hi[t]));
    if (t >= first && strip.last_row.ends != 0) sink.word(t * kTileColumns, entry.id, __brev(strip.last_row.ends));
  }
}

// Entries that one kernel is for.
struct Group {
  cuda::DeviceBuffer<SearchEntry> entries;
  std::uint32_t count = 0;
  std::uint32_t most_warm_tiles = 0;

  explicit Group(const std::vector<SearchEntry>& members)
      : entries(cuda::to_device(members)), count(static_cast<std::uint32_t>(members.size())) {
    for (const SearchEntry& e : members)
      most_warm_tiles = std::max(most_warm_tiles, longest_alignment(e.rows) / kTileColumns + 1);
  }
};

class MyersKernel final : public cuda::Kernel {
 public:
  explicit MyersKernel(const RoomOptions& options)
      : MyersKernel(options, VerifyIndex(options.patterns, options.entries)) {}

  void launch(const cuda::DeviceSink& sink, std::byte* /*workspace*/, cudaStream_t stream) const override {
    if (sink.text.own_begin >= sink.text.own_end) return;
    launch<std::uint32_t, 1>(half_words_, sink, stream);
    launch<std::uint64_t, 1>(words_, sink, stream);
    launch<std::uint64_t, kMostVerifyBlocks>(longer_, sink, stream);
  }

 private:
  MyersKernel(const RoomOptions& options, const VerifyIndex& index)
      : half_words_(select(options, index, 1, 32)),
        words_(select(options, index, 33, 64)),
        longer_(select(options, index, 65, kMostVerifyLength)),
        blocks_(cuda::to_device(index.blocks)) {
    BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, options.gpu));
  }

  // The entries of so many columns.
  static Group select(const RoomOptions& options, const VerifyIndex& index, std::uint32_t from, std::uint32_t to) {
    std::vector<SearchEntry> members;
    for (std::size_t i = 0; i < index.entries.size(); ++i) {
      const VerifyEntry& entry = index.entries[i];
      if (entry.length >= from && entry.length <= to) members.push_back({entry, options.entries[i]});
    }
    return Group(members);
  }

  // Strips are long where there is text enough for all threads, so that few columns are searched twice to warm up.
  template <class Word, int kMostBlocks>
  void launch(const Group& group, const cuda::DeviceSink& sink, cudaStream_t stream) const {
    if (group.count == 0) return;
    constexpr std::uint64_t kThreadsPerProcessor = 1024;
    const std::uint64_t long_strip = 16 * group.most_warm_tiles;
    const std::uint64_t tiles =
        (sink.text.own_end + kTileColumns - 1) / kTileColumns - sink.text.own_begin / kTileColumns;
    const std::uint64_t fair = tiles * group.count / (kThreadsPerProcessor * static_cast<std::uint64_t>(processors_));
    const std::uint64_t strip_tiles = std::max<std::uint64_t>(2 * group.most_warm_tiles, std::min(fair, long_strip));
    const std::uint64_t strips = (tiles + strip_tiles - 1) / strip_tiles;
    const std::uint64_t blocks = (strips + kThreads - 1) / kThreads * group.count;
    search<Word, kMostBlocks><<<static_cast<std::uint32_t>(blocks), kThreads, 0, stream>>>(
        group.entries.get(), group.count, blocks_.get(), static_cast<std::uint32_t>(strip_tiles), sink);
  }

  Group half_words_;  // up to 32 columns
  Group words_;       // up to 64
  Group longer_;
  cuda::DeviceBuffer<EqBlock> blocks_;
  int processors_ = 1;
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<MyersKernel>(options);
}

}  // namespace basesweep::myers
