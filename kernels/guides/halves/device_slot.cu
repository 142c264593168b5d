#include "kernels/guides/halves/device_slot.cuh"

#include <algorithm>
#include <bit>
#include <cub/device/device_scan.cuh>
#include <limits>

#include "kernels/cuda/sort.hpp"
#include "kernels/guides/halves/device_places.cuh"
#include "kernels/guides/halves/device_search.cuh"
#include "kernels/guides/halves/device_text.cuh"
#include "lib/guides/placed_guide.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::halves {
namespace {

__global__ void make_site_keys(const SiteBases* bases, std::uint32_t count, std::uint32_t first, std::uint32_t q,
                               std::uint64_t* keys) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) keys[i] = std::uint64_t{key_of(bases[i].lo, bases[i].hi, first, q)} << 32 | i;
}

__global__ void gather_bases(const std::uint64_t* keys, std::uint32_t count, const SiteBases* bases,
                             SiteBases* sorted) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sorted[i] = bases[static_cast<std::uint32_t>(keys[i])];
}

std::uint32_t blocks_for(std::uint64_t items, int threads = kThreads) {
  return static_cast<std::uint32_t>((items + static_cast<unsigned>(threads) - 1) / static_cast<unsigned>(threads));
}

std::vector<DevicePam> device_pams(const GuideSet& guides, Strand strand) {
  std::vector<DevicePam> pams;
  for (const ForwardPam& pam : forward_pams(guides, strand)) {
    DevicePam& own = pams.emplace_back();
    std::copy(pam.sets.begin(), pam.sets.end(), own.sets);
    own.length = static_cast<std::uint32_t>(pam.sets.size());
  }
  return pams;
}

}  // namespace

Resident::Resident(const GuideSet& guides, GuideWay given_way)
    : set(guides),
      way(given_way),
      bulges(guides.limits().max_bulge() != 0),
      classes((guides.limits().mismatches + 1) * (guides.limits().max_bulge() + 1)) {
  const Tasks tasks(guides, way);
  search = {tables.put(tasks.guides), tables.put(tasks.forms), tables.put(tasks.deltas), tables.put(tasks.shapes)};
  pams = {{tables.put(device_pams(guides, Strand::plus)), tables.put(device_pams(guides, Strand::minus))},
          static_cast<std::uint32_t>(guides.pams().size()),
          guides.side(),
          fewest_bases(guides)};
  std::vector<std::uint8_t> scored;
  for (const Guide& guide : guides.guides()) scored.push_back(is_scored(guides, guide) ? 1 : 0);
  std::vector<std::uint32_t> pam_lengths;
  for (const std::string& pam : guides.pams()) pam_lengths.push_back(static_cast<std::uint32_t>(pam.size()));
  judge.guides = tables.put(tasks.bits);
  judge.scored = tables.put(scored);
  judge.pam_lengths = tables.put(pam_lengths);
  judge.weights = tables.put(std::span(&score_weights(), 1));
  judge.limits = guides.limits();
  judge.side = guides.side();
  const auto size = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  for (const TaskGroup& group : tasks.groups) {
    groups.push_back({group.q,
                      {tables.put(group.tasks[0]), tables.put(group.tasks[1])},
                      {size(group.tasks[0]), size(group.tasks[1])},
                      tables.put(group.guides),
                      size(group.guides),
                      tables.put(group.compared),
                      size(group.compared),
                      group.lookups});
  }
}

void Slot::find(const PackedBatch& batch, std::vector<GuidePlace>& places) {
  upload(batch);
  bool in_order = true;
  search(0, batch.positions() + 1, [&] {
    places_.reserve(key_count_);
    make_places<<<blocks_for(key_count_), kThreads, 0, stream_.get()>>>(judge_view(), sorted_keys_, key_count_,
                                                                        places_.get());
    BASESWEEP_CUDA(cudaGetLastError());
    const std::size_t before = places.size();
    places.resize(before + key_count_);
    cuda::queue_copy(places.data() + before, places_.get(), key_count_, cudaMemcpyDeviceToHost, stream_.get());
    stream_.synchronize();
    const auto is_none = [](const GuidePlace& place) { return place.guide == kNoGuide; };
    places.erase(std::remove_if(places.begin() + static_cast<std::ptrdiff_t>(before), places.end(), is_none),
                 places.end());
    in_order = in_order && before == 0;
  });
  // Borders that were searched in several parts are in order for each part.
  const auto by_guide = [](const GuidePlace& a, const GuidePlace& b) { return a.guide < b.guide; };
  if (!in_order) std::stable_sort(places.begin(), places.end(), by_guide);
}

GuideSums Slot::add_up(const PackedBatch& batch, bool skip_soft_masked) {
  upload(batch);
  const Counted counted = counted_places(batch, skip_soft_masked);
  const auto guides = static_cast<std::uint32_t>(resident_.set.guides().size());
  const DeviceSums sums = clear_sums();
  guide_begins_.reserve(std::size_t{guides} + 1);
  search(0, batch.positions() + 1, [&] {
    const JudgeView view = judge_view();
    find_begins<<<blocks_for(std::uint64_t{guides} + 1), kThreads, 0, stream_.get()>>>(
        sorted_keys_, key_count_, view.site_bits, guides, guide_begins_.get());
    add_up_places<<<guides, kSumThreads, sums.classes * sizeof(std::uint32_t), stream_.get()>>>(
        view, counted, sorted_keys_, guide_begins_.get(), sums);
    BASESWEEP_CUDA(cudaGetLastError());
  });
  return fetch_sums();
}

void Slot::upload(const PackedBatch& batch) {
  planes_.upload(batch.view(), batch.plane_words(), stream_.get());
  const auto words = static_cast<std::uint32_t>(batch.plane_words());
  inside_.reserve(words);
  other_.reserve(words);
  std::vector<Interval> intervals;
  for (const Segment& segment : batch.segments()) intervals.push_back({segment.position, segment.end});
  mark(intervals, inside_.get(), words);
  intervals.clear();
  for (const LetterRun& run : batch.letters()) intervals.push_back({run.begin, run.end});
  mark(intervals, other_.get(), words);
  text_ = {planes_.lo(), planes_.hi(), inside_.get(), other_.get(), batch.positions()};
}

void Slot::mark(const std::vector<Interval>& intervals, std::uint64_t* plane, std::uint32_t words) {
  stream_.synchronize();  // the buffer may still be read
  intervals_.reserve(intervals.size());
  cuda::queue_copy(intervals_.get(), intervals.data(), intervals.size(), cudaMemcpyHostToDevice, stream_.get());
  mark_intervals<<<blocks_for(words), kThreads, 0, stream_.get()>>>(
      intervals_.get(), static_cast<std::uint32_t>(intervals.size()), plane, words);
  BASESWEEP_CUDA(cudaGetLastError());
}

Counted Slot::counted_places(const PackedBatch& batch, bool skip_soft_masked) {
  const PackedView view = batch.view();
  Counted counted{view.own_begin, view.own_end, batch.requested().has_value(), nullptr, 0, nullptr, 0};
  const auto put = [this](const std::vector<Interval>& intervals, cuda::DeviceBuffer<Interval>& buffer) {
    buffer.reserve(intervals.size());
    cuda::queue_copy(buffer.get(), intervals.data(), intervals.size(), cudaMemcpyHostToDevice, stream_.get());
    return buffer.get();
  };
  if (counted.restricted) {
    counted.requested = put(*batch.requested(), requested_);
    counted.requested_count = static_cast<std::uint32_t>(batch.requested()->size());
  }
  if (skip_soft_masked) {
    counted.left_out = put(batch.soft_masked(), left_out_);
    counted.left_out_count = static_cast<std::uint32_t>(batch.soft_masked().size());
  }
  return counted;
}

// Finds the candidates at borders [begin, end), sorted, and calls finish(), which must not throw OutOfMemory after it
// has added something up. If memory does not suffice for all of them at once, searches each half in turn.
template <class Finish>
void Slot::search(std::uint32_t begin, std::uint32_t end, const Finish& finish) {
  constexpr std::uint32_t kMinBorders = 1U << 12;
  try {
    find_candidates(begin, end);
    if (key_count_ != 0) finish();
  } catch (const cuda::OutOfMemory&) {
    if (end - begin <= kMinBorders) throw;
    stream_.synchronize();
    const std::uint32_t middle = begin + (end - begin) / 2;
    search(begin, middle, finish);
    search(middle, end, finish);
  }
}

void Slot::find_candidates(std::uint32_t begin, std::uint32_t end) {
  key_count_ = 0;
  list_sites(begin, end);
  if (site_count_ == 0) return;
  constexpr std::uint64_t kFirstCapacity = 1U << 16;
  if (capacity_ == 0) {
    keys_.reserve(2 * kFirstCapacity);
    capacity_ = kFirstCapacity;
  }
  while (true) {
    BASESWEEP_CUDA(cudaMemsetAsync(size_.get(), 0, sizeof *size_.get(), stream_.get()));
    for (const ResidentGroup& group : resident_.groups) search_group(group);
    cuda::queue_copy(size_host_.get(), size_.get(), 1, cudaMemcpyDeviceToHost, stream_.get());
    stream_.synchronize();
    key_count_ = size_host_[0];
    if (key_count_ <= capacity_) break;
    // Ends of lists are 32-bit numbers.
    if (key_count_ > std::numeric_limits<std::uint32_t>::max()) throw cuda::OutOfMemory("too many places at once");
    const std::uint64_t capacity = key_count_ + key_count_ / 4;
    keys_.reserve(2 * capacity);
    capacity_ = capacity;
  }
  if (key_count_ == 0) return;
  const int bits = static_cast<int>(found().site_bits) + std::bit_width(resident_.set.guides().size() - 1);
  sorted_keys_ =
      cuda::sort_keys(keys_.get(), keys_.get() + capacity_, key_count_, 0, std::max(bits, 1), scratch_, stream_.get());
}

void Slot::list_sites(std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t words = (end + 63) / 64 - begin / 64;
  word_counts_.reserve(2 * (std::size_t{words} + 1));
  std::uint32_t* const places = word_counts_.get() + words + 1;
  BASESWEEP_CUDA(cudaMemsetAsync(word_counts_.get() + words, 0, sizeof(std::uint32_t), stream_.get()));
  count_sites<<<blocks_for(words), kThreads, 0, stream_.get()>>>(text_, resident_.pams, begin, end, words,
                                                                 word_counts_.get());
  BASESWEEP_CUDA(cudaGetLastError());
  std::size_t bytes = 0;
  BASESWEEP_CUDA(cub::DeviceScan::ExclusiveSum(nullptr, bytes, word_counts_.get(), places, words + 1, stream_.get()));
  scratch_.reserve(bytes);
  BASESWEEP_CUDA(
      cub::DeviceScan::ExclusiveSum(scratch_.get(), bytes, word_counts_.get(), places, words + 1, stream_.get()));
  BASESWEEP_CUDA(
      cudaMemcpyAsync(&site_count_, places + words, sizeof site_count_, cudaMemcpyDeviceToHost, stream_.get()));
  stream_.synchronize();
  if (site_count_ == 0) return;
  sites_.reserve(site_count_);
  bases_.reserve(site_count_);
  store_sites<<<blocks_for(words), kThreads, 0, stream_.get()>>>(text_, resident_.pams, begin, end, words, places,
                                                                 sites_.get(), bases_.get());
  BASESWEEP_CUDA(cudaGetLastError());
}

void Slot::search_group(const ResidentGroup& group) {
  const bool by_words = looks_up(group);
  const std::uint32_t* const compared = by_words ? group.compared : group.guides;
  const std::uint32_t count = by_words ? group.compared_count : group.guide_count;
  if (count != 0)
    resident_.bulges ? launch_comparison<AnyShape>(compared, count) : launch_comparison<Straight>(compared, count);
  if (!by_words) return;
  for (int word = 0; word < 2; ++word) {
    const std::uint32_t tasks = group.task_count[word];
    if (tasks == 0) continue;
    const SortedSites sorted = sort_sites(word == 0 ? 0 : group.q, group.q);
    resident_.bulges ? launch_tasks<AnyShape>(sorted, group.tasks[word], tasks)
                     : launch_tasks<Straight>(sorted, group.tasks[word], tasks);
  }
}

// Whether words are looked up, by what costs less. Seconds on an H200, see README.md.
bool Slot::looks_up(const ResidentGroup& group) const {
  constexpr double kSiteSort = 1.5e-9;
  constexpr double kLookUp = 1e-11;
  constexpr double kEntry = 3e-12;
  constexpr double kCompare = 4e-13;
  if (group.lookups == 0) return false;
  if (resident_.way != GuideWay::automatic) return resident_.way == GuideWay::words;
  const double sites = site_count_;
  const double list = sites / static_cast<double>(std::uint64_t{1} << 2 * group.q);
  const double alignments = resident_.bulges ? 8 : 1;  // a bulge takes as long as some comparisons
  const double compared = group.guide_count - group.compared_count;
  return sites * kSiteSort + group.lookups * (kLookUp + list * kEntry) < compared * sites * alignments * kCompare;
}

SortedSites Slot::sort_sites(std::uint32_t first, std::uint32_t q) {
  const std::uint32_t keys = 1U << 2 * q;
  site_keys_.reserve(2 * std::size_t{site_count_});
  sorted_bases_.reserve(site_count_);
  begins_.reserve(std::size_t{keys} + 1);
  make_site_keys<<<blocks_for(site_count_), kThreads, 0, stream_.get()>>>(bases_.get(), site_count_, first, q,
                                                                          site_keys_.get());
  BASESWEEP_CUDA(cudaGetLastError());
  const std::uint64_t* const sorted = cuda::sort_keys(site_keys_.get(), site_keys_.get() + site_count_, site_count_, 32,
                                                      static_cast<int>(32 + 2 * q), scratch_, stream_.get());
  gather_bases<<<blocks_for(site_count_), kThreads, 0, stream_.get()>>>(sorted, site_count_, bases_.get(),
                                                                        sorted_bases_.get());
  find_begins<<<blocks_for(std::uint64_t{keys} + 1), kThreads, 0, stream_.get()>>>(sorted, site_count_, 32, keys,
                                                                                   begins_.get());
  BASESWEEP_CUDA(cudaGetLastError());
  return {begins_.get(), sorted_bases_.get(), sorted};
}

template <class Compare>
void Slot::launch_tasks(const SortedSites& words, const Task* tasks, std::uint32_t count) {
  look_up<Compare><<<blocks_for(count, kLookUpThreads / 32), kLookUpThreads, 0, stream_.get()>>>(
      resident_.search, words, found(), tasks, count);
  BASESWEEP_CUDA(cudaGetLastError());
}

template <class Compare>
void Slot::launch_comparison(const std::uint32_t* list, std::uint32_t count) {
  const dim3 blocks(blocks_for(site_count_), blocks_for(count, kTileGuides));
  compare_all<Compare>
      <<<blocks, kThreads, 0, stream_.get()>>>(resident_.search, bases_.get(), site_count_, found(), list, count);
  BASESWEEP_CUDA(cudaGetLastError());
}

JudgeView Slot::judge_view() const {
  JudgeView view = resident_.judge;
  view.text = text_;
  view.sites = sites_.get();
  view.site_bits = found().site_bits;
  return view;
}

Found Slot::found() const {
  return {keys_.get(), capacity_, size_.get(), static_cast<std::uint32_t>(std::bit_width(site_count_ - 1))};
}

DeviceSums Slot::clear_sums() {
  const std::size_t guides = resident_.set.guides().size();
  const std::size_t counts = guides * resident_.classes;
  counts_.reserve(counts);
  exact_cfd_.reserve(guides);
  sums_.reserve(4 * guides);
  unsigned long long* const nearest = sums_.get() + 2 * guides;
  BASESWEEP_CUDA(cudaMemsetAsync(counts_.get(), 0, counts * sizeof(std::uint32_t), stream_.get()));
  BASESWEEP_CUDA(cudaMemsetAsync(exact_cfd_.get(), 0, guides * sizeof(std::uint32_t), stream_.get()));
  BASESWEEP_CUDA(cudaMemsetAsync(sums_.get(), 0, 2 * guides * sizeof *nearest, stream_.get()));
  BASESWEEP_CUDA(cudaMemsetAsync(nearest, 0xff, 2 * guides * sizeof *nearest, stream_.get()));  // NearKey::kNone
  return {counts_.get(), resident_.classes, sums_.get(), sums_.get() + guides, exact_cfd_.get(), nearest};
}

GuideSums Slot::fetch_sums() {
  const std::size_t guides = resident_.set.guides().size();
  const std::size_t counts = guides * resident_.classes;
  counts_host_.reserve(counts);
  exact_cfd_host_.reserve(guides);
  sums_host_.reserve(4 * guides);
  cuda::queue_copy(counts_host_.get(), counts_.get(), counts, cudaMemcpyDeviceToHost, stream_.get());
  cuda::queue_copy(exact_cfd_host_.get(), exact_cfd_.get(), guides, cudaMemcpyDeviceToHost, stream_.get());
  cuda::queue_copy(sums_host_.get(), sums_.get(), 4 * guides, cudaMemcpyDeviceToHost, stream_.get());
  stream_.synchronize();
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t) && sizeof(NearKey) == sizeof(std::uint64_t));
  const auto* const sums = reinterpret_cast<const std::uint64_t*>(sums_host_.get());
  return {{counts_host_.get(), counts},
          resident_.classes,
          {sums, guides},
          {sums + guides, guides},
          {exact_cfd_host_.get(), guides},
          {reinterpret_cast<const NearKey*>(sums + 2 * guides), 2 * guides}};
}

}  // namespace basesweep::halves
