#include <algorithm>
#include <span>
#include <vector>

#include "kernels/cuda/device.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/occurrence_sink.cuh"
#include "kernels/exact/planes/groups.cuh"
#include "kernels/exact/planes/index.hpp"
#include "kernels/exact/planes/step.hpp"
#include "kernels/text.hpp"

namespace basesweep::planes {
namespace {

constexpr int kPositions = kFilterPositions;
constexpr int kThreads = 256;
// Shared memory for counters: little enough that it does not reduce the number of blocks on a processor.
constexpr std::size_t kCounterBytes = 16 << 10;

// The first positions of a query. They are kernel parameters, so they lie in constant memory, where an operand costs
// nothing; a launch therefore takes a limited number of queries.
struct BaseFilter {  // for single bases: all ones where that code bit of the base is 0
  std::uint32_t flip_lo[kPositions];
  std::uint32_t flip_hi[kPositions];
};

struct SetFilter {  // for any sets: member[c][b] is all ones where position c accepts base b
  std::uint32_t member[kPositions][4];
};

// 32 positions of a query, for the verifier: bit i of word b is set if position i accepts base b. Positions past the
// query's end accept any base.
using PatternBlock = uint4;
constexpr std::uint32_t kPatternBlockPositions = 32;

struct Tail {
  std::uint32_t query;
  std::uint32_t first_block;
  std::uint32_t block_count;  // 0: the filter covers all positions
};

template <class Filter>
inline constexpr int kMostFilters = 2;  // of a batch
template <>
inline constexpr int kMostFilters<BaseFilter> = 40;
template <>
inline constexpr int kMostFilters<SetFilter> = 20;

template <class Filter>
struct Batch {
  static constexpr int kMost = kMostFilters<Filter>;
  Filter filter[kMost];
  Tail tail[kMost];
  const PatternBlock* pattern_blocks;
  int count;
};

// found & (word ^ flip) in one instruction; the compiler would use more.
__device__ __forceinline__ std::uint32_t keep(std::uint32_t found, std::uint32_t word, std::uint32_t flip) {
  std::uint32_t result;
  asm("lop3.b32 %0, %1, %2, %3, 0x60;" : "=r"(result) : "r"(found), "r"(word), "r"(flip));
  return result;
}

__device__ __forceinline__ std::uint32_t match(std::uint32_t found, const BaseFilter& filter, int c, std::uint32_t lo,
                                               std::uint32_t hi) {
  return keep(keep(found, lo, filter.flip_lo[c]), hi, filter.flip_hi[c]);
}

__device__ __forceinline__ std::uint32_t match(std::uint32_t found, const SetFilter& filter, int c, std::uint32_t lo,
                                               std::uint32_t hi) {
  return found & member_of(lo, hi, filter.member[c][0], filter.member[c][1], filter.member[c][2], filter.member[c][3]);
}

// Returns those of the candidates `found`, 32 positions from `position` on, where the whole query matches.
__device__ __noinline__ std::uint32_t verify(const PlanesText& text, const PatternBlock* pattern_blocks,
                                             std::uint32_t block_count, std::uint32_t position, std::uint32_t found) {
  for (std::uint32_t left = found; left != 0; left &= left - 1) {
    const int i = __ffs(static_cast<int>(left)) - 1;
    for (std::uint32_t c = 0; c < block_count; ++c) {
      const PatternBlock block = pattern_blocks[c];
      const std::uint32_t at = position + i + c * kPatternBlockPositions;
      if (member_of(text.lo_at(at), text.hi_at(at), block.x, block.y, block.z, block.w) != ~0U) {
        found &= ~(1U << i);
        break;
      }
    }
  }
  return found;
}

struct Words {
  std::uint64_t lo, hi;
  std::uint32_t lo_next, hi_next;
};

__device__ __forceinline__ Words load(const PackedView& text, std::uint32_t w) {
  return {text.lo[w], text.hi[w], static_cast<std::uint32_t>(text.lo[w + 1]),
          static_cast<std::uint32_t>(text.hi[w + 1])};
}

// The 64 positions of a word in two halves, each followed by the next 32 positions.
struct Halves {
  std::uint32_t lo[3], hi[3];
};

__device__ __forceinline__ Halves halves_of(const Words& words) {
  return {{static_cast<std::uint32_t>(words.lo), static_cast<std::uint32_t>(words.lo >> 32), words.lo_next},
          {static_cast<std::uint32_t>(words.hi), static_cast<std::uint32_t>(words.hi >> 32), words.hi_next}};
}

// Sends those of a query's candidates, `first` and `second` for 32 positions each from `position` on, where the whole
// query matches.
template <class Filter>
__device__ __forceinline__ void send(const Batch<Filter>& batch, const cuda::DeviceSink& sink, int e,
                                     std::uint32_t position, std::uint32_t first, std::uint32_t second) {
  if ((first | second) == 0) return;
#pragma unroll 1
  for (int i = 0; i < 2; ++i) {
    const std::uint32_t left = i == 0 ? first : second;
    if (left == 0) continue;
    const Tail tail = batch.tail[e];
    const std::uint32_t found = verify({sink.text.lo, sink.text.hi}, batch.pattern_blocks + tail.first_block,
                                       tail.block_count, position + i * 32, left);
    if (found != 0) sink.word(position + i * 32, tail.query, found);
  }
}

// Filters for a number of queries known at compile time: each shifted pair of planes is made once, used for all
// queries, then dropped.
template <int Queries, class Filter>
__device__ __forceinline__ void filter_few(const Batch<Filter>& batch, const cuda::DeviceSink& sink,
                                           const Halves& halves, std::uint32_t position) {
  std::uint32_t found[Queries][2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
#pragma unroll
    for (int e = 0; e < Queries; ++e) found[e][i] = ~0U;
#pragma unroll
    for (int c = 0; c < kPositions; ++c) {
      const std::uint32_t lo_at = __funnelshift_r(halves.lo[i], halves.lo[i + 1], c);
      const std::uint32_t hi_at = __funnelshift_r(halves.hi[i], halves.hi[i + 1], c);
#pragma unroll
      for (int e = 0; e < Queries; ++e) found[e][i] = match(found[e][i], batch.filter[e], c, lo_at, hi_at);
    }
  }
#pragma unroll
  for (int e = 0; e < Queries; ++e) send(batch, sink, e, position, found[e][0], found[e][1]);
}

// The same with groups. All loops are unrolled.
template <int Queries, int... kSizes>
__device__ __forceinline__ void filter_few(const Batch<GroupFilter<kSizes...>>& batch, const cuda::DeviceSink& sink,
                                           const Halves& halves, std::uint32_t position) {
  using Filter = GroupFilter<kSizes...>;
  std::uint32_t found[Queries][2];
#pragma unroll
  for (int e = 0; e < Queries; ++e) {
    const Filter& filter = batch.filter[e];
    found[e][0] = found[e][1] = ~0U;
    int c = 0;
#pragma unroll
    for (int g = 0; g < Filter::kGroups; ++g) {
      std::uint32_t same[3];
#pragma unroll
      for (int i = 0; i < 3; ++i) same[i] = keep(halves.lo[i] ^ filter.flip_lo[g], halves.hi[i], filter.flip_hi[g]);
#pragma unroll
      for (int k = 0; k < Filter::size(g); ++k, ++c) {
#pragma unroll
        for (int i = 0; i < 2; ++i) found[e][i] &= __funnelshift_r(same[i], same[i + 1], filter.positions[c]);
      }
    }
  }
#pragma unroll
  for (int e = 0; e < Queries; ++e) send(batch, sink, e, position, found[e][0], found[e][1]);
}

// Filters for batch.count queries: the shifted planes stay in registers while all queries pass.
template <class Filter>
__device__ __forceinline__ void filter_many(const Batch<Filter>& batch, const cuda::DeviceSink& sink,
                                            const Halves& halves, std::uint32_t position) {
  std::uint32_t lo_at[kPositions][2];
  std::uint32_t hi_at[kPositions][2];
#pragma unroll
  for (int c = 0; c < kPositions; ++c) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      lo_at[c][i] = __funnelshift_r(halves.lo[i], halves.lo[i + 1], c);
      hi_at[c][i] = __funnelshift_r(halves.hi[i], halves.hi[i + 1], c);
    }
  }
  for (int e = 0; e < batch.count; ++e) {
    std::uint32_t found[2] = {~0U, ~0U};
#pragma unroll
    for (int c = 0; c < kPositions; ++c) {
#pragma unroll
      for (int i = 0; i < 2; ++i) found[i] = match(found[i], batch.filter[e], c, lo_at[c][i], hi_at[c][i]);
    }
    send(batch, sink, e, position, found[0], found[1]);
  }
}

// A thread takes 64 positions at a time, and loads the next 64 before it works on them. Queries: their number, or 0 to
// take it from batch.count.
template <class Filter, int Queries>
__global__ void __launch_bounds__(kThreads)
    search(const __grid_constant__ Batch<Filter> batch, const __grid_constant__ cuda::DeviceSink sink) {
  sink.begin_block();
  const std::uint32_t last = (sink.text.own_end + 63) / 64;
  std::uint32_t w = sink.text.own_begin / 64 + blockIdx.x * kThreads + threadIdx.x;
  Words next = load(sink.text, min(w, last - 1));
  while (w < last) {
    const Halves halves = halves_of(next);
    const std::uint32_t position = w * 64;
    w += gridDim.x * kThreads;
    if (w < last) next = load(sink.text, w);
    if constexpr (Queries != 0) {
      filter_few<Queries>(batch, sink, halves, position);
    } else {
      filter_many(batch, sink, halves, position);
    }
  }
  sink.end_block();
}

BaseFilter base_filter(std::span<const BaseSet> sets) {
  BaseFilter filter;
  for (int c = 0; c < kPositions; ++c) {
    const unsigned code = single_base(sets[c]);
    filter.flip_lo[c] = (code & 1) != 0 ? 0 : ~0U;
    filter.flip_hi[c] = (code & 2) != 0 ? 0 : ~0U;
  }
  return filter;
}

SetFilter set_filter(std::span<const BaseSet> sets) {
  SetFilter filter;
  for (int c = 0; c < kPositions; ++c) {
    const BaseSet set = static_cast<std::size_t>(c) < sets.size() ? sets[c] : kAnyBase;
    for (int b = 0; b < 4; ++b) filter.member[c][b] = (set >> b & 1) != 0 ? ~0U : 0;
  }
  return filter;
}

// Positions [first, first + kPatternBlockPositions) of a query.
PatternBlock block_at(std::span<const BaseSet> sets, std::size_t first) {
  std::uint32_t member[4] = {~0U, ~0U, ~0U, ~0U};
  for (std::size_t i = 0; i < kPatternBlockPositions && first + i < sets.size(); ++i) {
    for (int b = 0; b < 4; ++b) {
      if ((sets[first + i] >> b & 1) == 0) member[b] &= ~(1U << i);
    }
  }
  return {member[0], member[1], member[2], member[3]};
}

class PlanesKernel final : public cuda::Kernel {
 public:
  explicit PlanesKernel(const RoomOptions& options) : device_(options.gpu) {
    std::vector<PatternBlock> pattern_blocks;
    std::vector<std::span<const BaseSet>> queries;
    std::vector<Tail> tails;
    for (const std::uint32_t e : options.queries) {
      const std::span<const BaseSet> sets = options.patterns.queries()[e].sets;
      const bool more = sets.size() > kPositions;
      queries.push_back(sets);
      tails.push_back(
          {e, static_cast<std::uint32_t>(pattern_blocks.size()),
           more ? static_cast<std::uint32_t>((sets.size() + kPatternBlockPositions - 1) / kPatternBlockPositions) : 0});
      for (std::size_t c = 0; more && c < sets.size(); c += kPatternBlockPositions)
        pattern_blocks.push_back(block_at(sets, c));
    }
    if (!add_groups(quads_, queries, tails) && !add_groups(quads_and_pairs_, queries, tails)) {
      for (std::size_t q = 0; q < queries.size(); ++q) add(queries[q], tails[q]);
    }
    pattern_blocks_ = cuda::to_device(pattern_blocks);
    const auto point = [this](auto& batches) {
      for (auto& batch : batches) batch.pattern_blocks = pattern_blocks_.get();
    };
    point(base_batches_);
    point(set_batches_);
    point(quads_);
    point(quads_and_pairs_);
  }

  void launch(const cuda::DeviceSink& sink, std::byte* /*workspace*/, cudaStream_t stream) const override {
    const cuda::DeviceSink counting = sink.counting_in(0, kCounterBytes);
    const auto launch_all = [&](const auto& batches) {
      for (const auto& batch : batches) launch(batch, counting, stream);
    };
    launch_all(base_batches_);
    launch_all(set_batches_);
    launch_all(quads_);
    launch_all(quads_and_pairs_);
  }

 private:
  // Adds the queries with groups, if there are at most two and all of them have such groups.
  template <int... kSizes>
  static bool add_groups(std::vector<Batch<GroupFilter<kSizes...>>>& batches,
                         const std::vector<std::span<const BaseSet>>& queries, const std::vector<Tail>& tails) {
    if (queries.size() > 2) return false;
    std::vector<GroupFilter<kSizes...>> filters;
    for (const std::span<const BaseSet> sets : queries) {
      const auto filter = group_filter<kSizes...>(sets);
      if (!filter) return false;
      filters.push_back(*filter);
    }
    for (std::size_t q = 0; q < filters.size(); ++q) add(batches, filters[q], tails[q]);
    return true;
  }

  void add(std::span<const BaseSet> sets, const Tail& tail) {
    const bool plain =
        sets.size() >= kPositions && std::all_of(sets.begin(), sets.begin() + kPositions, is_single_base);
    if (plain) {
      add(base_batches_, base_filter(sets), tail);
    } else {
      add(set_batches_, set_filter(sets), tail);
    }
  }

  template <class Filter>
  static void add(std::vector<Batch<Filter>>& batches, const Filter& filter, const Tail& tail) {
    if (batches.empty() || batches.back().count == Batch<Filter>::kMost) batches.push_back({});
    Batch<Filter>& batch = batches.back();
    batch.filter[batch.count] = filter;
    batch.tail[batch.count++] = tail;
  }

  template <class Filter>
  void launch(const Batch<Filter>& batch, const cuda::DeviceSink& sink, cudaStream_t stream) const {
    const std::uint32_t words = (sink.text.own_end + 63) / 64 - sink.text.own_begin / 64;
    if (words == 0) return;
    constexpr int kBlocksPerProcessor = 64;  // many more than fit, so that the last blocks to run are short
    const std::uint32_t blocks = device_.blocks_for(words, kThreads, kBlocksPerProcessor);
    const std::size_t shared = sink.shared_bytes();
    switch (batch.count) {
      case 1: search<Filter, 1><<<blocks, kThreads, shared, stream>>>(batch, sink); break;
      case 2: search<Filter, 2><<<blocks, kThreads, shared, stream>>>(batch, sink); break;
      default:
        if constexpr (Batch<Filter>::kMost > 2) search<Filter, 0><<<blocks, kThreads, shared, stream>>>(batch, sink);
    }
  }

  const cuda::Device device_;
  std::vector<Batch<BaseFilter>> base_batches_;
  std::vector<Batch<SetFilter>> set_batches_;
  std::vector<Batch<Quads>> quads_;
  std::vector<Batch<QuadAndPairs>> quads_and_pairs_;
  cuda::DeviceBuffer<PatternBlock> pattern_blocks_;
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<PlanesKernel>(options);
}

}  // namespace basesweep::planes
