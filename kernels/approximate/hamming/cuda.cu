#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "kernels/approximate/hamming/step.hpp"
#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/occurrence_sink.cuh"
#include "lib/search/pattern_set.hpp"

namespace basesweep::hamming {
namespace {

constexpr int kThreads = 256;
constexpr int kWords = 3;  // words of 32 positions that a thread takes at a time
constexpr std::uint32_t kThreadPositions = 32 * kWords;
constexpr std::uint32_t kPatternBlockPositions = 32;

struct Logic {
  using Word = std::uint32_t;
  // Written as two instructions, so that the compiler makes no more.
  static __device__ __forceinline__ Word add(Word& sum, Word a, Word b) {
    Word carry;
    Word next;
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(carry) : "r"(sum), "r"(a), "r"(b));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(next) : "r"(sum), "r"(a), "r"(b));
    sum = next;
    return carry;
  }
};

// Positions [32 i, 32 i + 32) of a pattern, in fours: pure fours of A, then of C, T and G; then mixed fours of what is
// left and of IUPAC sets, filled up with positions that take any base. Only the place of a position among the 32 is
// kept.
struct alignas(16) PatternBlock {
  std::uint32_t first;  // its first Quad; there is one for each four positions, and after a mixed one the four sets
  std::uint32_t pure;   // number of pure fours of each base, a byte each
  std::uint32_t mixed;
};

struct alignas(16) Quad {
  std::uint32_t of[4];  // the places of four positions; or a set: all ones for each base that mismatches
};

struct alignas(16) CountedQuery {
  std::uint32_t query;  // index in the PatternSet
  std::uint32_t last;   // last position
  std::uint32_t first_count;
  std::uint32_t first_block;  // its blocks end where those of the next query begin
};

// The tables as plain pointers, for the kernel.
struct Tables {
  const CountedQuery* queries;  // with one more past the last
  const PatternBlock* pattern_blocks;
  const Quad* quads;
  std::uint32_t count;
};

// Reads 16 bytes, the same for all threads of a warp, in one instruction.
template <class T>
__device__ __forceinline__ T load(const T* p) {
  const uint4 words = __ldg(reinterpret_cast<const uint4*>(p));
  T value;
  memcpy(&value, &words, sizeof value);
  return value;
}

// For A, C, T and G: where a thread's positions, and the 32 after them, have another base.
struct Mismatches {
  std::uint32_t base[4][kWords + 1];
};

__device__ __forceinline__ Mismatches mismatches_at(const PackedView& text, std::uint32_t word) {
  const auto* lo_words = reinterpret_cast<const std::uint32_t*>(text.lo) + word;
  const auto* hi_words = reinterpret_cast<const std::uint32_t*>(text.hi) + word;
  Mismatches mismatches;
#pragma unroll
  for (int i = 0; i <= kWords; ++i) {
    const std::uint32_t lo = lo_words[i];
    const std::uint32_t hi = hi_words[i];
    mismatches.base[0][i] = lo | hi;
    mismatches.base[1][i] = ~(lo & ~hi);
    mismatches.base[2][i] = ~(~lo & hi);
    mismatches.base[3][i] = ~(lo & hi);
    // Hides from the compiler how the words were made. It would otherwise keep the planes and make the words again at
    // each use.
#pragma unroll
    for (int b = 0; b < 4; ++b) asm("" : "+r"(mismatches.base[b][i]));
  }
  return mismatches;
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

  // Whether all positions have more than k mismatches.
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

  // Adds four positions with any sets.
  __device__ __forceinline__ void add_mixed(const Mismatches& mismatches, const Quad* quads) {
    const Quad quad = load(quads);
    std::uint32_t lo_words[kWords + 1];
    std::uint32_t hi_words[kWords + 1];
#pragma unroll
    for (int i = 0; i <= kWords; ++i) {
      lo_words[i] = ~(mismatches.base[1][i] & mismatches.base[3][i]);
      hi_words[i] = ~(mismatches.base[2][i] & mismatches.base[3][i]);
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

  __device__ __forceinline__ void add_block(const Mismatches& mismatches, const PatternBlock& block,
                                            const Quad* quads) {
    std::uint32_t q = block.first;
#pragma unroll
    for (int b = 0; b < 4; ++b) {
      if (b == 3 && full()) return;
#pragma unroll 1
      for (const std::uint32_t end = q + (block.pure >> 8 * b & 0xff); q != end; ++q) {
        add_pure(mismatches.base[b], load(quads + q));
      }
    }
#pragma unroll 1
    for (const std::uint32_t end = q + 5 * block.mixed; q != end && !full(); q += 5) add_mixed(mismatches, quads + q);
  }
};

// Out of line, because it is seldom called and would take registers from the loop.
__device__ __noinline__ void send(const cuda::DeviceSink& sink, std::uint32_t position, std::uint32_t query,
                                  std::uint32_t found) {
  sink.word(position, query, found);
}

// A thread takes kThreadPositions positions at a time, as the places of a pattern's first position.
template <int Planes>
__global__ void __launch_bounds__(kThreads)
    search(const Tables tables, const __grid_constant__ cuda::DeviceSink sink, std::uint32_t first, std::uint32_t end) {
  const std::uint32_t step = gridDim.x * kThreads;
  for (std::uint32_t w = first + blockIdx.x * kThreads + threadIdx.x; w < end; w += step) {
    const Mismatches mismatches = mismatches_at(sink.text, kWords * w);
    CountedQuery next = load(tables.queries);
#pragma unroll 1
    for (std::uint32_t e = 0; e < tables.count; ++e) {
      const CountedQuery query = next;
      next = load(tables.queries + e + 1);
      ThreadCounters<Planes> counters(query.first_count);
      counters.add_block(mismatches, load(tables.pattern_blocks + query.first_block), tables.quads);
#pragma unroll 1
      for (std::uint32_t c = query.first_block + 1; c < next.first_block && !counters.full(); ++c) {
        const Mismatches further = mismatches_at(sink.text, kWords * w + c - query.first_block);
        counters.add_block(further, load(tables.pattern_blocks + c), tables.quads);
      }
      if (counters.full()) continue;
#pragma unroll
      for (int i = 0; i < kWords; ++i) {
        const std::uint32_t found = ~counters.word[i].over;
        if (found != 0) send(sink, kThreadPositions * w + 32 * i + query.last, query.query, found);
      }
    }
  }
}

// The queries whose counters have the same number of planes, before they go to the device.
struct Group {
  std::vector<CountedQuery> queries;
  std::vector<PatternBlock> pattern_blocks;
  std::vector<Quad> quads;
  std::uint32_t longest = 1;
  std::uint32_t shortest = ~0U;

  void add(std::uint32_t index, const Query& query) {
    const std::span<const BaseSet> sets = query.sets;
    const auto length = static_cast<std::uint32_t>(sets.size());
    longest = std::max(longest, length);
    shortest = std::min(shortest, length);
    queries.push_back(
        {index, length - 1, first_count(query.limits.edits), static_cast<std::uint32_t>(pattern_blocks.size())});
    for (std::uint32_t first = 0; first < length; first += kPatternBlockPositions) add_block(sets, first);
  }

 private:
  void add_block(std::span<const BaseSet> sets, std::uint32_t first) {
    PatternBlock block{static_cast<std::uint32_t>(quads.size()), 0, 0};
    std::map<BaseSet, std::vector<std::uint32_t>> places;
    for (std::uint32_t i = 0; i < kPatternBlockPositions && first + i < sets.size(); ++i) {
      if (sets[first + i] != kAnyBase) places[sets[first + i]].push_back(i);
    }
    std::vector<std::pair<BaseSet, std::uint32_t>> left;
    for (const auto& [set, list] : places) {  // single bases are in the order of their codes
      std::size_t i = 0;
      for (; is_single_base(set) && i + 4 <= list.size(); i += 4) {
        quads.push_back({{list[i], list[i + 1], list[i + 2], list[i + 3]}});
        block.pure += 1U << 8 * single_base(set);
      }
      for (; i < list.size(); ++i) left.emplace_back(set, list[i]);
    }
    std::stable_sort(left.begin(), left.end(), [](const auto& a, const auto& b) {
      return std::popcount(a.first) < std::popcount(b.first);  // sets that mismatch most often first
    });
    left.resize((left.size() + 3) / 4 * 4, {kAnyBase, 0});
    for (std::size_t i = 0; i < left.size(); i += 4, ++block.mixed) {
      quads.push_back({{left[i].second, left[i + 1].second, left[i + 2].second, left[i + 3].second}});
      for (std::size_t c = i; c < i + 4; ++c) quads.push_back(set_words(left[c].first));
    }
    pattern_blocks.push_back(block);
  }

  static Quad set_words(BaseSet set) {
    Quad words;
    for (int b = 0; b < 4; ++b) words.of[b] = (set >> b & 1) != 0 ? 0 : ~0U;
    return words;
  }
};

struct DeviceGroup {
  std::uint32_t planes, count, longest, shortest;
  cuda::DeviceBuffer<CountedQuery> queries;
  cuda::DeviceBuffer<PatternBlock> pattern_blocks;
  cuda::DeviceBuffer<Quad> quads;
};

class HammingKernel final : public cuda::Kernel {
 public:
  explicit HammingKernel(const RoomOptions& options) {
    std::map<std::uint32_t, Group> groups;
    for (const std::uint32_t e : options.queries) {
      const Query& query = options.patterns.queries()[e];
      groups[planes_for(query.limits.edits)].add(e, query);
    }
    for (auto& [planes, group] : groups) {
      const auto count = static_cast<std::uint32_t>(group.queries.size());
      group.queries.push_back({0, 0, 0, static_cast<std::uint32_t>(group.pattern_blocks.size())});
      groups_.push_back({planes, count, group.longest, group.shortest, cuda::to_device(group.queries),
                         cuda::to_device(group.pattern_blocks), cuda::to_device(group.quads)});
    }
    BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, options.gpu));
  }

  void launch(const cuda::DeviceSink& sink, std::byte* /*workspace*/, cudaStream_t stream) const override {
    for (const DeviceGroup& group : groups_) {
      const std::uint32_t begin = sink.text.own_begin - std::min(sink.text.own_begin, group.longest - 1);
      if (sink.text.own_end < group.shortest) continue;
      const std::uint32_t first = begin / kThreadPositions;
      const std::uint32_t end = (sink.text.own_end - group.shortest) / kThreadPositions + 1;
      if (first >= end) continue;
      constexpr std::uint32_t kBlocksPerProcessor = 64;  // many more than fit, so that the last blocks to run are short
      const std::uint32_t blocks = std::min((end - first + kThreads - 1) / kThreads,
                                            kBlocksPerProcessor * static_cast<std::uint32_t>(processors_));
      const Tables tables{group.queries.get(), group.pattern_blocks.get(), group.quads.get(), group.count};
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
