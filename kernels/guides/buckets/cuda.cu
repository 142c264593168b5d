// The join of a text with itself on a GPU.
#include <thrust/iterator/counting_iterator.h>
#include <algorithm>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
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
#include "kernels/cuda/device.hpp"
#include "kernels/cuda/sort.hpp"
#include "kernels/guides/buckets/device_index.cuh"
#include "kernels/guides/buckets/device_join.cuh"
#include "kernels/guides/buckets/split.hpp"
#include "lib/base/error.hpp"

namespace basesweep::buckets {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kKeyBit = 32;  // as in make_site_keys()

unsigned blocks_for(std::uint64_t threads) {
  return static_cast<unsigned>(std::max<std::uint64_t>(1, (threads + kThreads - 1) / kThreads));
}

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

// The memory and the work of a join on one GPU, for slices of the sites.
class DeviceJoin {
 public:
  DeviceJoin(const TextSites& sites, const JoinLimits& limits, const JoinSettings& settings)
      : sites_(sites),
        limits_(limits),
        settings_(settings),
        split_(choose_device_split(sites.size(), sites.length(), limits.mismatches, settings)),
        keys_(1U << (2 * split_.q)),
        site_bases_(cuda::to_device(sites.bases())),
        sort_keys_(2 * std::size_t{sites.size()}),
        begins_(std::size_t{keys_} + 1),
        word_begins_(std::size_t{keys_} + 1),
        guide_begins_(std::size_t{keys_} + 1),
        tile_begins_(std::size_t{keys_} + 1),
        numbers_(std::size_t{keys_} + 1),
        count_(1) {
    if (!sites.other().empty()) other_ = cuda::to_device(sites.other());
    if (limits.scored) weights_ = cuda::to_device(std::vector<PairWeights>{pair_weights()});
    reserve_index();
  }

  // Makes room for the totals of as many of the sites from number `first` on as fit. Returns how many of `most` it will
  // take.
  std::uint32_t set_slice(std::uint32_t first, std::uint32_t most) {
    first_ = first;
    slice_ = reserve_totals(std::min(settings_.sites_at_once, most));
    return slice_;
  }

  // Adds up the totals of the slice.
  void add_up() {
    if (slice_ == 0) return;
    // hand_out() also copies the totals of sites that are not guides, so all must be set.
    BASESWEEP_CUDA(cudaMemsetAsync(totals_.get(), 0, std::size_t{slice_} * sizeof(SiteTotals), stream_.get()));
    for (std::uint32_t word = 0; word < 2; ++word) {
      if (split_.budgets[word] >= 0) search(word);
    }
  }

  // Copies the totals to the host, one part while the one before it is used.
  void hand_out(const GuideJoin::Use& use) {
    constexpr std::uint32_t kAtOnce = 1U << 20;
    for (auto& buffer : host_) buffer.reserve(std::min(kAtOnce, std::max(slice_, 1U)));
    const auto copy = [&](std::uint64_t from, int to) {
      if (from >= slice_) return;
      cuda::queue_copy(host_[to].get(), totals_.get() + from, std::min<std::uint64_t>(kAtOnce, slice_ - from),
                       cudaMemcpyDeviceToHost, stream_.get());
    };
    copy(0, 0);
    int side = 0;
    for (std::uint64_t from = 0; from < slice_; from += kAtOnce, side ^= 1) {
      stream_.synchronize();
      copy(from + kAtOnce, side ^ 1);
      use(first_ + static_cast<std::uint32_t>(from),
          {host_[side].get(), std::min<std::uint64_t>(kAtOnce, slice_ - from)});
    }
  }

 private:
  // An upper bound for the words of planes: the last word of a bucket may not be full.
  std::uint64_t most_words() const { return sites_.size() / 32 + std::uint64_t{keys_}; }

  // Makes room for the totals of as many of the sites as fit. Returns how many.
  std::uint32_t reserve_totals(std::uint32_t sites) {
    if (totals_.size() != 0) return static_cast<std::uint32_t>(std::min<std::size_t>(sites, totals_.size()));
    for (std::uint32_t count = sites;; count = count / 2 + 1) {
      try {
        totals_.reserve(count);
        return count;
      } catch (const cuda::OutOfMemory&) {
        constexpr std::uint32_t kFewest = 1U << 16;
        if (count <= kFewest) throw;
      }
    }
  }

  void reserve_index() {
    const std::uint64_t words = most_words();
    const std::uint32_t columns = sites_.length() - split_.q;
    bases_.reserve(words * 32);
    numbers_of_entries_.reserve(words * 32);
    planes_.reserve(words * (2 * columns + 1));
    guides_.reserve(std::max<std::uint32_t>(1, sites_.guides()));
    tiles_.reserve(std::size_t{keys_} + sites_.guides() / kTileGuides);
    scratch_.reserve(cuda::sort_scratch_bytes(sites_.size(), kKeyBit, kKeyBit + 2 * static_cast<int>(split_.q)));
  }

  void search(std::uint32_t word) {
    JoinWork work{};
    work.view = make_index(word);
    const std::uint32_t tiles = find_tiles(work.view);
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
    work.other_count = static_cast<std::uint32_t>(sites_.other().size());
    work.totals = totals_.get();
    work.first_site = first_;
    const bool many = limits_.mismatches >= 8;
    const std::uint32_t columns = work.view.columns;
    const JoinKernel kernel = word == 0 ? (many ? kernel_for<4, false>(columns) : kernel_for<3, false>(columns))
                                        : (many ? kernel_for<4, true>(columns) : kernel_for<3, true>(columns));
    for (std::uint32_t tile = 0; tile < tiles; tile += settings_.tiles_at_once) {
      kernel<<<std::min(settings_.tiles_at_once, tiles - tile), kJoinThreads, 0, stream_.get()>>>(work, tile);
      BASESWEEP_CUDA(cudaGetLastError());
    }
    stream_.synchronize();
  }

  JoinView make_index(std::uint32_t word) {
    const cudaStream_t stream = stream_.get();
    const std::uint32_t count = sites_.size();
    JoinView view{};
    view.q = split_.q;
    view.first = word * split_.q;
    view.length = sites_.length();
    view.columns = view.length - view.q;
    std::uint64_t* const keys = sort_keys_.get();
    make_site_keys<<<blocks_for(count), kThreads, 0, stream>>>(site_bases_.get(), count, view.first, view.q, keys);
    BASESWEEP_CUDA(cudaGetLastError());
    const std::uint64_t* const sorted =
        cuda::sort_keys(keys, keys + count, count, kKeyBit, kKeyBit + 2 * static_cast<int>(view.q), scratch_, stream);
    const unsigned key_blocks = blocks_for(std::uint64_t{keys_} + 1);
    find_bucket_begins<<<key_blocks, kThreads, 0, stream>>>(sorted, count, keys_, begins_.get());
    count_words<<<key_blocks, kThreads, 0, stream>>>(begins_.get(), keys_, numbers_.get());
    sum_up(numbers_.get(), word_begins_.get());
    const std::uint32_t words = fetch(word_begins_.get() + keys_);
    BASESWEEP_CUDA(cudaMemsetAsync(numbers_of_entries_.get(), 0xff, std::size_t{words} * 32 * 4, stream));
    BASESWEEP_CUDA(cudaMemsetAsync(bases_.get(), 0, std::size_t{words} * 32 * sizeof(SiteBases), stream));
    place_entries<<<blocks_for(count), kThreads, 0, stream>>>(
        sorted, count, site_bases_.get(), begins_.get(), word_begins_.get(), bases_.get(), numbers_of_entries_.get());
    view.bases = bases_.get();
    view.sites = numbers_of_entries_.get();
    view.word_begins = word_begins_.get();
    view.begins = begins_.get();
    make_device_planes<<<blocks_for(std::uint64_t{words} * 32), kThreads, 0, stream>>>(view, words, planes_.get());
    BASESWEEP_CUDA(cudaGetLastError());
    view.planes = planes_.get();
    entries_ = words * 32;
    return view;
  }

  // Lists the guides among the sites of the slice, in tiles. Returns how many tiles there are.
  std::uint32_t find_tiles(JoinView& view) {
    const cudaStream_t stream = stream_.get();
    const IsGuideOfSlice is_guide{view.bases, view.sites, first_, slice_};
    const thrust::counting_iterator<std::uint32_t> all(0);
    std::size_t bytes = 0;
    BASESWEEP_CUDA(cub::DeviceSelect::If(nullptr, bytes, all, guides_.get(), count_.get(), entries_, is_guide, stream));
    scratch_.reserve(bytes);
    BASESWEEP_CUDA(
        cub::DeviceSelect::If(scratch_.get(), bytes, all, guides_.get(), count_.get(), entries_, is_guide, stream));
    const std::uint32_t guides = fetch(count_.get());
    const unsigned key_blocks = blocks_for(std::uint64_t{keys_} + 1);
    find_guide_begins<<<key_blocks, kThreads, 0, stream>>>(guides_.get(), guides, view.word_begins, keys_,
                                                           guide_begins_.get());
    count_tiles<<<key_blocks, kThreads, 0, stream>>>(guide_begins_.get(), keys_, numbers_.get());
    sum_up(numbers_.get(), tile_begins_.get());
    const std::uint32_t tiles = fetch(tile_begins_.get() + keys_);
    tiles_.reserve(std::max<std::uint32_t>(1, tiles));
    make_tiles<<<key_blocks, kThreads, 0, stream>>>(guide_begins_.get(), tile_begins_.get(), keys_, tiles_.get());
    BASESWEEP_CUDA(cudaGetLastError());
    view.guides = guides_.get();
    view.tiles = tiles_.get();
    return tiles;
  }

  // sums[k]: of the numbers before k.
  void sum_up(const std::uint32_t* numbers, std::uint32_t* sums) {
    std::size_t bytes = 0;
    const auto count = static_cast<std::int64_t>(keys_) + 1;
    BASESWEEP_CUDA(cub::DeviceScan::ExclusiveSum(nullptr, bytes, numbers, sums, count, stream_.get()));
    scratch_.reserve(bytes);
    BASESWEEP_CUDA(cub::DeviceScan::ExclusiveSum(scratch_.get(), bytes, numbers, sums, count, stream_.get()));
  }

  std::uint32_t fetch(const std::uint32_t* from) {
    std::uint32_t number = 0;
    BASESWEEP_CUDA(cudaMemcpyAsync(&number, from, sizeof(number), cudaMemcpyDeviceToHost, stream_.get()));
    stream_.synchronize();
    return number;
  }

  const TextSites& sites_;
  const JoinLimits& limits_;
  const JoinSettings& settings_;
  const Split split_;
  const std::uint32_t keys_;
  const cuda::Stream stream_;
  cuda::DeviceBuffer<SiteBases> site_bases_;
  cuda::DeviceBuffer<OtherLetters> other_;
  cuda::DeviceBuffer<PairWeights> weights_;
  cuda::DeviceBuffer<std::uint64_t> sort_keys_;  // twice as many as there are sites
  cuda::DeviceBuffer<std::uint32_t> begins_;     // of each key, and one more
  cuda::DeviceBuffer<std::uint32_t> word_begins_;
  cuda::DeviceBuffer<std::uint32_t> guide_begins_;
  cuda::DeviceBuffer<std::uint32_t> tile_begins_;
  cuda::DeviceBuffer<std::uint32_t> numbers_;
  cuda::DeviceBuffer<std::uint32_t> count_;
  cuda::DeviceBuffer<SiteBases> bases_;  // of each entry
  cuda::DeviceBuffer<std::uint32_t> numbers_of_entries_;
  cuda::DeviceBuffer<std::uint32_t> planes_;
  cuda::DeviceBuffer<std::uint32_t> guides_;
  cuda::DeviceBuffer<Tile> tiles_;
  cuda::DeviceBuffer<std::byte> scratch_;
  cuda::DeviceBuffer<SiteTotals> totals_;
  cuda::PinnedBuffer<SiteTotals> host_[2];
  std::uint32_t entries_ = 0;
  std::uint32_t first_ = 0;  // site of the slice
  std::uint32_t slice_ = 0;  // sites in it
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
    on_each_gpu([&](std::size_t i) { joins[i] = std::make_unique<DeviceJoin>(sites, limits, settings_); });
    while (range.begin < range.end) {
      for (std::size_t i = 0; i < joins.size(); ++i) {
        const auto left = static_cast<std::uint32_t>(joins.size() - i);
        const std::uint32_t share = (range.end - range.begin + left - 1) / left;
        on_gpu(i, [&] { range.begin += joins[i]->set_slice(range.begin, share); });
      }
      on_each_gpu([&](std::size_t i) { joins[i]->add_up(); });
      for (std::size_t i = 0; i < joins.size(); ++i) {
        on_gpu(i, [&] { joins[i]->hand_out(use); });
      }
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
