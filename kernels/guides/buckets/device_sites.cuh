// The sites of a text on the device: its guides and its sites by a word of their bases.
#pragma once

#include <cuda_runtime.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <vector>

#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/sort.hpp"
#include "kernels/guides/buckets/device_index.cuh"
#include "kernels/guides/buckets/split.hpp"
#include "lib/guides/text_sites.hpp"

namespace basesweep::buckets {

// Memory for the index of the sites with some of the keys, and for the guides among a slice of the sites. If all sites
// take too much memory, their keys are divided into ranges, each with an index of its own.
class DeviceSites {
 public:
  DeviceSites(const TextSites& sites, const Split& split, const cuda::Stream& stream)
      : stream_(stream.get()),
        split_(split),
        count_(sites.size()),
        length_(sites.length()),
        keys_(1U << (2 * split.q)),
        bases_of_site_(cuda::to_device(sites.bases())),
        begins_(std::size_t{keys_} + 1),
        word_begins_(std::size_t{keys_} + 1),
        guide_begins_(std::size_t{keys_} + 1),
        tile_begins_(std::size_t{keys_} + 1),
        numbers_(std::size_t{keys_} + 1),
        found_(1) {}

  // Divides the keys so that an index takes no more than `bytes` and has no more than `most_words` words of 32 sites. A
  // bucket is not divided, so it may take more. Makes room for the index.
  void divide(std::uint64_t bytes, std::uint64_t most_words) {
    const std::uint64_t most = std::min(bytes / kWordBytes, most_words);
    std::uint64_t words = 1;
    std::uint64_t sites = 1;
    for (std::uint32_t word = 0; word < 2; ++word) {
      if (split_.budgets[word] < 0) continue;
      ranges_[word] = this->most_words() <= most ? std::vector<KeyRange>{{0, keys_, this->most_words(), count_}}
                                                 : divide_keys(word, most);
      for (const KeyRange& range : ranges_[word]) {
        words = std::max(words, range.words);
        sites = std::max(sites, range.sites);
      }
    }
    bases_.reserve(words * 32);
    numbers_of_entries_.reserve(words * 32);
    // The planes are where the sorted keys are not.
    half_ = std::max(sites, (words * words_of_planes() + 1) / 2);
    keyed_.reserve(2 * half_);
    // Later, what is free belongs to the totals.
    std::size_t selecting = 0;
    BASESWEEP_CUDA(cub::DeviceSelect::If(nullptr, selecting, all_from(0, keyed_site(0)), keyed_.get(), found_.get(),
                                         count_, HasKeyIn{0, keys_}, stream_));
    const std::size_t sorting = cuda::sort_scratch_bytes(half_, kKeyBit, kKeyBit + 2 * static_cast<int>(split_.q));
    scratch_.reserve(std::max(selecting, sorting));
  }

  // The ranges of keys. Each has an index.
  std::size_t ranges(std::uint32_t word) const { return ranges_[word].size(); }

  // Makes room for the guides among as many sites as there are guides that can be sorted, at most `most`. Returns how
  // many sites that is.
  std::uint32_t reserve_guides(std::uint32_t most) {
    const auto sites = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, half_));
    guides_.reserve(sites);
    tiles_.reserve(std::size_t{keys_} + sites / kTileGuides);
    return sites;
  }

  // Lists the guides among the sites [first, first + count) by their words, in tiles. Returns how many tiles there are.
  std::uint32_t list_guides(std::uint32_t word, std::uint32_t first, std::uint32_t count, JoinView& view) {
    const KeyedSite keyed = keyed_site(word);
    const Sorted sorted = sort(keyed, first, count, IsGuide{bases_of_site_.get()});
    take_sites<<<blocks_for(sorted.count), kThreads, 0, stream_>>>(sorted.keyed, sorted.count, guides_.get());
    find_bucket_begins<<<key_blocks(), kThreads, 0, stream_>>>(sorted.keyed, sorted.count, keys_, guide_begins_.get());
    count_tiles<<<key_blocks(), kThreads, 0, stream_>>>(guide_begins_.get(), keys_, numbers_.get());
    sum_up(numbers_.get(), tile_begins_.get());
    make_tiles<<<key_blocks(), kThreads, 0, stream_>>>(guide_begins_.get(), tile_begins_.get(), keys_, tiles_.get());
    BASESWEEP_CUDA(cudaGetLastError());
    view.q = split_.q;
    view.first = keyed.first;
    view.length = length_;
    view.columns = length_ - split_.q;
    view.site_bases = bases_of_site_.get();
    view.guides = guides_.get();
    view.tiles = tiles_.get();
    return fetch(tile_begins_.get() + keys_);
  }

  // Makes the index of a range of keys.
  void make_index(std::uint32_t word, std::size_t range, JoinView& view) {
    const KeyRange& own = ranges_[word][range];
    const Sorted sorted = sort(keyed_site(word), 0, count_, HasKeyIn{own.begin, own.end});
    find_bucket_begins<<<key_blocks(), kThreads, 0, stream_>>>(sorted.keyed, sorted.count, keys_, begins_.get());
    count_words<<<key_blocks(), kThreads, 0, stream_>>>(begins_.get(), keys_, numbers_.get());
    sum_up(numbers_.get(), word_begins_.get());
    const std::uint64_t words = fetch(word_begins_.get() + keys_);
    BASESWEEP_CUDA(cudaMemsetAsync(numbers_of_entries_.get(), 0xff, words * 32 * sizeof(std::uint32_t), stream_));
    BASESWEEP_CUDA(cudaMemsetAsync(bases_.get(), 0, words * 32 * sizeof(SiteBases), stream_));
    place_entries<<<blocks_for(sorted.count), kThreads, 0, stream_>>>(sorted.keyed, sorted.count, bases_of_site_.get(),
                                                                      begins_.get(), word_begins_.get(), bases_.get(),
                                                                      numbers_of_entries_.get());
    view.bases = bases_.get();
    view.sites = numbers_of_entries_.get();
    view.word_begins = word_begins_.get();
    view.begins = begins_.get();
    auto* const planes = reinterpret_cast<std::uint32_t*>(sorted.other);
    make_device_planes<<<blocks_for(words * 32), kThreads, 0, stream_>>>(view, static_cast<std::uint32_t>(words),
                                                                         planes);
    BASESWEEP_CUDA(cudaGetLastError());
    view.planes = planes;
  }

 private:
  static constexpr int kKeyBit = 32;  // as in KeyedSite
  // Of an index, for a word of 32 sites: their bases and numbers, and keyed sites, sorted and not.
  static constexpr std::uint64_t kWordBytes = 32 * (sizeof(SiteBases) + 4 + 2 * sizeof(std::uint64_t));

  struct KeyRange {
    std::uint32_t begin;
    std::uint32_t end;
    std::uint64_t words;  // at most
    std::uint64_t sites;
  };
  struct Sorted {
    const std::uint64_t* keyed;
    std::uint32_t count;
    std::uint64_t* other;  // as much memory, which is free
  };

  unsigned key_blocks() const { return blocks_for(std::uint64_t{keys_} + 1); }
  std::uint64_t words_of_planes() const { return 2 * (std::uint64_t{length_} - split_.q) + 1; }
  // Of all sites, at most: the last word of a bucket may not be full.
  std::uint64_t most_words() const { return count_ / 32 + std::uint64_t{keys_}; }
  KeyedSite keyed_site(std::uint32_t word) const { return {bases_of_site_.get(), word * split_.q, split_.q}; }

  std::vector<KeyRange> divide_keys(std::uint32_t word, std::uint64_t most) {
    BASESWEEP_CUDA(cudaMemsetAsync(numbers_.get(), 0, std::size_t{keys_} * sizeof(std::uint32_t), stream_));
    count_keys<<<blocks_for(count_), kThreads, 0, stream_>>>(keyed_site(word), count_, numbers_.get());
    BASESWEEP_CUDA(cudaGetLastError());
    std::vector<std::uint32_t> sites_of_key(keys_);
    cuda::queue_copy(sites_of_key.data(), numbers_.get(), keys_, cudaMemcpyDeviceToHost, stream_);
    BASESWEEP_CUDA(cudaStreamSynchronize(stream_));
    std::vector<KeyRange> ranges{{0, 0, 0, 0}};
    for (std::uint32_t key = 0; key < keys_; ++key) {
      const std::uint64_t words = (std::uint64_t{sites_of_key[key]} + 31) / 32;
      if (ranges.back().words != 0 && ranges.back().words + words > most) ranges.push_back({key, key, 0, 0});
      ranges.back().end = key + 1;
      ranges.back().words += words;
      ranges.back().sites += sites_of_key[key];
    }
    return ranges;
  }

  // The keyed sites from number `first` on.
  using KeyedSites = thrust::transform_iterator<KeyedSite, thrust::counting_iterator<std::uint32_t>>;
  static KeyedSites all_from(std::uint32_t first, const KeyedSite& keyed) {
    return {thrust::counting_iterator<std::uint32_t>(first), keyed};
  }

  // Sorts those of the sites [first, first + count) that are wanted.
  template <class IsWanted>
  Sorted sort(const KeyedSite& keyed, std::uint32_t first, std::uint32_t count, const IsWanted& is_wanted) {
    const auto all = all_from(first, keyed);
    std::uint64_t* const chosen = keyed_.get();
    std::size_t bytes = 0;
    BASESWEEP_CUDA(cub::DeviceSelect::If(nullptr, bytes, all, chosen, found_.get(), count, is_wanted, stream_));
    scratch_.reserve(bytes);
    BASESWEEP_CUDA(cub::DeviceSelect::If(scratch_.get(), bytes, all, chosen, found_.get(), count, is_wanted, stream_));
    const std::uint32_t found = fetch(found_.get());
    if (found == 0) return {chosen, 0, chosen + half_};
    const std::uint64_t* const sorted = cuda::sort_keys(chosen, chosen + half_, found, kKeyBit,
                                                        kKeyBit + 2 * static_cast<int>(split_.q), scratch_, stream_);
    return {sorted, found, sorted == chosen ? chosen + half_ : chosen};
  }

  // sums[k]: of the numbers before k.
  void sum_up(const std::uint32_t* numbers, std::uint32_t* sums) {
    std::size_t bytes = 0;
    const auto count = static_cast<std::int64_t>(keys_) + 1;
    BASESWEEP_CUDA(cub::DeviceScan::ExclusiveSum(nullptr, bytes, numbers, sums, count, stream_));
    scratch_.reserve(bytes);
    BASESWEEP_CUDA(cub::DeviceScan::ExclusiveSum(scratch_.get(), bytes, numbers, sums, count, stream_));
  }

  std::uint32_t fetch(const std::uint32_t* from) {
    std::uint32_t number = 0;
    cuda::queue_copy(&number, from, 1, cudaMemcpyDeviceToHost, stream_);
    BASESWEEP_CUDA(cudaStreamSynchronize(stream_));
    return number;
  }

  const cudaStream_t stream_;
  const Split split_;
  const std::uint32_t count_;
  const std::uint32_t length_;  // of a guide
  const std::uint32_t keys_;
  std::vector<KeyRange> ranges_[2];  // of each word
  std::uint64_t half_ = 0;           // of keyed_
  const cuda::DeviceBuffer<SiteBases> bases_of_site_;
  cuda::DeviceBuffer<std::uint64_t> keyed_;
  cuda::DeviceBuffer<std::uint32_t> begins_;  // of each key, and one more
  cuda::DeviceBuffer<std::uint32_t> word_begins_;
  cuda::DeviceBuffer<std::uint32_t> guide_begins_;
  cuda::DeviceBuffer<std::uint32_t> tile_begins_;
  cuda::DeviceBuffer<std::uint32_t> numbers_;
  cuda::DeviceBuffer<std::uint32_t> found_;
  cuda::DeviceBuffer<SiteBases> bases_;  // of each entry
  cuda::DeviceBuffer<std::uint32_t> numbers_of_entries_;
  cuda::DeviceBuffer<std::uint32_t> guides_;
  cuda::DeviceBuffer<Tile> tiles_;
  cuda::DeviceBuffer<std::byte> scratch_;
};

}  // namespace basesweep::buckets
