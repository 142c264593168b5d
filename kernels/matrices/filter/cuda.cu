#include <algorithm>

#include "kernels/cuda/device.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/occurrence_sink.cuh"
#include "kernels/cuda/warp_sum.cuh"
#include "kernels/matrices/filter/index.hpp"
#include "kernels/matrices/room.hpp"

namespace basesweep::filter {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = 8;  // of a processor
constexpr unsigned kAll = ~0U;

__device__ std::int32_t rest(const IndexView& index, const RestPlace& place, std::uint64_t lo, std::uint64_t hi) {
  return index.rests[place.rest].scores[(lo >> place.offset & 3) | (hi >> place.offset & 3) << 2];
}

// Scores the window of a candidate whose q-gram stands at `position`, and sends it if it is a hit.
__device__ void check(const IndexView& index, const cuda::DeviceSink& sink, std::uint32_t position,
                      const Candidate& candidate) {
  const FilterQuery& query = index.queries[candidate.query];
  if (position < query.lead) return;
  const std::uint32_t start = position - query.lead;
  const std::uint64_t lo = positions_at(sink.text.lo, start);
  const std::uint64_t hi = positions_at(sink.text.hi, start);
  std::int32_t score = candidate.score;
  for (const RestPlace& place : query.plain) score += rest(index, place, lo, hi);
  for (std::uint32_t r = 0; r < query.more_rests; ++r) {
    score += rest(index, index.places[query.first_more_rest + r], lo, hi);
  }
  if (score >= query.threshold) sink.send(start, query.query);
}

// A warp takes 32 positions at a time, and shares out the candidates of all their q-grams among its threads.
__global__ void __launch_bounds__(kThreads)
    search(const __grid_constant__ IndexView index, const __grid_constant__ cuda::DeviceSink sink, std::uint32_t first,
           std::uint32_t end) {
  sink.begin_block();
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t mask = (1U << index.q) - 1;
  const std::uint32_t stride = gridDim.x * kThreads;
  for (std::uint32_t from = first + blockIdx.x * kThreads + threadIdx.x / 32 * 32; from < end; from += stride) {
    const std::uint32_t position = from + lane;
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
    if (position < end) {
      const auto lo = static_cast<std::uint32_t>(positions_at(sink.text.lo, position)) & mask;
      const auto hi = static_cast<std::uint32_t>(positions_at(sink.text.hi, position)) & mask;
      const std::uint32_t gram = lo | hi << index.q;
      begin = index.begins[gram];
      count = index.begins[gram + 1] - begin;
    }
    const std::uint32_t through = cuda::inclusive_sum(count, lane);
    const std::uint32_t total = __shfl_sync(kAll, through, 31);
    const std::uint32_t first_candidate = begin - (through - count);  // of the thread's items
    for (std::uint32_t base = 0; base < total; base += 32) {
      const std::uint32_t item = base + lane;
      const auto owner = static_cast<int>(cuda::owner_of(item, through));
      const std::uint32_t candidate = __shfl_sync(kAll, first_candidate, owner) + item;
      if (item < total) check(index, sink, from + static_cast<unsigned>(owner), index.candidates[candidate]);
    }
  }
  sink.end_block();
}

class FilterKernel final : public cuda::Kernel {
 public:
  explicit FilterKernel(const MatrixRoomOptions& options) : device_(options.common.gpu) {
    const Index index(options.matrices, options.queries, options.common.tuning.block);
    view_ = index.view();
    view_.any = nullptr;  // the list's length says the same
    view_.begins = tables_.put(index.begins());
    view_.candidates = tables_.put(index.candidates());
    view_.queries = tables_.put(index.queries());
    view_.rests = tables_.put(index.rests());
    view_.places = tables_.put(index.places());
  }

  void launch(const cuda::DeviceSink& given, std::byte* /*workspace*/, cudaStream_t stream) const override {
    const PackedView& text = given.text;
    // A window whose stretch is behind the text is blocked.
    const std::uint32_t end = std::min(text.own_end + view_.max_lead, text.positions);
    if (text.own_begin >= end) return;
    const cuda::DeviceSink sink =
        given.counting_in(0, device_.processor_shared_bytes / kBlocks - cuda::Device::kBlockBytes);
    device_.allow_shared(search);
    search<<<device_.blocks_for(end - text.own_begin, kThreads, kBlocks), kThreads, sink.shared_bytes(), stream>>>(
        view_, sink, text.own_begin, end);
  }

 private:
  const cuda::Device device_;
  cuda::DeviceTables tables_;
  IndexView view_{};
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const MatrixRoomOptions& options) {
  return std::make_unique<FilterKernel>(options);
}

}  // namespace basesweep::filter
