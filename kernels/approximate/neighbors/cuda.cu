#include <algorithm>
#include <cub/device/device_scan.cuh>
#include <limits>

#include "kernels/approximate/neighbors/index.hpp"
#include "kernels/approximate/neighbors/step.hpp"
#include "kernels/approximate/neighbors/words.hpp"
#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/occurrence_sink.cuh"
#include "kernels/cuda/warp_sum.cuh"

namespace basesweep::neighbors {
namespace {

constexpr int kThreads = 256;
constexpr std::uint32_t kEntries = 4;  // that a thread reads at once; lists of entries are filled up to a multiple
static_assert(kEntries <= kEntriesAtOnce);

__global__ void __launch_bounds__(kThreads)
    count_entries(const Seed* seeds, std::uint32_t count, std::uint32_t gram, std::uint32_t* counts) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  for_each_word(seeds[i], gram, [&](std::uint32_t key, std::uint32_t /*spent*/) { atomicAdd(counts + key, 1U); });
}

// Makes each count a multiple of kEntries.
__global__ void __launch_bounds__(kThreads) fill_up(std::uint32_t* counts, std::uint32_t keys) {
  const std::uint32_t key = blockIdx.x * kThreads + threadIdx.x;
  if (key < keys) counts[key] = (counts[key] + kEntries - 1) / kEntries * kEntries;
}

// `next`: for each key, where its next entry goes.
__global__ void __launch_bounds__(kThreads)
    store_entries(const Seed* seeds, std::uint32_t count, std::uint32_t gram, bool edits, std::uint32_t* next,
                  std::uint32_t* entries, std::uint32_t* seed_of) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  const Seed& seed = seeds[i];
  for_each_word(seed, gram, [&](std::uint32_t key, std::uint32_t spent) {
    const std::uint32_t place = atomicAdd(next + key, 1U);
    entries[place] = entry_of(seed, spent, edits);
    seed_of[place] = i;
  });
}

// Neither is inlined, because search() and search_edits() seldom need it and should keep their registers. A table for
// mismatches needs only the first, which takes fewer.
__device__ __noinline__ void verify_for_mismatches(const IndexView& index, const cuda::DeviceSink& sink,
                                                   std::uint32_t entry, std::uint32_t position) {
  verify_mismatches(index, sink.text, index.seeds[index.seed_of[entry]], position,
                    [&](std::uint32_t last, std::uint32_t query) { sink.send(last, query); });
}

__device__ __noinline__ void verify_for_edits(const IndexView& index, const cuda::DeviceSink& sink, std::uint32_t entry,
                                              std::uint64_t place) {
  verify(
      index, sink.text, entry, place,
      [](std::uint32_t /*seed*/, const VerifyQuery& /*query*/, VerifyWindow& /*window*/) { return true; },
      [&](std::uint32_t last, std::uint32_t query) { sink.send(last, query); });
}

// What a thread knows of the position that it looked up.
struct Place {
  std::uint32_t begin, end;   // the entries of its gram
  std::uint32_t left, right;  // the text on either side

  __device__ Place of_lane(unsigned lane) const {
    return {__shfl_sync(~0U, begin, lane), __shfl_sync(~0U, end, lane), __shfl_sync(~0U, left, lane),
            __shfl_sync(~0U, right, lane)};
  }
};

// `first_key`: of the table.
__device__ __forceinline__ Place look_up(const IndexView& index, const PackedView& text, std::uint32_t position,
                                         std::uint32_t first_key = 0) {
  const std::uint64_t lo = positions_at(text.lo, position);
  const std::uint64_t hi = positions_at(text.hi, position);
  const std::uint32_t key =
      first_key | qgram(static_cast<std::uint32_t>(lo), static_cast<std::uint32_t>(hi), index.gram);
  return {__ldg(index.starts + key), __ldg(index.starts + key + 1), near_text_before(text, position, index.near),
          near_text(lo >> index.gram, hi >> index.gram, index.near)};
}

__device__ __forceinline__ uint4 load_entries(const IndexView& index, std::uint32_t i) {
  return __ldg(reinterpret_cast<const uint4*>(index.entries + i));
}

// Compares entries [i, i + kEntries) with the text beside a position.
__device__ __forceinline__ void check(const IndexView& index, const cuda::DeviceSink& sink, const Place& place,
                                      std::uint32_t position, std::uint32_t i, const uint4& loaded) {
  const std::uint32_t entries[kEntries] = {loaded.x, loaded.y, loaded.z, loaded.w};
  std::uint32_t pass = 0;
#pragma unroll
  for (std::uint32_t n = 0; n < kEntries; ++n) {
    const std::uint32_t text = (entries[n] & kLeftSide) != 0 ? place.left : place.right;
    const auto mismatches = static_cast<std::uint32_t>(__popc(near_mismatches(entries[n], text, index.near)));
    if (mismatches < entries[n] >> kBudgetShift) pass |= 1U << n;
  }
  for (; pass != 0; pass &= pass - 1) {
    verify_for_mismatches(index, sink, i + static_cast<std::uint32_t>(__ffs(static_cast<int>(pass))) - 1, position);
  }
}

// Looks up positions [begin, end). A warp takes 32 at a time, and kTeam threads of it read the entries of a position
// side by side: one where most lists of entries are empty, else several. The first entries of kAhead positions are on
// their way at once.
template <unsigned kTeam, unsigned kAhead>
__global__ void __launch_bounds__(kThreads)
    search(const __grid_constant__ IndexView index, const __grid_constant__ cuda::DeviceSink sink, std::uint32_t begin,
           std::uint32_t end) {
  constexpr std::uint32_t kStep = kEntries * kTeam;
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t own_entries = kEntries * (lane % kTeam);
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t first = begin + std::uint64_t{blockIdx.x} * kThreads + (threadIdx.x - lane); first < end;
       first += stride) {
    const auto position = static_cast<std::uint32_t>(first) + lane;
    Place own{};
    if (position < end) own = look_up(index, sink.text, position);
#pragma unroll 1
    for (unsigned turn = 0; turn < kTeam; turn += kAhead) {
      Place places[kAhead];
      uint4 loaded[kAhead];
#pragma unroll
      for (unsigned n = 0; n < kAhead; ++n) {
        places[n] = kTeam == 1 ? own : own.of_lane(lane / kTeam * kTeam + turn + n);
        const std::uint32_t i = places[n].begin + own_entries;
        if (kAhead != 1) loaded[n] = i < places[n].end ? load_entries(index, i) : uint4{};  // 0 never passes
      }
#pragma unroll
      for (unsigned n = 0; n < kAhead; ++n) {
        const std::uint32_t at = static_cast<std::uint32_t>(first) + lane / kTeam * kTeam + turn + n;
        std::uint32_t i = places[n].begin + own_entries;
        if (kAhead != 1) {
          check(index, sink, places[n], at, i, loaded[n]);
          i += kStep;
        }
        for (; i < places[n].end; i += kStep) check(index, sink, places[n], at, i, load_entries(index, i));
      }
    }
  }
}

// Where gates let grams be looked up, among the 32 positions of a warp.
struct Open {
  std::uint8_t table, lane;
};

// Lists them, and returns how many there are. Each of the first lanes looks at the gate of a table.
__device__ __forceinline__ std::uint32_t list_open(const IndexView& index, const PackedView& text, std::uint32_t first,
                                                   std::uint32_t end, Open* list) {
  const unsigned lane = threadIdx.x % 32;
  std::uint32_t open = 0;
  if (lane < index.tables) {
    open = static_cast<std::uint32_t>(open_positions(index.gates[lane], text, first));
    if (end - first < 32) open &= (1U << (end - first)) - 1;
  }
  std::uint32_t count = 0;
  for (std::uint32_t table = 0; table < index.tables; ++table) {
    const std::uint32_t of_table = __shfl_sync(~0U, open, table);
    if ((of_table >> lane & 1) != 0) {
      list[count + __popc(of_table & ((1U << lane) - 1))] = {static_cast<std::uint8_t>(table),
                                                             static_cast<std::uint8_t>(lane)};
    }
    count += __popc(of_table);
  }
  __syncwarp();
  return count;
}

// Looks up positions [begin, end) in tables with gates. A warp takes 32 positions, of which few are looked up, and
// shares out all their entries evenly.
__global__ void __launch_bounds__(kThreads)
    search_gated(const __grid_constant__ IndexView index, const __grid_constant__ cuda::DeviceSink sink,
                 std::uint32_t begin, std::uint32_t end) {
  __shared__ Open lists[kThreads / 32][32 * kMaxTables];
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t first = begin + std::uint64_t{blockIdx.x} * kThreads + (threadIdx.x - lane);
  if (first >= end) return;  // all threads of a warp
  const auto at = static_cast<std::uint32_t>(first);
  const Open* const list = lists[threadIdx.x / 32];
  const std::uint32_t open = list_open(index, sink.text, at, end, lists[threadIdx.x / 32]);
  for (std::uint32_t taken = 0; taken < open; taken += 32) {
    Place own{};
    std::uint32_t position = 0;
    if (taken + lane < open) {
      position = at + list[taken + lane].lane;
      own = look_up(index, sink.text, position, static_cast<std::uint32_t>(list[taken + lane].table) << 2 * index.gram);
    }
    const std::uint32_t count = (own.end - own.begin) / kEntries;
    const std::uint32_t sum = cuda::inclusive_sum(count, lane);
    const std::uint32_t all = __shfl_sync(~0U, sum, 31);
    for (std::uint32_t done = 0; done < all; done += 32) {
      const std::uint32_t number = done + lane;
      const std::uint32_t owner = cuda::owner_of(number, sum);
      const std::uint32_t before = __shfl_sync(~0U, sum - count, owner);
      const Place place = own.of_lane(owner);
      const std::uint32_t place_position = __shfl_sync(~0U, position, owner);
      const std::uint32_t i = place.begin + (number - before) * kEntries;
      if (number < all) check(index, sink, place, place_position, i, load_entries(index, i));
    }
  }
}

// Looks up places [begin, end), see look_at(), in a table for edits. A warp takes 32 at a time and shares out all their
// entries evenly, since the comparison of one takes long.
__global__ void __launch_bounds__(kThreads)
    search_edits(const __grid_constant__ IndexView index, const __grid_constant__ cuda::DeviceSink sink,
                 std::uint64_t begin, std::uint64_t end) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t first = begin + std::uint64_t{blockIdx.x} * kThreads + (threadIdx.x - lane);
  if (first >= end) return;  // all threads of a warp
  Sides own{};
  std::uint32_t own_begin = 0;
  std::uint32_t count = 0;
  if (first + lane < end) {
    own = look_at(index, sink.text, first + lane);
    own_begin = __ldg(index.starts + own.key);
    count = __ldg(index.starts + own.key + 1) - own_begin;
  }
  const std::uint32_t sum = cuda::inclusive_sum(count, lane);
  const std::uint32_t all = __shfl_sync(~0U, sum, 31);
  for (std::uint32_t done = 0; done < all; done += 32) {
    const std::uint32_t number = done + lane;
    const std::uint32_t owner = cuda::owner_of(number, sum);
    const std::uint32_t owner_sum = __shfl_sync(~0U, sum - count, owner);
    const std::uint32_t owner_begin = __shfl_sync(~0U, own_begin, owner);
    const std::uint32_t left = __shfl_sync(~0U, own.left, owner);
    const std::uint32_t right = __shfl_sync(~0U, own.right, owner);
    const std::uint32_t i = owner_begin + number - owner_sum;
    const std::uint32_t entry = number < all ? __ldg(index.entries + i) : 0;
    const std::uint32_t text = (entry & kLeftSideOfEdits) != 0 ? left : right;
    if (entry != 0 && passes(entry, text, index.columns) != 0) verify_for_edits(index, sink, i, first + owner);
  }
}

class NeighborsKernel final : public cuda::Kernel {
 public:
  NeighborsKernel(const RoomOptions& options, std::uint64_t max_bytes)
      : NeighborsKernel(options, Seeds(options, Device::gpu, max_bytes)) {}

  void launch(const cuda::DeviceSink& sink, std::byte* /*workspace*/, cudaStream_t stream) const override {
    if (sink.text.own_begin >= sink.text.own_end) return;
    if (view_.edits()) {
      // A word lies at most `before` positions in front of the alignments that it is looked up for.
      const std::uint64_t begin = sink.text.own_begin - std::min(sink.text.own_begin, reach_);
      const std::uint64_t end = std::uint64_t{sink.text.own_end} + view_.before;
      const auto blocks = static_cast<std::uint32_t>((end - begin + kThreads - 1) / kThreads);
      search_edits<<<blocks, kThreads, 0, stream>>>(view_, sink, begin, end);
      return;
    }
    const std::uint32_t begin = sink.text.own_begin - std::min(sink.text.own_begin, reach_);
    const std::uint32_t end = sink.text.own_end;
    const auto blocks =
        static_cast<std::uint32_t>(std::min<std::uint64_t>((end - begin + kThreads - 1) / kThreads, max_blocks_));
    team_search_<<<blocks, kThreads, 0, stream>>>(view_, sink, begin, end);
  }

 private:
  using Search = void(IndexView, cuda::DeviceSink, std::uint32_t, std::uint32_t);

  NeighborsKernel(const RoomOptions& options, const Seeds& seeds)
      : seeds_(cuda::to_device(seeds.all)),
        queries_(cuda::to_device(seeds.queries)),
        blocks_(cuda::to_device(seeds.blocks)),
        verify_queries_(cuda::to_device(seeds.verify.queries)),
        verify_blocks_(cuda::to_device(seeds.verify.blocks)) {
    options.log(describe_table(seeds, build_table(seeds)));
    view_ = seeds.numbers();
    view_.starts = starts_.get();
    view_.entries = entries_.get();
    view_.seed_of = seed_of_.get();
    view_.seeds = seeds_.get();
    view_.queries = queries_.get();
    view_.blocks = blocks_.get();
    view_.verify_queries = verify_queries_.get();
    view_.verify_blocks = verify_blocks_.get();
    for (const SearchedQuery& query : seeds.queries) {
      reach_ = std::max(reach_, query.length + (query.indels ? query.max : 0) - 1);
    }
    const double list =
        static_cast<double>(seeds.expected_entries) / static_cast<double>(std::uint64_t{1} << 2 * seeds.gram);
    if (view_.gated()) {
      team_search_ = search_gated;
    } else if (list < 3) {
      team_search_ = search<1, 1>;  // fastest with blocks of one step each, so with any number of blocks
    } else {
      constexpr std::uint32_t kBlocksPerProcessor = 64;  // many more than fit, so that the last blocks to run are short
      team_search_ = list < 48 ? search<8, 4> : search<8, 1>;
      int processors = 1;
      BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, options.gpu));
      max_blocks_ = kBlocksPerProcessor * static_cast<std::uint32_t>(processors);
    }
  }

  // Counts the entries of each key, adds the counts up, and fills the entries in. Returns how many there are.
  std::uint32_t build_table(const Seeds& seeds) {
    const cuda::Stream own;
    cudaStream_t stream = own.get();
    const auto keys = static_cast<std::uint32_t>(seeds.keys());
    const auto count = static_cast<std::uint32_t>(seeds.all.size());
    const std::uint32_t seed_blocks = (count + kThreads - 1) / kThreads;
    cuda::DeviceBuffer<std::uint32_t> counts(keys + 1);
    starts_.reserve(keys + 1);
    BASESWEEP_CUDA(cudaMemsetAsync(counts.get(), 0, (keys + 1) * sizeof(std::uint32_t), stream));
    count_entries<<<seed_blocks, kThreads, 0, stream>>>(seeds_.get(), count, seeds.gram, counts.get());
    if (!seeds.edits()) fill_up<<<(keys + kThreads - 1) / kThreads, kThreads, 0, stream>>>(counts.get(), keys);
    BASESWEEP_CUDA(cudaGetLastError());
    std::size_t bytes = 0;
    BASESWEEP_CUDA(cub::DeviceScan::ExclusiveSum(nullptr, bytes, counts.get(), starts_.get(), keys + 1, stream));
    cuda::DeviceBuffer<std::byte> scratch(bytes);
    BASESWEEP_CUDA(cub::DeviceScan::ExclusiveSum(scratch.get(), bytes, counts.get(), starts_.get(), keys + 1, stream));
    std::uint32_t entries = 0;
    BASESWEEP_CUDA(cudaMemcpyAsync(&entries, starts_.get() + keys, sizeof entries, cudaMemcpyDeviceToHost, stream));
    own.synchronize();
    entries_.reserve(entries + std::size_t{kEntriesAtOnce});
    seed_of_.reserve(entries + std::size_t{kEntriesAtOnce});
    BASESWEEP_CUDA(cudaMemsetAsync(entries_.get(), 0, entries_.size() * sizeof(std::uint32_t), stream));
    BASESWEEP_CUDA(
        cudaMemcpyAsync(counts.get(), starts_.get(), keys * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice, stream));
    store_entries<<<seed_blocks, kThreads, 0, stream>>>(seeds_.get(), count, seeds.gram, seeds.edits(), counts.get(),
                                                        entries_.get(), seed_of_.get());
    BASESWEEP_CUDA(cudaGetLastError());
    own.synchronize();
    return entries;
  }

  cuda::DeviceBuffer<Seed> seeds_;
  cuda::DeviceBuffer<SearchedQuery> queries_;
  cuda::DeviceBuffer<MatchBlock> blocks_;
  cuda::DeviceBuffer<VerifyQuery> verify_queries_;
  cuda::DeviceBuffer<EqBlock> verify_blocks_;
  cuda::DeviceBuffer<std::uint32_t> starts_;
  cuda::DeviceBuffer<std::uint32_t> entries_;
  cuda::DeviceBuffer<std::uint32_t> seed_of_;
  IndexView view_{};  // on the device
  Search* team_search_ = nullptr;
  std::uint32_t reach_ = 0;
  std::uint32_t max_blocks_ = std::numeric_limits<std::uint32_t>::max();
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  std::uint64_t bytes = options.table_bytes.value_or(default_table_bytes(Device::gpu));
  while (true) {
    try {
      return std::make_unique<NeighborsKernel>(options, bytes);
    } catch (const cuda::OutOfMemory&) {
      // A smaller table is slower, but any will do. The plan fails in the end if there is none.
      constexpr std::uint64_t kMinBytes = std::uint64_t{1} << 20;
      if (bytes < kMinBytes) throw;
      bytes /= 2;
    }
  }
}

}  // namespace basesweep::neighbors
