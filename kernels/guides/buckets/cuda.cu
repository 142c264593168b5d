// The join of a text with itself on a GPU.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/cuda.hpp"
#include "kernels/guides/buckets/device_join.cuh"
#include "kernels/guides/buckets/device_sites.cuh"
#include "kernels/guides/buckets/split.hpp"
#include "lib/base/error.hpp"

namespace basesweep::buckets {
namespace {

// Buckets of some hundred sites, so that a bucket fills several words.
Split choose_device_split(std::uint32_t sites, std::uint32_t length, std::uint32_t mismatches,
                          const JoinSettings& settings) {
  constexpr std::uint32_t kSitesOfBucket = 128;
  const std::uint32_t most = std::min({settings.most_word, kMaxWord, length / 2});
  Split split;
  split.q = std::clamp(settings.least_word, 1U, std::max(most, 1U));
  while (split.q < most && sites >> (2 * (split.q + 1)) >= kSitesOfBucket) ++split.q;
  const int first = static_cast<int>(mismatches / 2);
  split.budgets = {first, static_cast<int>(mismatches) - 1 - first};
  return split;
}

// The kernel of the next number of columns that there is one for. Those of usual guides have more.
using JoinKernel = void (*)(JoinWork, std::uint32_t);
template <unsigned kBits, bool kSecond>
JoinKernel kernel_for(std::uint32_t columns) {
  if (columns <= 10) return join_tiles<kBits, 10, kSecond>;
  if constexpr (kBits == 3 && !kSecond) {
    if (columns <= 12) return join_tiles<kBits, 12, kSecond>;
    if (columns <= 16) return join_tiles<kBits, 16, kSecond>;
  }
  if (columns <= 20) return join_tiles<kBits, 20, kSecond>;
  return join_tiles<kBits, 30, kSecond>;
}

// The memory and the work of a join on one GPU, for slices of the sites. There may be two at once: one is compared
// while the totals of the other are handed out.
class DeviceJoin {
 public:
  // `most`: the sites of a slice. `slices`: at once. `gpus`: that are used.
  DeviceJoin(const TextSites& sites, const JoinLimits& limits, const JoinSettings& settings, std::uint32_t most,
             std::size_t slices, std::size_t gpus)
      : limits_(limits),
        settings_(settings),
        split_(choose_device_split(sites.size(), sites.length(), limits.mismatches, settings)),
        other_count_(static_cast<std::uint32_t>(sites.other().size())),
        other_(cuda::to_device(sites.other())),
        weights_(cuda::to_device(std::vector<PairWeights>(limits.scored ? 1 : 0, pair_weights()))),
        completed_(std::min(kCopied, std::max(most, 1U))),
        sites_(sites, split_, stream_),
        slices_(slices) {
    for (auto& buffer : host_) buffer.reserve(completed_.size());
    // The index gets what the totals of the slices leave, but at least 40 %. Sorting and others take less than a
    // sixteenth.
    const std::uint64_t free = cuda::DeviceMemory::free_bytes(gpus) / 16 * 15;
    const std::uint64_t totals = std::uint64_t{most} * (slices * step() + sizeof(std::uint32_t));
    sites_.divide(std::max(free / 5 * 2, free - std::min(free, totals)), settings.words_at_once);
    reserve(std::min(settings_.sites_at_once, most));
  }

  // Begins a slice with as many of the sites from number `first` on as fit. Returns how many of `most` it takes.
  std::uint32_t set_slice(std::size_t slice, std::uint32_t first, std::uint32_t most) {
    Slice& own = slices_[slice];
    own.first = first;
    own.count = std::min(sites_of_slice_, most);
    return own.count;
  }

  // Adds up the totals of the slice.
  void add_up(std::size_t slice) {
    const Slice& own = slices_[slice];
    if (own.count == 0) return;
    clear_totals<<<blocks_for(own.count), kThreads, 0, stream_.get()>>>(totals(own), own.count);
    BASESWEEP_CUDA(cudaGetLastError());
    for (std::uint32_t word = 0; word < 2; ++word) {
      if (split_.budgets[word] >= 0) search(word, own);
    }
  }

  // Copies the totals to the host, one part while the one before it is used. They must be complete.
  void hand_out(std::size_t slice, const GuideJoin::Use& use) {
    const Slice& own = slices_[slice];
    const auto copy = [&](std::uint64_t from, int to) {
      if (from >= own.count) return;
      const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(completed_.size(), own.count - from));
      complete_totals<<<blocks_for(count), kThreads, 0, copying_.get()>>>(totals(own), from, count, completed_.get());
      BASESWEEP_CUDA(cudaGetLastError());
      cuda::queue_copy(host_[to].get(), completed_.get(), count, cudaMemcpyDeviceToHost, copying_.get());
    };
    copy(0, 0);
    int side = 0;
    for (std::uint64_t from = 0; from < own.count; from += completed_.size(), side ^= 1) {
      copying_.synchronize();
      copy(from + completed_.size(), side ^ 1);
      use(own.first + static_cast<std::uint32_t>(from),
          {host_[side].get(), std::min<std::uint64_t>(completed_.size(), own.count - from)});
    }
  }

 private:
  static constexpr std::uint32_t kCopied = 1U << 20;  // totals at once

  struct Slice {
    cuda::DeviceBuffer<std::byte> totals{};
    std::uint32_t first = 0;  // site
    std::uint32_t count = 0;
  };

  std::size_t step() const { return TotalsView::step(limits_.mismatches); }
  TotalsView totals(const Slice& slice) const { return {slice.totals.get(), limits_.mismatches}; }

  // Makes room for the totals of as many sites as fit.
  void reserve(std::uint32_t most) {
    if (most == 0) return;
    for (std::uint32_t count = most;; count = count / 2 + 1) {
      try {
        count = sites_.reserve_guides(count);
        // What one slice has taken may be too much for the other.
        for (Slice& slice : slices_) slice.totals = cuda::DeviceBuffer<std::byte>();
        for (Slice& slice : slices_) slice.totals.reserve(count * step());
        sites_of_slice_ = count;
        return;
      } catch (const cuda::OutOfMemory&) {
        constexpr std::uint32_t kFewest = 1U << 16;
        if (count <= kFewest) throw;
      }
    }
  }

  void search(std::uint32_t word, const Slice& slice) {
    JoinWork work{};
    const std::uint32_t tiles = sites_.list_guides(word, slice.first, slice.count, work.view);
    if (tiles == 0) return;
    const Differences near = differences(split_.q, static_cast<std::uint32_t>(split_.budgets[word]));
    const auto keys = cuda::to_device(near.keys);
    work.differences = keys.get();
    std::copy(near.ends.begin(), near.ends.end(), work.ends);
    work.near = near.ends.back();
    work.mismatches = limits_.mismatches;
    work.known_word = static_cast<std::uint32_t>(split_.budgets[0]);
    work.weights = limits_.scored ? weights_.get() : nullptr;
    work.most_scored = limits_.most_scored;
    work.other = other_.get();
    work.other_count = other_count_;
    work.totals = totals(slice);
    work.first_site = slice.first;
    const bool many = limits_.mismatches >= 8;
    const std::uint32_t columns = work.view.columns;
    const JoinKernel kernel = word == 0 ? (many ? kernel_for<4, false>(columns) : kernel_for<3, false>(columns))
                                        : (many ? kernel_for<4, true>(columns) : kernel_for<3, true>(columns));
    for (std::size_t range = 0; range < sites_.ranges(word); ++range) {
      sites_.make_index(word, range, work.view);
      for (std::uint32_t tile = 0; tile < tiles; tile += settings_.tiles_at_once) {
        kernel<<<std::min(settings_.tiles_at_once, tiles - tile), kJoinThreads, 0, stream_.get()>>>(work, tile);
        BASESWEEP_CUDA(cudaGetLastError());
      }
    }
    stream_.synchronize();
  }

  const JoinLimits& limits_;
  const JoinSettings& settings_;
  const Split split_;
  const cuda::Stream stream_;
  const cuda::Stream copying_{cuda::Stream::Turn::first};
  const std::uint32_t other_count_;
  const cuda::DeviceBuffer<OtherLetters> other_;
  const cuda::DeviceBuffer<PairWeights> weights_;
  const cuda::DeviceBuffer<SiteTotals> completed_;
  DeviceSites sites_;
  std::vector<Slice> slices_;
  std::uint32_t sites_of_slice_ = 0;  // at most
  cuda::PinnedBuffer<SiteTotals> host_[2];
};

// Each GPU compares a slice of the guides with all sites. A thread makes the CUDA contexts while the text is read.
class CudaJoin final : public GuideJoin {
 public:
  CudaJoin(std::vector<int> gpus, const JoinSettings& settings)
      : gpus_(std::move(gpus)), settings_(settings), start_([this] { start(); }) {}
  ~CudaJoin() override {
    if (start_.joinable()) start_.join();
  }
  CudaJoin(const CudaJoin&) = delete;
  CudaJoin& operator=(const CudaJoin&) = delete;

  std::string describe() const override {
    std::string text = "buckets on gpu ";
    for (std::size_t i = 0; i < gpus_.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(gpus_[i]);
    return text;
  }

  void join(const TextSites& sites, const JoinLimits& limits, SiteRange range, const Loop& /*loop*/,
            const Use& use) const override {
    if (start_.joinable()) start_.join();
    if (broken_) std::rethrow_exception(broken_);
    if (range.begin == range.end) return;
    std::vector<std::unique_ptr<DeviceJoin>> joins(gpus_.size());
    const std::uint32_t all = range.end - range.begin;
    const std::uint32_t rounds = limits.slow_use ? sites.guides() / settings_.sites_of_round + 1 : 1;
    const auto shares = static_cast<std::uint64_t>(joins.size()) * rounds;
    const auto share = static_cast<std::uint32_t>((all + shares - 1) / shares);
    const std::size_t slices = rounds > 1 ? 2 : 1;
    on_each_gpu([&](std::size_t i) {
      joins[i] = std::make_unique<DeviceJoin>(sites, limits, settings_, share, slices, joins.size());
    });
    const auto add_up = [&](std::size_t slice) {
      for (std::size_t i = 0; i < joins.size(); ++i) {
        on_gpu(i, [&] {
          range.begin += joins[i]->set_slice(slice, range.begin, std::min(share, range.end - range.begin));
        });
      }
      on_each_gpu([&](std::size_t i) { joins[i]->add_up(slice); });
    };
    add_up(0);
    for (std::size_t slice = 0;; slice = (slice + 1) % slices) {
      const bool last = range.begin == range.end;
      // With one slice it begins when its totals are used.
      std::future<void> next;
      if (!last) {
        next = std::async(slices > 1 ? std::launch::async : std::launch::deferred, add_up, (slice + 1) % slices);
      }
      for (std::size_t i = 0; i < joins.size(); ++i) {
        on_gpu(i, [&] { joins[i]->hand_out(slice, use); });
      }
      if (last) return;
      next.get();
    }
  }

 private:
  // Calls work() with this of the GPUs. Its errors name the GPU.
  template <class Work>
  void on_gpu(std::size_t i, const Work& work) const {
    try {
      BASESWEEP_CUDA(cudaSetDevice(gpus_[i]));
      work();
    } catch (const DeviceError& error) {
      throw DeviceError("GPU " + std::to_string(gpus_[i]) + ": " + error.what());
    }
  }

  // Calls work(i) for each of the GPUs, at the same time. Throws what the first of them has thrown.
  void on_each_gpu(const std::function<void(std::size_t)>& work) const {
    std::vector<std::future<void>> others;
    for (std::size_t i = 1; i < gpus_.size(); ++i) {
      others.push_back(std::async(std::launch::async, [&, i] { on_gpu(i, [&] { work(i); }); }));
    }
    on_gpu(0, [&] { work(0); });
    for (std::future<void>& other : others) other.get();
  }

  void start() {
    try {
      on_each_gpu([](std::size_t) { BASESWEEP_CUDA(cudaFree(nullptr)); });
    } catch (...) {
      broken_ = std::current_exception();
    }
  }

  const std::vector<int> gpus_;
  const JoinSettings settings_;
  std::exception_ptr broken_;
  mutable std::thread start_;  // last, so that it begins when all else is there
};

}  // namespace
}  // namespace basesweep::buckets

namespace basesweep::cuda {

std::unique_ptr<GuideJoin> make_guide_join(std::vector<int> gpus, const buckets::JoinSettings& settings) {
  return std::make_unique<buckets::CudaJoin>(std::move(gpus), settings);
}

}  // namespace basesweep::cuda
