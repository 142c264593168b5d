#include <algorithm>
#include <vector>

#include "kernels/approximate/verify.hpp"
#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/occurrence_sink.cuh"
#include "lib/search/pattern_set.hpp"

namespace basesweep::myers {
namespace {

constexpr int kThreads = 128;
constexpr std::uint32_t kTilePositions = 32;
constexpr int kPairs = 16;  // pairs of bases

// The rows that hold the bases of two consecutive positions. A table of them lies in shared memory. The sixteen pairs
// of a block of rows are in different banks, so that threads that look up different pairs do not collide.
template <class Word>
struct alignas(2 * sizeof(Word)) EqPair {
  Word eq[2];
};

// 32 positions of text as eight nibbles in each of two words. A nibble has the low code bits of two neighbours, then
// their high ones.
struct Tile {
  std::uint32_t first;   // nibble i: positions 4 i and 4 i + 1
  std::uint32_t second;  // nibble i: positions 4 i + 2 and 4 i + 3
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

// Shifts the sign of `word` into `bits` from below.
template <class Word>
__device__ __forceinline__ std::uint32_t push_sign(std::uint32_t bits, Word word) {
  return __funnelshift_l(high_half(word), bits, 1);
}

// Horizontal differences of one row over a tile, the first position highest: of the row above a block before the block
// is computed, of its last row afterwards.
struct Border {
  std::uint32_t ph, mh;
};

struct LastRow {
  int score;           // less k + 1
  std::uint32_t ends;  // where the score was negative, the first position highest
};

// Moves one block of rows over one tile of positions.
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

struct SearchQuery {
  VerifyQuery rows;
  std::uint32_t id;  // index in the PatternSet
};

// The state of one query as it moves over a strip of text. kMaxBlocks: the most blocks of rows; 1 for queries of one
// word.
template <class Word, int kMaxBlocks>
struct Strip {
  Word pv[kMaxBlocks];
  Word mv[kMaxBlocks];
  LastRow last_row;

  __device__ explicit Strip(const VerifyQuery& query) {
    for (std::uint32_t b = 0; b < (kMaxBlocks == 1 ? 1 : query.blocks); ++b) {
      pv[b] = b == 0 ? ~Word{0} << query.spare_rows : ~Word{0};
      mv[b] = 0;
    }
    last_row.score = static_cast<int>(query.length) - static_cast<int>(query.edits) - 1;
  }

  __device__ __forceinline__ void advance_tile(const EqPair<Word>* table, std::uint32_t blocks, Tile tile) {
    Border border{};
    if constexpr (kMaxBlocks == 1) {
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

// A thread takes one query over `strip_tiles` tiles. Consecutive thread blocks take the queries over the same text.
template <class Word, int kMaxBlocks>
__global__ void __launch_bounds__(kThreads)
    search(const SearchQuery* queries, std::uint32_t query_count, const EqBlock* blocks, std::uint32_t strip_tiles,
           const __grid_constant__ cuda::DeviceSink sink) {
  __shared__ EqPair<Word> table[kMaxBlocks * kPairs];
  const SearchQuery query = queries[blockIdx.x % query_count];
  fill_table(blocks + query.rows.first_block, query.rows.blocks, table);
  __syncthreads();
  const std::uint32_t end = (sink.text.own_end + kTilePositions - 1) / kTilePositions;
  const std::uint64_t begin = sink.text.own_begin / kTilePositions +
                              (std::uint64_t{blockIdx.x / query_count} * kThreads + threadIdx.x) * strip_tiles;
  if (begin >= end) return;
  const auto first = static_cast<std::uint32_t>(begin);
  const std::uint32_t last = min(first + strip_tiles, end);
  const std::uint32_t warm_tiles = min(first, (longest_alignment(query.rows) + kTilePositions - 1) / kTilePositions);

  Strip<Word, kMaxBlocks> strip(query.rows);
  const auto* lo = reinterpret_cast<const std::uint32_t*>(sink.text.lo);
  const auto* hi = reinterpret_cast<const std::uint32_t*>(sink.text.hi);
#pragma unroll 1
  for (std::uint32_t t = first - warm_tiles; t < last; ++t) {
    strip.advance_tile(table, query.rows.blocks, make_tile(lo[t], hi[t]));
    if (t >= first && strip.last_row.ends != 0) sink.word(t * kTilePositions, query.id, __brev(strip.last_row.ends));
  }
}

// The queries of one instance of the kernel.
struct Group {
  cuda::DeviceBuffer<SearchQuery> queries;
  std::uint32_t count = 0;
  std::uint32_t max_warm_tiles = 0;

  explicit Group(const std::vector<SearchQuery>& members)
      : queries(cuda::to_device(members)), count(static_cast<std::uint32_t>(members.size())) {
    for (const SearchQuery& e : members)
      max_warm_tiles = std::max(max_warm_tiles, longest_alignment(e.rows) / kTilePositions + 1);
  }
};

class MyersKernel final : public cuda::Kernel {
 public:
  explicit MyersKernel(const RoomOptions& options)
      : MyersKernel(options, VerifyIndex(options.patterns, options.queries)) {}

  void launch(const cuda::DeviceSink& sink, std::byte* /*workspace*/, cudaStream_t stream) const override {
    if (sink.text.own_begin >= sink.text.own_end) return;
    launch<std::uint32_t, 1>(half_words_, sink, stream);
    launch<std::uint64_t, 1>(words_, sink, stream);
    launch<std::uint64_t, kMaxVerifyBlocks>(longer_, sink, stream);
  }

 private:
  MyersKernel(const RoomOptions& options, const VerifyIndex& index)
      : half_words_(select(options, index, 1, 32)),
        words_(select(options, index, 33, 64)),
        longer_(select(options, index, 65, kMaxVerifyLength)),
        blocks_(cuda::to_device(index.blocks)) {
    BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, options.gpu));
  }

  // The queries with `from` to `to` positions.
  static Group select(const RoomOptions& options, const VerifyIndex& index, std::uint32_t from, std::uint32_t to) {
    std::vector<SearchQuery> members;
    for (std::size_t i = 0; i < index.queries.size(); ++i) {
      const VerifyQuery& query = index.queries[i];
      if (query.length >= from && query.length <= to) members.push_back({query, options.queries[i]});
    }
    return Group(members);
  }

  // Strips are long where there is enough text for all threads, so that little of it is searched twice to warm up.
  template <class Word, int kMaxBlocks>
  void launch(const Group& group, const cuda::DeviceSink& sink, cudaStream_t stream) const {
    if (group.count == 0) return;
    constexpr std::uint64_t kThreadsPerProcessor = 1024;
    const std::uint64_t long_strip = 16 * group.max_warm_tiles;
    const std::uint64_t tiles =
        (sink.text.own_end + kTilePositions - 1) / kTilePositions - sink.text.own_begin / kTilePositions;
    const std::uint64_t fair = tiles * group.count / (kThreadsPerProcessor * static_cast<std::uint64_t>(processors_));
    const std::uint64_t strip_tiles = std::max<std::uint64_t>(2 * group.max_warm_tiles, std::min(fair, long_strip));
    const std::uint64_t strips = (tiles + strip_tiles - 1) / strip_tiles;
    const std::uint64_t blocks = (strips + kThreads - 1) / kThreads * group.count;
    search<Word, kMaxBlocks><<<static_cast<std::uint32_t>(blocks), kThreads, 0, stream>>>(
        group.queries.get(), group.count, blocks_.get(), static_cast<std::uint32_t>(strip_tiles), sink);
  }

  Group half_words_;  // up to 32 positions
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
