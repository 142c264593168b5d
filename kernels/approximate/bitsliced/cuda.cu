#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "kernels/approximate/bitsliced/index.hpp"
#include "kernels/approximate/bitsliced/search.cuh"
#include "kernels/approximate/bitsliced/strips.cuh"
#include "kernels/approximate/verify.hpp"
#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/occurrence_sink.cuh"
#include "lib/search/pattern_set.hpp"

namespace basesweep::bitsliced {
namespace {

struct Tables {
  const Seed* seeds;
  const std::uint32_t* queries;  // indices in the PatternSet
  const VerifyQuery* verify_queries;
  const EqBlock* blocks;
};

// Sends the query's ends at positions [first, end), of alignments that start at `begin` or later.
__device__ void verify(const Tables& tables, const cuda::DeviceSink& sink, std::uint32_t index, std::uint32_t begin,
                       std::uint64_t first, std::uint64_t end) {
  const std::uint32_t query = tables.queries[index];
  first = max(first, std::uint64_t{sink.text.own_begin});
  end = min(end, std::uint64_t{sink.text.own_end});
  if (first >= end) return;
  verify_window(tables.verify_queries[index], tables.blocks, sink.text.lo, sink.text.hi, begin,
                static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end),
                [&](std::uint32_t position) { sink.send(position, query); });
}

__device__ void verify_survivor(const Launch& launch, const Tables& tables, const cuda::DeviceSink& sink,
                                const Survivor& survivor) {
  const std::uint32_t index = launch.seeds[survivor.seed].index;
  const Seed& seed = tables.seeds[index];
  for (std::uint32_t left = survivor.texts[0] | survivor.texts[1]; left != 0; left &= left - 1) {
    const int text = __ffs(static_cast<int>(left)) - 1;
    const std::uint64_t position = survivor.position + std::uint64_t{launch.strips.positions} * text;
    if (seed.whole) {
      for (int i = 0; i < kStep; ++i) {
        if ((survivor.texts[i] >> text & 1) != 0 && position + i < sink.text.own_end) {
          sink.send(static_cast<std::uint32_t>(position + i), tables.queries[index]);
        }
      }
    } else {
      const Reach reach = seed.reach(position, position + kStep - 1);
      verify(tables, sink, index, reach.begin, reach.first_end, reach.last_end + 1);
    }
  }
}

// For a seed whose survivors did not all fit the queue: verifies all of the text.
__device__ void verify_all(const Launch& launch, const Tables& tables, const cuda::DeviceSink& sink,
                           std::uint32_t seed) {
  constexpr std::uint32_t kPositions = 256;
  const std::uint32_t index = launch.seeds[seed].index;
  const VerifyQuery& query = tables.verify_queries[index];
  const std::uint32_t reach = query.length + query.edits;
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x * kPositions;
  for (std::uint64_t first = sink.text.own_begin + (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) * kPositions;
       first < sink.text.own_end; first += step) {
    const auto begin = static_cast<std::uint32_t>(first > reach ? first - reach : 0);
    verify(tables, sink, index, begin, first, first + kPositions);
  }
}

__global__ void __launch_bounds__(128)
    verify_queue(const __grid_constant__ Launch launch, Tables tables, const __grid_constant__ cuda::DeviceSink sink) {
  const std::uint32_t size = min(launch.queue.head->size, launch.queue.capacity);
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
    verify_survivor(launch, tables, sink, launch.queue.survivors[i]);
  }
  for (std::uint32_t w = 0; w < launch.seed_count; ++w) {
    if (launch.queue.head->overflowed[w] != 0) verify_all(launch, tables, sink, w);
  }
}

// Bits of a counter that suffice for any number of edits; most seeds need one less.
constexpr int wide_bits(int rows) { return rows <= 8 ? 4 : rows <= 15 ? 5 : 6; }

// Measured: a row costs a thread 8 instructions for 32 positions; the verifier takes 45 a position, and its warps are
// not full.
const Costs& costs() {
  static const Costs kCosts{{8, 12, 15, 18, 21, 24, 28, 32}, 400};
  return kCosts;
}

using Search = void (*)(Launch);

struct Kind {
  std::uint32_t rows;
  bool narrow;  // counters have one bit less
  bool extra;   // some sets are not single bases
  bool operator<(const Kind& other) const {
    return std::tie(rows, narrow, extra) < std::tie(other.rows, other.narrow, other.extra);
  }
};

template <int rows>
Search pick(const Kind& kind) {
  if (kind.extra) return search<rows, wide_bits(rows), true>;
  return kind.narrow ? search<rows, wide_bits(rows) - 1, false> : search<rows, wide_bits(rows), false>;
}

Search pick_search(const Kind& kind) {
  switch (kind.rows) {
    case 8: return pick<8>(kind);
    case 12: return pick<12>(kind);
    case 15: return pick<15>(kind);
    case 18: return pick<18>(kind);
    case 21: return pick<21>(kind);
    case 24: return pick<24>(kind);
    case 28: return pick<28>(kind);
    default: return pick<32>(kind);
  }
}

SearchSeed search_seed(const Seed& seed, std::uint32_t index, Kind& kind) {
  SearchSeed search{};
  search.index = index;
  search.edits = seed.edits;
  for (std::uint32_t r = 0; r < seed.rows; ++r) {
    std::uint32_t number = 0;
    if (is_single_base(seed.sets[r])) {
      number = single_base(seed.sets[r]);
    } else {
      std::uint8_t* end = search.extra + search.extra_count;
      std::uint8_t* place = std::find(search.extra, end, seed.sets[r]);
      if (place == end) search.extra[search.extra_count++] = seed.sets[r];
      number = static_cast<std::uint32_t>(4 + (place - search.extra));
    }
    search.mask[r] = number * kThreads * sizeof(std::uint32_t);
  }
  const auto rows = static_cast<int>(seed.rows);
  const auto edits = static_cast<int>(seed.edits);
  const int bits = wide_bits(rows);
  kind = {seed.rows, false, search.extra_count != 0};
  kind.narrow = !kind.extra && survival_test(rows, edits, bits - 1) != Test::none;
  search.one_bit = survival_test(rows, edits, kind.narrow ? bits - 1 : bits) == Test::one_bit ? ~0U : 0;
  return search;
}

class BitslicedKernel final : public cuda::Kernel {
 public:
  explicit BitslicedKernel(const RoomOptions& options) : verify_index_(options.patterns, options.queries) {
    std::vector<Seed> seeds;
    for (const std::uint32_t e : options.queries) {
      const Query& query = options.patterns.queries()[e];
      const Seed seed = *choose_seed(query, costs());
      Kind kind{};
      const SearchSeed search = search_seed(seed, static_cast<std::uint32_t>(seeds.size()), kind);
      kinds_[kind].push_back(search);
      warm_up_ = std::max(warm_up_, seed.rows + seed.edits);
      reach_ = std::max(reach_, static_cast<std::uint32_t>(query.sets.size()) + seed.edits);
      // Places in the queue for each position of text: the survivors at two positions of 32 texts share one.
      survivors_.push_back(std::min(seed.survivors, 1.0 / (kStep * kTexts)));
      seeds.push_back(seed);
    }
    seeds_ = cuda::to_device(seeds);
    queries_ = cuda::to_device(options.queries);
    verify_queries_ = cuda::to_device(verify_index_.queries);
    blocks_ = cuda::to_device(verify_index_.blocks);
    seed_count_ = static_cast<std::uint32_t>(seeds.size());
    BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, options.gpu));
  }

  std::size_t workspace_bytes(std::uint32_t positions) const override {
    const std::size_t words = plane_words(positions);
    return kQueueOffset + queue_capacity(positions) * sizeof(Survivor) + 2 * words * sizeof(std::uint32_t);
  }

  void launch(const cuda::DeviceSink& sink, std::byte* workspace, cudaStream_t stream) const override {
    const PackedView& text = sink.text;
    if (text.own_begin >= text.own_end) return;
    const std::uint32_t origin = (text.own_begin > reach_ ? text.own_begin - reach_ : 0) / 64 * 64;
    const std::uint32_t positions = text.own_end - origin;
    Launch parameters{};
    parameters.queue = {reinterpret_cast<QueueHead*>(workspace), reinterpret_cast<Survivor*>(workspace + kQueueOffset),
                        static_cast<std::uint32_t>(queue_capacity(text.positions))};
    Strips& strips = parameters.strips;
    strips.positions = text_positions(positions);
    strips.count = strip_count(positions, strips.positions);
    strips.stride = (strips.count + 31) / 32 * 32;
    strips.origin = origin;
    strips.lo = reinterpret_cast<std::uint32_t*>(parameters.queue.survivors + parameters.queue.capacity);
    strips.hi = strips.lo + plane_words(text.positions);
    const Tables tables{seeds_.get(), queries_.get(), verify_queries_.get(), blocks_.get()};
    parameters.warm_up = warm_up_;
    parameters.one = 1;
    parameters.minus_one = ~0U;
    const dim3 grid((strips.positions / 32 + 7) / 8, (strips.count + 31) / 32, 2);
    transpose_strips<<<grid, 256, 0, stream>>>(text, strips);
    for (const auto& [kind, seeds] : kinds_) {
      std::size_t first = 0;
      while (first < seeds.size()) {
        first += choose_seeds(seeds.data() + first, seeds.size() - first, text.positions, parameters);
        BASESWEEP_CUDA(cudaMemsetAsync(parameters.queue.head, 0, sizeof(QueueHead), stream));
        const dim3 blocks(parameters.seed_count, (strips.count + kThreads - 1) / kThreads);
        pick_search(kind)<<<blocks, kThreads, 0, stream>>>(parameters);
        verify_queue<<<8 * processors_, 128, 0, stream>>>(parameters, tables, sink);
      }
    }
  }

 private:
  static constexpr std::size_t kQueueOffset = 512;  // the head lies in front of the queue
  static_assert(sizeof(QueueHead) <= kQueueOffset);

  static std::size_t queue_capacity(std::uint32_t positions) { return std::max<std::size_t>(1U << 14, positions / 16); }

  // Words of a transposed plane, for any text_positions(): up to 32 strips more than the text fills.
  static std::size_t plane_words(std::uint32_t positions) { return positions / 32 + 33 * kMaxTextPositions; }

  static std::uint32_t strip_count(std::uint32_t positions, std::uint32_t text_positions) {
    const std::uint64_t strip = std::uint64_t{kTexts} * text_positions;
    return static_cast<std::uint32_t>((positions + strip - 1) / strip);
  }

  // Puts seeds into a launch, at least one, as long as the queue has room for twice their expected survivors. Returns
  // their number.
  std::uint32_t choose_seeds(const SearchSeed* seeds, std::size_t count, std::uint32_t positions,
                             Launch& parameters) const {
    std::uint32_t& taken = parameters.seed_count;
    double survivors = 0;
    for (taken = 0; taken < std::min<std::size_t>(count, kMaxSeeds); ++taken) {
      survivors += survivors_[seeds[taken].index] * positions;
      if (taken != 0 && 2 * survivors > parameters.queue.capacity) break;
      parameters.seeds[taken] = seeds[taken];
    }
    return taken;
  }

  // The positions of a text. Long texts waste little time on the positions in front of their own; short texts keep all
  // processors busy.
  std::uint32_t text_positions(std::uint32_t positions) const {
    const std::uint64_t resident = std::uint64_t{8} * static_cast<unsigned>(processors_);  // blocks
    std::uint32_t best = 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (std::uint32_t length = (warm_up_ + 31) / 32 * 32; length <= kMaxTextPositions;
         length += length < 256 ? 32 : 256) {  // long texts in whole sectors, for the transposition
      const std::uint64_t blocks =
          (strip_count(positions, length) + kThreads - 1) / kThreads * std::uint64_t{seed_count_};
      const std::uint64_t time = (blocks + resident - 1) / resident * (length + warm_up_);
      if (time < least) {
        least = time;
        best = length;
      }
    }
    return best;
  }

  const VerifyIndex verify_index_;
  std::map<Kind, std::vector<SearchSeed>> kinds_;
  std::vector<double> survivors_;  // of each seed: places in the queue for each position of text
  cuda::DeviceBuffer<Seed> seeds_;
  cuda::DeviceBuffer<std::uint32_t> queries_;
  cuda::DeviceBuffer<VerifyQuery> verify_queries_;
  cuda::DeviceBuffer<EqBlock> blocks_;
  std::uint32_t seed_count_ = 0;
  std::uint32_t warm_up_ = 0;
  std::uint32_t reach_ = 0;  // positions left of an end that alignments may touch
  int processors_ = 1;
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<BitslicedKernel>(options);
}

}  // namespace basesweep::bitsliced
