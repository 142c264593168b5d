#include "kernels/reads/seeds/choices.hpp"
#include "kernels/reads/seeds/cuda.cuh"

#include <thrust/iterator/counting_iterator.h>
#include <algorithm>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "kernels/cuda/append.cuh"
#include "kernels/cuda/warp_sum.cuh"

namespace basesweep::seeds {
namespace {

constexpr std::uint32_t kThreads = 256;
constexpr std::uint64_t kMaxBlocks = 1U << 16;

std::uint32_t blocks_for(std::uint64_t threads) {
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>((threads + kThreads - 1) / kThreads, 1, kMaxBlocks));
}

__device__ std::uint64_t thread_number() { return std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; }
__device__ std::uint64_t thread_count() { return std::uint64_t{gridDim.x} * kThreads; }

__device__ std::uint32_t key_at(const PackedView& text, std::uint32_t position, std::uint32_t gram) {
  return key_of(static_cast<std::uint32_t>(positions_at(text.lo, position)),
                static_cast<std::uint32_t>(positions_at(text.hi, position)), gram);
}

__global__ void __launch_bounds__(kThreads) count_grams(PackedView text, std::uint32_t gram, std::uint32_t* counts) {
  for (std::uint64_t i = thread_number(); i < text.positions; i += thread_count()) {
    atomicAdd(counts + key_at(text, static_cast<std::uint32_t>(i), gram), 1U);
  }
}

// `ends`: where each bucket ends. Afterwards it holds where each begins.
__global__ void __launch_bounds__(kThreads)
    fill_buckets(PackedView text, std::uint32_t gram, std::uint32_t* ends, std::uint32_t* positions) {
  for (std::uint64_t i = thread_number(); i < text.positions; i += thread_count()) {
    const auto position = static_cast<std::uint32_t>(i);
    positions[atomicSub(ends + key_at(text, position, gram), 1U) - 1] = position;
  }
}

struct Lookup {
  ReadQueryView reads;
  PackedView text;
  IndexView index;
  std::uint32_t count;     // number of queries
  std::uint64_t frequent;  // a query whose seeds have this many places in the index is not looked up
  CandidateList list;
};

// Makes candidates of a warp's seeds. Lane i has the bucket of seed first_seed + i; the lanes share the places in all
// buckets evenly.
__device__ void check_places(const Lookup& lookup, std::uint32_t number, const ReadQuery& query,
                             std::uint32_t first_seed, const Bucket& bucket, unsigned lane) {
  const std::uint32_t size = bucket.last - bucket.first;
  const std::uint32_t sum = cuda::inclusive_sum(size, lane);
  const std::uint32_t total = __shfl_sync(~0U, sum, 31);
  for (std::uint32_t begin = 0; begin < total; begin += 32) {
    const std::uint32_t i = begin + lane;
    unsigned owner = 0;  // the first lane whose sum is above i
#pragma unroll
    for (unsigned step = 16; step != 0; step /= 2) {
      const std::uint32_t before = __shfl_sync(~0U, sum, static_cast<int>(owner + step - 1));
      if (before <= i) owner += step;
    }
    const std::uint32_t before = __shfl_sync(~0U, sum - size, static_cast<int>(owner));
    const std::uint32_t first = __shfl_sync(~0U, bucket.first, static_cast<int>(owner));
    if (i >= total) continue;
    const Seed seed = seed_of(query, first_seed + owner, query.edits + 1U);
    const std::uint32_t position = lookup.index.positions[first + i - before];
    const Ends ends = ends_of(query, seed, position, lookup.text.positions);
    if (ends.first == ends.end) continue;
    if (!occurs(lookup.reads, query, seed, lookup.text, lookup.index.gram, position)) continue;
    const std::uint64_t place = cuda::reserve_place(lookup.list.found);
    const std::uint32_t last = position - seed.begin + query.length - 1;
    if (place < lookup.list.capacity) lookup.list.candidates[place] = std::uint64_t{number} << 32 | last;
  }
}

// Each warp takes a query, each lane a seed.
__global__ void __launch_bounds__(kThreads) look_up(const __grid_constant__ Lookup lookup) {
  const unsigned lane = threadIdx.x % 32;
  for (std::uint64_t number = thread_number() / 32; number < lookup.count; number += thread_count() / 32) {
    const ReadQuery query = lookup.reads.queries[number];
    const std::uint32_t seeds = query.edits + 1U;
    const auto bucket_at = [&](std::uint32_t seed) {
      return seed < seeds ? bucket_of(lookup.reads, query, seed_of(query, seed, seeds), lookup.index) : Bucket{0, 0};
    };
    std::uint64_t places = 0;
    for (std::uint32_t first = 0; first < seeds; first += 32) {
      const Bucket bucket = bucket_at(first + lane);
      places += bucket.last - bucket.first;
    }
    places = __shfl_sync(~0U, cuda::inclusive_sum(places, lane), 31);
    if (places > lookup.frequent) {
      if (lane == 0) {
        lookup.list.frequent[atomicAdd(lookup.list.frequent_count, 1ULL)] = static_cast<std::uint32_t>(number);
      }
      continue;
    }
    for (std::uint32_t first = 0; first < seeds; first += 32) {
      check_places(lookup, static_cast<std::uint32_t>(number), query, first, bucket_at(first + lane), lane);
    }
  }
}

__device__ std::uint32_t query_of(Candidate candidate) { return static_cast<std::uint32_t>(candidate >> 32); }
__device__ std::uint32_t last_of(Candidate candidate) { return static_cast<std::uint32_t>(candidate); }

// The end of the positions in which alignments of a candidate may end.
__device__ std::uint32_t end_of(Candidate candidate, const ReadQuery& query, std::uint32_t positions) {
  return min(last_of(candidate) + query.edits + 1, positions);
}

// True if a window begins at a candidate: its positions do not touch those of the candidate before, or that lies in
// another stretch.
struct IsHead {
  const Candidate* candidates;
  const ReadQuery* queries;
  std::uint32_t positions;

  __device__ bool operator()(std::uint32_t i) const {
    if (i == 0) return true;
    const Candidate here = candidates[i];
    const Candidate before = candidates[i - 1];
    if (query_of(here) != query_of(before)) return true;
    const ReadQuery query = queries[query_of(here)];
    if (last_of(here) - last_of(before) > 2U * query.edits + 1) return true;
    const std::uint32_t bits = stretch_bits(query);
    return last_of(here) >> bits != last_of(before) >> bits && end_of(before, query, positions) < positions;
  }
};

__global__ void __launch_bounds__(kThreads)
    join_candidates(const Candidate* candidates, std::uint32_t count, const ReadQuery* queries, std::uint32_t positions,
                    const std::uint32_t* heads, const std::uint32_t* window_count, QueryWindow* windows) {
  const std::uint32_t all = *window_count;
  for (std::uint64_t w = thread_number(); w < all; w += thread_count()) {
    const std::uint32_t head = heads[w];
    const Candidate first = candidates[head];
    const Candidate last = candidates[(w + 1 < all ? heads[w + 1] : count) - 1];
    const ReadQuery query = queries[query_of(first)];
    std::uint32_t begin = last_of(first) > query.edits ? last_of(first) - query.edits : 0;
    if (head != 0 && query_of(candidates[head - 1]) == query_of(first)) {
      begin =
          max(begin, end_of(candidates[head - 1], query, positions));  // the positions before belong to another window
    }
    windows[w] = {query_of(first), begin, end_of(last, query, positions)};
  }
}

// Each thread counts the windows of queries with at most threadIdx.x words.
__global__ void find_ends(const Candidate* candidates, const ReadQuery* queries, const std::uint32_t* heads,
                          std::uint32_t* ends) {
  const std::uint32_t all = ends[kMaxWords];
  if (threadIdx.x >= kMaxWords) return;
  std::uint32_t low = 0;
  std::uint32_t high = all;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (queries[query_of(candidates[heads[middle]])].words() <= threadIdx.x) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  ends[threadIdx.x] = low;
}

__global__ void __launch_bounds__(kThreads) cut_positions(Sweep sweep, std::uint32_t per_query, std::uint64_t first,
                                                          std::uint32_t count, QueryWindow* windows) {
  for (std::uint64_t i = thread_number(); i < count; i += thread_count()) {
    const std::uint64_t number = first + i;
    const auto begin = static_cast<std::uint32_t>(number % per_query) * sweep.stretch;
    const std::uint32_t end = sweep.positions - begin < sweep.stretch ? sweep.positions : begin + sweep.stretch;
    windows[i] = {sweep.queries[number / per_query], begin, end};
  }
}

}  // namespace

std::size_t DeviceIndex::bytes(std::uint32_t positions) {
  return ((std::size_t{1} << 2 * gram_for(positions)) + 1 + positions) * sizeof(std::uint32_t);
}

DeviceIndex::DeviceIndex(const PackedView& text, const cuda::Stream& stream)
    : gram_(gram_for(text.positions)),
      starts_((std::size_t{1} << 2 * gram_) + 1),
      positions_(std::max<std::size_t>(text.positions, 1)) {
  const std::size_t keys = std::size_t{1} << 2 * gram_;
  BASESWEEP_CUDA(cudaMemsetAsync(starts_.get(), 0, (keys + 1) * sizeof(std::uint32_t), stream.get()));
  count_grams<<<blocks_for(text.positions), kThreads, 0, stream.get()>>>(text, gram_, starts_.get());
  std::size_t scratch_bytes = 0;
  const auto sum = [&](void* scratch) {
    BASESWEEP_CUDA(
        cub::DeviceScan::InclusiveSum(scratch, scratch_bytes, starts_.get(), starts_.get(), keys + 1, stream.get()));
  };
  sum(nullptr);
  const cuda::DeviceBuffer<std::byte> scratch(std::max<std::size_t>(scratch_bytes, 1));
  sum(scratch.get());
  fill_buckets<<<blocks_for(text.positions), kThreads, 0, stream.get()>>>(text, gram_, starts_.get(), positions_.get());
  BASESWEEP_CUDA(cudaGetLastError());
  stream.synchronize();
}

void find_candidates(const ReadQueryView& reads, std::uint32_t count, const PackedView& text, const IndexView& index,
                     const CandidateList& list, cudaStream_t stream) {
  // With more places than this a sweep costs less; the limit also bounds the memory for a batch's candidates.
  const std::uint64_t frequent = 1024 + text.positions / 64;
  const Lookup lookup{reads, text, index, count, frequent, list};
  look_up<<<blocks_for(std::uint64_t{count} * 32), kThreads, 0, stream>>>(lookup);
  BASESWEEP_CUDA(cudaGetLastError());
}

void make_windows(const Candidate* candidates, std::uint64_t count, const ReadQueryView& reads, std::uint32_t positions,
                  std::uint32_t* heads, const WindowList& list, cuda::DeviceBuffer<std::byte>& scratch,
                  cudaStream_t stream) {
  const IsHead is_head{candidates, reads.queries, positions};
  const auto items = static_cast<std::uint32_t>(count);
  std::uint32_t* const window_count = list.ends + kMaxWords;
  std::size_t scratch_bytes = 0;
  const auto select = [&](void* memory) {
    BASESWEEP_CUDA(cub::DeviceSelect::If(memory, scratch_bytes, thrust::counting_iterator<std::uint32_t>(0), heads,
                                         window_count, static_cast<int>(items), is_head, stream));
  };
  select(nullptr);
  scratch.reserve(scratch_bytes);
  select(scratch.get());
  join_candidates<<<blocks_for(items), kThreads, 0, stream>>>(candidates, items, reads.queries, positions, heads,
                                                              window_count, list.windows);
  find_ends<<<1, kMaxWords, 0, stream>>>(candidates, reads.queries, heads, list.ends);
  BASESWEEP_CUDA(cudaGetLastError());
}

void make_windows(const Sweep& sweep, std::uint64_t first, std::uint32_t count, QueryWindow* windows,
                  cudaStream_t stream) {
  cut_positions<<<blocks_for(count), kThreads, 0, stream>>>(sweep, sweep.windows_per_query(), first, count, windows);
  BASESWEEP_CUDA(cudaGetLastError());
}

}  // namespace basesweep::seeds
