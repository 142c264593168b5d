// Finds the sites that may be places of guides, on the device.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/warp_sum.cuh"
#include "kernels/guides/halves/device_views.cuh"

namespace basesweep::halves {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;

// Keys that wait in shared memory, so that one atomic on the size of the list serves 32 of them. All threads of a warp
// call its functions together.
class WarpQueue {
 public:
  static constexpr std::uint32_t kRoom = 64;

  // `keys`: kRoom of the warp.
  __device__ WarpQueue(const Found& found, std::uint64_t* keys) : found_(found), keys_(keys) {}

  __device__ void add(bool pass, std::uint64_t key) {
    const unsigned passing = __ballot_sync(~0U, pass);
    if (passing == 0) return;
    const unsigned lane = threadIdx.x % 32;
    if (pass) keys_[count_ + __popc(passing & ((1U << lane) - 1))] = key;
    count_ += __popc(passing);
    __syncwarp();
    if (count_ < 32) return;
    send(32);
    const std::uint64_t moved = keys_[32 + lane];
    __syncwarp();
    keys_[lane] = moved;
    count_ -= 32;
    __syncwarp();
  }
  __device__ void finish() {
    if (count_ != 0) send(count_);
  }

 private:
  __device__ void send(std::uint32_t count) {
    const unsigned lane = threadIdx.x % 32;
    unsigned long long place = 0;
    if (lane == 0) place = atomicAdd(found_.size, static_cast<unsigned long long>(count));
    place = __shfl_sync(~0U, place, 0) + lane;
    if (lane < count && place < found_.capacity) found_.keys[place] = keys_[lane];
    __syncwarp();
  }

  const Found& found_;
  std::uint64_t* keys_;
  std::uint32_t count_ = 0;
};

// Each warp does one task: it takes 32 differences at a time and shares out the entries that they lead to.
template <class Compare>
__global__ void __launch_bounds__(kThreads)
    look_up(const __grid_constant__ SearchView view, const __grid_constant__ SortedSites words,
            const __grid_constant__ Found found, const Task* tasks, std::uint32_t count) {
  __shared__ std::uint64_t waiting[kWarps][WarpQueue::kRoom];
  const std::uint32_t number = blockIdx.x * kWarps + threadIdx.x / 32;
  if (number >= count) return;
  const unsigned lane = threadIdx.x % 32;
  const Task task = tasks[number];
  const TaskForm form = view.forms[task.form];
  const ComparedGuide guide = view.guides[task.guide].compared;
  const ShapeRanges shapes{view.shapes + form.shapes, form.shape_count};
  const std::uint32_t end = min(form.delta_count, task.first + kTaskDeltas);
  WarpQueue queue(found, waiting[threadIdx.x / 32]);
  for (std::uint32_t first = task.first; first < end; first += 32) {
    std::uint32_t begin = 0;
    std::uint32_t entries = 0;
    if (first + lane < end) {
      const std::uint32_t key = task.key ^ __ldg(view.deltas + form.deltas + first + lane);
      begin = __ldg(words.begins + key);
      entries = __ldg(words.begins + key + 1) - begin;
    }
    const std::uint32_t through = cuda::inclusive_sum(entries, lane);
    const std::uint32_t total = __shfl_sync(~0U, through, 31);
    const std::uint32_t first_entry = begin - (through - entries);  // of the thread's items
    for (std::uint32_t base = 0; base < total; base += 32) {
      const std::uint32_t item = base + lane;
      const std::uint32_t entry = __shfl_sync(~0U, first_entry, static_cast<int>(cuda::owner_of(item, through))) + item;
      bool pass = false;
      if (item < total) {
        const uint2 bases = __ldg(reinterpret_cast<const uint2*>(words.bases + entry));
        pass = Compare::fits(guide, shapes, {bases.x, bases.y});
      }
      queue.add(pass, pass ? found.key(task.guide, static_cast<std::uint32_t>(words.sites[entry])) : 0);
    }
  }
  queue.finish();
}

constexpr std::uint32_t kTileGuides = 128;

// Compares guides with all sites: blocks along y take kTileGuides guides each. `list`: the guides; null: all.
template <class Compare>
__global__ void __launch_bounds__(kThreads)
    compare_all(const __grid_constant__ SearchView view, const SiteBases* bases, std::uint32_t sites,
                const __grid_constant__ Found found, const std::uint32_t* list, std::uint32_t count) {
  __shared__ std::uint64_t waiting[kWarps][WarpQueue::kRoom];
  __shared__ TaskGuide tile[kTileGuides];
  const std::uint32_t first = blockIdx.y * kTileGuides;
  const std::uint32_t guides = min(kTileGuides, count - first);
  for (std::uint32_t i = threadIdx.x; i < guides; i += kThreads) {
    tile[i] = view.guides[list == nullptr ? first + i : list[first + i]];
  }
  __syncthreads();
  WarpQueue queue(found, waiting[threadIdx.x / 32]);
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
