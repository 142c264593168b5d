// Searches one batch at a time on a GPU, with a stream and buffers of its own.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/device.hpp"
#include "kernels/cuda/device_planes.hpp"
#include "kernels/guides/halves/device_views.cuh"
#include "lib/guides/guide_finder.hpp"
#include "lib/search/packed_view.hpp"

namespace basesweep::halves {

// A TaskGroup on the device.
struct ResidentGroup {
  std::uint32_t q;
  const Task* tasks[2];
  std::uint32_t task_count[2];
  const std::uint32_t* guides;
  std::uint32_t guide_count;
  const std::uint32_t* compared;
  std::uint32_t compared_count;
  double lookups;
};

// The tables that all slots of a GPU share.
struct Resident {
  Resident(const GuideSet& guides, GuideWay way);

  const GuideSet& set;
  const GuideWay way;
  const bool bulges;
  const std::uint32_t classes;  // of places: by bulge size and mismatches
  cuda::DeviceTables tables;
  SearchView search{};
  DevicePams pams{};
  JudgeView judge{};  // without the text and its sites
  std::vector<ResidentGroup> groups;
};

class Slot {
 public:
  explicit Slot(const Resident& resident) : resident_(resident), size_(1), size_host_(1) {}

  // Appends all places of the batch, by guide, border and strand.
  void find(const PackedBatch& batch, std::vector<GuidePlace>& places);
  // See GuideFinder::add_up(). The sums stay until the next call.
  GuideSums add_up(const PackedBatch& batch, bool skip_soft_masked);

 private:
  void upload(const PackedBatch& batch);
  void mark(const std::vector<Interval>& intervals, std::uint64_t* plane, std::uint32_t words);
  Counted counted_places(const PackedBatch& batch, bool skip_soft_masked);
  template <class Finish>
  void search(std::uint32_t begin, std::uint32_t end, const Finish& finish);
  void find_candidates(std::uint32_t begin, std::uint32_t end);
  void list_sites(std::uint32_t begin, std::uint32_t end);
  void search_group(const ResidentGroup& group);
  bool looks_up(const ResidentGroup& group) const;
  SortedSites sort_sites(std::uint32_t first, std::uint32_t q);
  template <class Compare>
  void launch_tasks(const SortedSites& words, const Task* tasks, std::uint32_t count);
  template <class Compare>
  void launch_comparison(const std::uint32_t* list, std::uint32_t count);
  JudgeView judge_view() const;
  Found found() const;
  DeviceSums clear_sums();
  GuideSums fetch_sums();

  const Resident& resident_;
  const cuda::Stream stream_;
  DeviceText text_{};
  cuda::DevicePlanes planes_;
  cuda::DeviceBuffer<std::uint64_t> inside_;
  cuda::DeviceBuffer<std::uint64_t> other_;
  cuda::DeviceBuffer<Interval> intervals_;
  cuda::DeviceBuffer<Interval> requested_;
  cuda::DeviceBuffer<Interval> left_out_;
  cuda::DeviceBuffer<std::uint32_t> word_counts_;  // of sites, then where they go
  cuda::DeviceBuffer<Site> sites_;
  cuda::DeviceBuffer<SiteBases> bases_;
  std::uint32_t site_count_ = 0;
  cuda::DeviceBuffer<std::uint64_t> site_keys_;  // twice as many as there are sites, for sorting
  cuda::DeviceBuffer<SiteBases> sorted_bases_;
  cuda::DeviceBuffer<std::uint32_t> begins_;  // of words
  cuda::DeviceBuffer<std::uint64_t> keys_;    // of candidates; room for capacity_, and as much again for sorting
  std::uint64_t capacity_ = 0;
  const std::uint64_t* sorted_keys_ = nullptr;
  std::uint64_t key_count_ = 0;
  cuda::DeviceBuffer<std::byte> scratch_;
  cuda::DeviceBuffer<unsigned long long> size_;
  cuda::PinnedBuffer<unsigned long long> size_host_;
  cuda::DeviceBuffer<GuidePlace> places_;
  cuda::DeviceBuffer<std::uint32_t> guide_begins_;
  // The sums of each guide, on the device and on the host.
  cuda::DeviceBuffer<std::uint32_t> counts_;
  cuda::DeviceBuffer<std::uint32_t> exact_cfd_;
  cuda::DeviceBuffer<unsigned long long> sums_;  // MIT, CFD, and the nearest two
  cuda::PinnedBuffer<std::uint32_t> counts_host_;
  cuda::PinnedBuffer<std::uint32_t> exact_cfd_host_;
  cuda::PinnedBuffer<unsigned long long> sums_host_;
};

}  // namespace basesweep::halves
