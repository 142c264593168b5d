#include <algorithm>
#include <cub/device/device_scan.cuh>
#include <limits>

#include "kernels/approximate/neighbors/index.hpp"
#include "kernels/approximate/neighbors/search.cuh"
#include "kernels/approximate/neighbors/words.hpp"
#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/sort.hpp"

namespace basesweep::neighbors {
namespace {

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

class NeighborsKernel final : public cuda::Kernel {
 public:
  NeighborsKernel(const RoomOptions& options, std::uint64_t max_bytes)
      : NeighborsKernel(options, Seeds(options, Device::gpu, max_bytes)) {}

  std::size_t workspace_bytes(std::uint32_t positions) const override {
    if (!sorts_) return 0;
    const std::size_t count = std::min(positions, kPositionsToSort);
    return 2 * gram_bytes(count) + sort_bytes(count);
  }

  void launch(const cuda::DeviceSink& sink, std::byte* workspace, cudaStream_t stream) const override {
    if (sink.text.own_begin >= sink.text.own_end) return;
    if (sorts_) return launch_sorted(sink, workspace, stream);
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

  // Bytes for `count` grams, rounded up so that what lies behind them is aligned.
  static std::size_t gram_bytes(std::size_t count) { return (count * sizeof(std::uint64_t) + 255) / 256 * 256; }
  std::size_t sort_bytes(std::size_t count) const {
    return cuda::sort_scratch_bytes(count, kSortBits, static_cast<int>(kSortBits + 2 * view_.gram));
  }

  void launch_sorted(const cuda::DeviceSink& sink, std::byte* workspace, cudaStream_t stream) const {
    const std::uint32_t end = sink.text.own_end;
    std::uint32_t begin = sink.text.own_begin - std::min(sink.text.own_begin, reach_);
    for (std::uint32_t count = 0; begin < end; begin += count) {
      count = std::min(end - begin, kPositionsToSort);
      const std::size_t bytes = gram_bytes(count);
      auto* grams = reinterpret_cast<std::uint64_t*>(workspace);
      auto* other = reinterpret_cast<std::uint64_t*>(workspace + bytes);
      const std::uint32_t blocks = (count + kThreads - 1) / kThreads;
      list_grams<<<blocks, kThreads, 0, stream>>>(view_, sink.text, begin, count, grams);
      grams = cuda::sort_keys(grams, other, count, kSortBits, static_cast<int>(kSortBits + 2 * view_.gram),
                              workspace + 2 * bytes, sort_bytes(count), stream);
      search_sorted<<<blocks, kThreads, 0, stream>>>(view_, sink, begin, count, grams);
    }
  }

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
    sorts_ = !view_.edits() && !view_.gated() && list >= kLongList;
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
  bool sorts_ = false;
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
