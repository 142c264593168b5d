// Finds the sites that may be places of guides, on the device.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/warp_sum.cuh"
#include "kernels/guides/halves/device_views.cuh"

namespace basesweep::halves {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kLookUpThreads = 64;  // few, since a block lasts as long as the longest of its tasks

// Items of a warp that wait in shared memory until 32 are there. All threads of the warp call its functions together.
template <class Item>
class WarpQueue {
 public:
  static constexpr std::uint32_t kRoom = 64;

  // `items`: kRoom of the warp.
  __device__ explicit WarpQueue(Item* items) : items_(items) {}

  // Each thread may have an item. take(count) is called when `count` items are to be taken by as many threads.
  template <class Take>
  __device__ void add(bool has, Item item, const Take& take) {
    const unsigned having = __ballot_sync(~0U, has);
    if (having == 0) return;
    const unsigned lane = threadIdx.x % 32;
    if (has) items_[count_ + __popc(having & ((1U << lane) - 1))] = item;
    count_ += __popc(having);
    __syncwarp();
    if (count_ < 32) return;
    take(32U);
    const Item moved = items_[32 + lane];
    __syncwarp();
    items_[lane] = moved;
    count_ -= 32;
    __syncwarp();
  }
  template <class Take>
  __device__ void finish(const Take& take) {
    if (count_ != 0) take(count_);
    count_ = 0;
  }
  // Of the calling thread, in take().
  __device__ Item own() const { return items_[threadIdx.x % 32]; }

 private:
  Item* items_;
  std::uint32_t count_ = 0;
};

// Keys on their way to the list of all, so that one atomic on its size serves 32 of them.
class KeyQueue {
 public:
  __device__ KeyQueue(const Found& found, std::uint64_t* keys) : found_(found), queue_(keys) {}

  __device__ void add(bool has, std::uint64_t key) {
    queue_.add(has, key, [this](std::uint32_t count) { send(count); });
  }
  __device__ void finish() {
    queue_.finish([this](std::uint32_t count) { send(count); });
  }

 private:
  __device__ void send(std::uint32_t count) {
    const unsigned lane = threadIdx.x % 32;
    unsigned long long place = 0;
    if (lane == 0) place = atomicAdd(found_.size, static_cast<unsigned long long>(count));
    place = __shfl_sync(~0U, place, 0) + lane;
    if (lane < count && place < found_.capacity) found_.keys[place] = queue_.own();
    __syncwarp();
  }

  const Found& found_;
  WarpQueue<std::uint64_t> queue_;
};

// The lists of entries that the threads of a warp have, as one list: use(entry, has, load(entry)) is called for 32
// entries after the other, by all threads, with `has` false for those beyond the end. `room`: 32 of the warp.
struct EntryList {
  std::uint32_t offset;  // from the number of an item to its entry
  std::uint32_t first;   // the number of its first item
};
template <class Load, class Use>
__device__ void for_each_entry(std::uint32_t begin, std::uint32_t count, EntryList* room, const Load& load,
                               const Use& use) {
  constexpr unsigned kAtOnce = 4;  // loads that a thread starts before it waits for the first
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t through = cuda::inclusive_sum(count, lane);
  const std::uint32_t total = __shfl_sync(~0U, through, 31);
  // Those without entries are left out.
  const unsigned having = __ballot_sync(~0U, count != 0);
  if (count != 0) room[__popc(having & ((1U << lane) - 1))] = {begin - (through - count), through - count};
  __syncwarp();
  const EntryList own = lane < __popc(having) ? room[lane] : EntryList{0, ~0U};
  __syncwarp();
  std::uint32_t begun = 0;  // lists
  for (std::uint32_t base = 0; base < total; base += 32 * kAtOnce) {
    std::uint32_t entries[kAtOnce];
    decltype(load(0U)) loaded[kAtOnce];
#pragma unroll
    for (unsigned i = 0; i < kAtOnce; ++i) {
      const std::uint32_t from = base + 32 * i;
      const std::uint32_t at = own.first - from;
      const unsigned firsts = cuda::bits_of_warp(at < 32 ? 1U << at : 0);
      const auto list = static_cast<int>(begun + __popc(firsts & ((2U << lane) - 1)) - 1);
      begun += __popc(firsts);
      entries[i] = __shfl_sync(~0U, own.offset, list) + from + lane;
      if (from + lane < total) loaded[i] = load(entries[i]);
    }
#pragma unroll
    for (unsigned i = 0; i < kAtOnce; ++i) {
      if (base + 32 * i < total) use(entries[i], base + 32 * i + lane < total, loaded[i]);
    }
  }
}

// Each warp does one task: it takes 32 differences at a time and shares out the entries that they lead to.
template <class Compare>
__global__ void __launch_bounds__(kLookUpThreads)
    look_up(const __grid_constant__ SearchView view, const __grid_constant__ SortedSites words,
            const __grid_constant__ Found found, const Task* tasks, std::uint32_t count) {
  constexpr int kWarps = kLookUpThreads / 32;
  __shared__ EntryList rooms[kWarps][32];
  __shared__ std::uint64_t keys[kWarps][WarpQueue<std::uint64_t>::kRoom];
  __shared__ std::uint32_t entries[Compare::kExact ? 1 : kWarps][WarpQueue<std::uint32_t>::kRoom];
  const std::uint32_t warp = threadIdx.x / 32;
  const std::uint32_t number = blockIdx.x * kWarps + warp;
  if (number >= count) return;
  const unsigned lane = threadIdx.x % 32;
  const Task task = tasks[number];
  const TaskForm form = view.forms[task.form];
  const ComparedGuide guide = view.guides[task.guide].compared;
  const ShapeRanges shapes{view.shapes + form.shapes, form.shape_count};
  const auto bases_of = [&words](std::uint32_t entry) {
    const uint2 bases = __ldg(reinterpret_cast<const uint2*>(words.bases + entry));
    return SiteBases{bases.x, bases.y};
  };
  KeyQueue kept(found, keys[warp]);
  const auto keep = [&](bool fits, std::uint32_t entry) {
    kept.add(fits, fits ? found.key(task.guide, static_cast<std::uint32_t>(words.sites[entry])) : 0);
  };
  // Few of the entries may fit, so their warp would wait for these: they are judged together.
  WarpQueue<std::uint32_t> doubtful(entries[Compare::kExact ? 0 : warp]);
  const auto judge = [&](std::uint32_t waiting) {
    const std::uint32_t entry = lane < waiting ? doubtful.own() : 0;
    keep(lane < waiting && Compare::fits(guide, shapes, bases_of(entry)), entry);
  };
  const std::uint32_t end = min(form.delta_count, task.first + kTaskDeltas);
  for (std::uint32_t first = task.first; first < end; first += 32) {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
    if (first + lane < end) {
      const std::uint32_t key = task.key ^ __ldg(view.deltas + form.deltas + first + lane);
      begin = __ldg(words.begins + key);
      size = __ldg(words.begins + key + 1) - begin;
    }
    for_each_entry(begin, size, rooms[warp], bases_of, [&](std::uint32_t entry, bool has, const SiteBases& bases) {
      const bool may_fit = has && Compare::may_fit(guide, shapes, bases);
      if constexpr (Compare::kExact) {
        keep(may_fit, entry);
      } else {
        doubtful.add(may_fit, entry, judge);
      }
    });
  }
  if constexpr (!Compare::kExact) doubtful.finish(judge);
  kept.finish();
}

constexpr std::uint32_t kTileGuides = 128;

// Compares guides with all sites: blocks along y take kTileGuides guides each. `list`: the guides; null: all.
template <class Compare>
__global__ void __launch_bounds__(kThreads)
    compare_all(const __grid_constant__ SearchView view, const SiteBases* bases, std::uint32_t sites,
                const __grid_constant__ Found found, const std::uint32_t* list, std::uint32_t count) {
  __shared__ std::uint64_t keys[kWarps][WarpQueue<std::uint64_t>::kRoom];
  __shared__ TaskGuide tile[kTileGuides];
  const std::uint32_t first = blockIdx.y * kTileGuides;
  const std::uint32_t guides = min(kTileGuides, count - first);
  for (std::uint32_t i = threadIdx.x; i < guides; i += kThreads) {
    tile[i] = view.guides[list == nullptr ? first + i : list[first + i]];
  }
  __syncthreads();
  KeyQueue queue(found, keys[threadIdx.x / 32]);
  const std::uint32_t stride = gridDim.x * kThreads;
  // All threads of a warp go round equally often.
  for (std::uint32_t from = blockIdx.x * kThreads + threadIdx.x / 32 * 32; from < sites; from += stride) {
    const std::uint32_t site = from + threadIdx.x % 32;
    const SiteBases own = site < sites ? bases[site] : SiteBases{};
    for (std::uint32_t i = 0; i < guides; ++i) {
      const TaskGuide& guide = tile[i];
      const bool pass =
          site < sites && Compare::fits(guide.compared, {view.shapes + guide.shapes, guide.shape_count}, own);
      const std::uint32_t number = list == nullptr ? first + i : list[first + i];
      queue.add(pass, found.key(number, site));
    }
  }
  queue.finish();
}

}  // namespace basesweep::halves
