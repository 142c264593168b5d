#include "kernels/cuda/cuda_finder.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <optional>

#include "kernels/choose_device.hpp"
#include "kernels/cuda/cuda.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/read_order.hpp"
#include "kernels/cuda/sort.hpp"
#include "kernels/cuda/windows.cuh"
#include "kernels/seeds/cuda.cuh"
#include "lib/error.hpp"

namespace basesweep::cuda {
namespace {

// The fastest on one H200 (2026-11-21, kernels alone, CUDA events, median of 11), 10^12 cells a second:
//
//     windows                                  myers    hmm  bitsliced
//     24,343 of reads of 150, k = 8, index      12.7    6.6        6.4
//      6,020 of 500, k = 25, index              10.2    9.4        9.2
//      3,004 of 1,000, k = 50, index             3.3   10.0        5.5
//      1,503 of 2,000, k = 100, index            1.7   10.1        3.1
//  4,194,304 of 24, k = 5, sweep                11.7    8.9       10.4
//    976,600 of 150, k = 30, sweep              28.8   10.4       42.9
//     24,420 of 1,000, k = 200, sweep           17.6   11.9       32.2
void verify_fastest(const WindowTask& task, DeviceBuffer<std::byte>& workspace, cudaStream_t stream) {
  const std::uint64_t bitsliced_warps = std::uint64_t{task.count} * std::min(task.words, 8U) / 256;
  if (task.words > 1 && bitsliced_warps >= (task.words <= 8 ? 1024 : 256)) {
    bitsliced::verify_windows(task, workspace, stream);
  } else if (task.words <= 8) {
    myers::verify_windows(task, workspace, stream);
  } else {
    hmm::verify_windows(task, workspace, stream);
  }
}

WindowKernel window_kernel(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::automatic: return verify_fastest;
    case Algorithm::hmm: return hmm::verify_windows;
    case Algorithm::myers: return myers::verify_windows;
    case Algorithm::bitsliced: return bitsliced::verify_windows;
    default: throw UsageError(std::string(to_string(algorithm)) + " is not for reads");
  }
}

std::string name_of(Algorithm algorithm) {
  return algorithm == Algorithm::automatic ? automatic_verifiers(basesweep::Device::gpu) : to_string(algorithm);
}

std::size_t plane_stride(std::size_t words) {
  return (words + kPlaneAlignWords - 1) / kPlaneAlignWords * kPlaneAlignWords;
}

}  // namespace

// What all slots share on the device.
struct CudaFinder::Resident {
  Resident(const PackedBatch& reference, Candidates candidates)
      : text(reference.view()), planes(2 * plane_stride(reference.plane_words())) {
    const std::size_t stride = plane_stride(reference.plane_words());
    const Stream stream;
    const auto copy = [&](std::uint64_t* to, const std::uint64_t* from) {
      BASESWEEP_CUDA(
          cudaMemcpyAsync(to, from, reference.plane_words() * sizeof *to, cudaMemcpyHostToDevice, stream.get()));
    };
    copy(planes.get(), text.lo);
    copy(planes.get() + stride, text.hi);
    text.lo = planes.get();
    text.hi = planes.get() + stride;
    text.blocked = nullptr;
    text.blocked_count = 0;
    stream.synchronize();
    if (candidates != Candidates::sweep) index.emplace(text, stream);
  }

  static std::size_t bytes(const PackedBatch& reference, Candidates candidates) {
    return 2 * plane_stride(reference.plane_words()) * sizeof(std::uint64_t) +
           (candidates == Candidates::sweep ? 0 : seeds::DeviceIndex::bytes(reference.columns()));
  }

  PackedView text;  // on the device; planes alone
  DeviceBuffer<std::uint64_t> planes;
  std::optional<seeds::DeviceIndex> index;
};

// One batch at a time: its stream and its buffers.
class CudaFinder::Slot {
 public:
  explicit Slot(const CudaFinder& finder)
      : finder_(finder),
        resident_(*finder.resident_),
        counters_(kCounters),
        counters_host_(kCounters),
        window_ends_(seeds::kMostWords + 1),
        window_ends_host_(seeds::kMostWords + 1) {
    BASESWEEP_CUDA(cudaMemsetAsync(counters_.get(), 0, kCounters * sizeof *counters_.get(), stream_.get()));
    reserve_candidates(kFirstCapacity);
    reserve_ends(kFirstCapacity);
  }

  // The ends from `entry` on, which becomes the first that is not done: the last, or fewer where there are very many
  // ends. Where memory does not suffice for all entries at once, halves.
  std::vector<ReadEnd> find(const ReadBatch& reads, std::uint32_t& entry) {
    const auto all = static_cast<std::uint32_t>(reads.entries.size());
    std::vector<ReadEnd> ends;
    if (entry < all && resident_.text.columns != 0) upload(reads);
    if (resident_.text.columns == 0) entry = all;
    const std::uint32_t first = entry;
    for (std::uint32_t end = all; entry < all && (entry == first || ends.size() < finder_.most_ends_);) {
      if (find_if_few(reads, entry, end, ends)) {
        const std::uint32_t next = end + 2 * (end - entry);
        entry = std::exchange(end, std::min(next, all));
      } else {
        end = entry + std::max(2U, (end - entry) / 4 * 2);  // both strands of a read
      }
    }
    return ends;
  }

 private:
  static constexpr std::uint64_t kFirstCapacity = 1U << 16;
  static constexpr std::uint32_t kRoundWindows = 1U << 19;  // of a sweep, at a time
  enum Counter { kCandidates, kFrequent, kEnds, kCounters };

  template <class T>
  void copy(T* to, const T* from, std::size_t count, cudaMemcpyKind kind) {
    BASESWEEP_CUDA(cudaMemcpyAsync(to, from, count * sizeof(T), kind, stream_.get()));
  }

  // Through memory that is pinned. The stream must be done with what was copied so before.
  template <class T>
  void upload(DeviceBuffer<T>& to, PinnedBuffer<T>& staged, const std::vector<T>& from) {
    to.reserve(from.size());
    staged.reserve(from.size());
    std::memcpy(staged.get(), from.data(), from.size() * sizeof(T));
    copy(to.get(), staged.get(), from.size(), cudaMemcpyHostToDevice);
  }

  void upload(const ReadBatch& reads) {
    const std::size_t words = reads.lo.size();
    const std::size_t stride = words + 1;  // one word past the last can be read
    planes_.reserve(3 * stride);
    planes_host_.reserve(3 * stride);
    std::uint64_t* to = planes_host_.get();
    for (const std::vector<std::uint64_t>* plane : {&reads.lo, &reads.hi, &reads.known}) {
      to = std::copy_n(plane->data(), words, to);
      *to++ = 0;
    }
    copy(planes_.get(), planes_host_.get(), 3 * stride, cudaMemcpyHostToDevice);
    reads_ = {planes_.get(),
              planes_.get() + stride,
              planes_.get() + 2 * stride,
              nullptr,
              0,
              static_cast<std::uint32_t>(words)};
  }

  // Appends the ends of entries [begin, end), in order; false where they are too many for memory, or to be handed on
  // together. Those of one read never are.
  bool find_if_few(const ReadBatch& reads, std::uint32_t begin, std::uint32_t end, std::vector<ReadEnd>& ends) {
    const bool one_read = end - begin <= 2;
    try {
      return find_at_once(reads, begin, end, one_read ? ~std::uint64_t{0} : finder_.most_ends_, ends);
    } catch (const OutOfMemory&) {
      stream_.synchronize();
      if (one_read) throw;
      return false;
    }
  }

  // Likewise; false where there are more than `most`.
  bool find_at_once(const ReadBatch& reads, std::uint32_t begin, std::uint32_t end, std::uint64_t most,
                    std::vector<ReadEnd>& ends) {
    const ReadOrder order = order_entries(reads, begin, end, resident_.text.columns, finder_.candidates_);
    if (order.entries.empty()) return true;
    upload(entries_, entries_host_, order.entries);
    upload(numbers_, numbers_host_, order.numbers);
    reads_.entries = entries_.get();
    reads_.entry_count = static_cast<std::uint32_t>(order.entries.size());
    std::vector<std::uint32_t> swept;
    const std::uint64_t candidates = order.looked_up == 0 ? 0 : look_up(order.looked_up, swept);
    for (std::uint32_t place = order.looked_up; place < order.entries.size(); ++place) swept.push_back(place);
    std::stable_sort(swept.begin(), swept.end(), [&](std::uint32_t a, std::uint32_t b) {
      return order.entries[a].length < order.entries[b].length;
    });
    if (!swept.empty()) upload(swept_, swept_host_, swept);
    if (candidates != 0) list_windows(order.looked_up, candidates);

    std::uint64_t found = 0;
    while (true) {
      BASESWEEP_CUDA(cudaMemsetAsync(counters_.get() + kEnds, 0, sizeof *counters_.get(), stream_.get()));
      if (candidates != 0) verify_listed(order);
      verify_swept(order, swept);
      found = fetch(kEnds);
      if (found > most) return false;
      if (found <= ends_capacity_) break;
      reserve_ends(found + found / 4);
    }
    fetch_ends(found, std::bit_width(reads.entries.size() - 1), ends);
    return true;
  }

  std::uint64_t fetch(Counter counter) {
    copy(counters_host_.get(), counters_.get(), kCounters, cudaMemcpyDeviceToHost);
    stream_.synchronize();
    return counters_host_[counter];
  }

  // Returns how many candidates there are, and adds to `swept` the entries that are better swept for.
  std::uint64_t look_up(std::uint32_t count, std::vector<std::uint32_t>& swept) {
    frequent_.reserve(count);
    while (true) {
      BASESWEEP_CUDA(cudaMemsetAsync(counters_.get(), 0, kCounters * sizeof *counters_.get(), stream_.get()));
      seeds::find_candidates(reads_, count, resident_.text, resident_.index->view(),
                             {candidates_.get(), candidates_capacity_, counters_.get() + kCandidates, frequent_.get(),
                              counters_.get() + kFrequent},
                             stream_.get());
      const std::uint64_t found = fetch(kCandidates);
      if (found <= candidates_capacity_) break;
      if (found > seeds::kMostCandidates) throw OutOfMemory("GPU memory does not suffice for a batch's candidates");
      reserve_candidates(found + found / 4);
    }
    const std::uint64_t frequent = counters_host_[kFrequent];
    swept.resize(frequent);
    if (frequent != 0) {
      BASESWEEP_CUDA(cudaMemcpyAsync(swept.data(), frequent_.get(), frequent * sizeof(std::uint32_t),
                                     cudaMemcpyDeviceToHost, stream_.get()));
      stream_.synchronize();
      std::sort(swept.begin(), swept.end());
    }
    return counters_host_[kCandidates];
  }

  void list_windows(std::uint32_t entries, std::uint64_t candidates) {
    heads_.reserve(candidates);
    windows_.reserve(candidates);
    const std::uint64_t* sorted = sort_keys(candidates_.get(), candidates_.get() + candidates_capacity_, candidates, 0,
                                            32 + std::bit_width(entries - 1), scratch_, stream_.get());
    seeds::make_windows(sorted, candidates, reads_, resident_.text.columns, heads_.get(),
                        {windows_.get(), window_ends_.get()}, scratch_, stream_.get());
    copy(window_ends_host_.get(), window_ends_.get(), seeds::kMostWords + 1, cudaMemcpyDeviceToHost);
    stream_.synchronize();
  }

  WindowTask task(const WordsGroup& group, const SoughtWindow* windows, std::uint32_t count,
                  std::uint32_t window_columns) const {
    return {resident_.text,
            reads_,
            windows,
            count,
            group.words,
            group.longest,
            window_columns + group.longest + group.most_edits,
            {ends_.get(), ends_capacity_, counters_.get() + kEnds, numbers_.get()}};
  }

  void verify_listed(const ReadOrder& order) {
    std::vector<std::uint32_t> places(order.looked_up);
    std::iota(places.begin(), places.end(), 0);
    for (const WordsGroup& group : group_by_words(order, places)) {
      const std::uint32_t first = window_ends_host_[group.words - 1];
      const std::uint32_t count = window_ends_host_[group.words] - first;
      if (count == 0) continue;
      finder_.verify_(task(group, windows_.get() + first, count, group.stretch + 2 * group.most_edits + 1), workspace_,
                      stream_.get());
    }
  }

  void verify_swept(const ReadOrder& order, const std::vector<std::uint32_t>& swept) {
    for (const WordsGroup& group : group_by_words(order, swept)) {
      const seeds::Sweep sweep{swept_.get() + group.begin, 2 * group.stretch, resident_.text.columns};
      const std::uint64_t all = std::uint64_t{group.end - group.begin} * sweep.windows_per_entry();
      for (std::uint64_t first = 0; first < all; first += kRoundWindows) {
        const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(kRoundWindows, all - first));
        round_.reserve(count);
        seeds::make_windows(sweep, first, count, round_.get(), stream_.get());
        finder_.verify_(task(group, round_.get(), count, sweep.stretch), workspace_, stream_.get());
      }
    }
  }

  void fetch_ends(std::uint64_t found, int entry_bits, std::vector<ReadEnd>& ends) {
    if (found == 0) return;
    const std::uint64_t* sorted = sort_keys(ends_.get(), ends_.get() + ends_capacity_, found, kEndEditsBits,
                                            32 + static_cast<int>(kEndEditsBits) + entry_bits, scratch_, stream_.get());
    ends_host_.reserve(found);
    copy(ends_host_.get(), sorted, found, cudaMemcpyDeviceToHost);
    stream_.synchronize();
    ends.insert(ends.end(), ends_host_.get(), ends_host_.get() + found);
  }

  void reserve_candidates(std::uint64_t capacity) {
    candidates_.reserve(2 * capacity);
    candidates_capacity_ = capacity;
  }

  void reserve_ends(std::uint64_t capacity) {
    ends_.reserve(2 * capacity);
    ends_capacity_ = capacity;
  }

  const CudaFinder& finder_;
  const Resident& resident_;
  Stream stream_;
  SoughtView reads_{};  // on the device
  DeviceBuffer<std::uint64_t> planes_;
  PinnedBuffer<std::uint64_t> planes_host_;
  DeviceBuffer<SoughtEntry> entries_;  // in order of work
  PinnedBuffer<SoughtEntry> entries_host_;
  DeviceBuffer<std::uint32_t> numbers_;
  PinnedBuffer<std::uint32_t> numbers_host_;
  DeviceBuffer<seeds::Candidate> candidates_;  // room for candidates_capacity_, and as much again for sorting
  std::uint64_t candidates_capacity_ = 0;
  DeviceBuffer<std::uint32_t> frequent_;
  DeviceBuffer<unsigned long long> counters_;
  PinnedBuffer<unsigned long long> counters_host_;
  DeviceBuffer<std::uint32_t> heads_;
  DeviceBuffer<SoughtWindow> windows_;
  DeviceBuffer<std::uint32_t> window_ends_;
  PinnedBuffer<std::uint32_t> window_ends_host_;
  DeviceBuffer<SoughtWindow> round_;
  DeviceBuffer<std::uint32_t> swept_;
  PinnedBuffer<std::uint32_t> swept_host_;
  DeviceBuffer<ReadEnd> ends_;  // room for ends_capacity_, and as much again for sorting
  std::uint64_t ends_capacity_ = 0;
  PinnedBuffer<ReadEnd> ends_host_;
  DeviceBuffer<std::byte> scratch_;
  DeviceBuffer<std::byte> workspace_;  // of the room's kernel
};

CudaFinder::CudaFinder(const PackedBatch& reference, const FinderOptions& options)
    : gpu_(options.gpu),
      candidates_(options.candidates),
      most_ends_(options.most_ends),
      verify_(window_kernel(options.algorithm)),
      slots_(kSlots) {
  BASESWEEP_CUDA(cudaSetDevice(options.gpu));
  try {
    resident_ = std::make_unique<const Resident>(reference, options.candidates);
  } catch (const OutOfMemory& error) {
    throw DeviceError("GPU memory does not suffice for the reference, which needs " +
                      std::to_string(Resident::bytes(reference, options.candidates)) + " bytes: " + error.what());
  }
  description_ = resident_->index ? "index of " + std::to_string(resident_->index->gram()) + "-grams" : "sweep";
  description_ += ", " + name_of(options.algorithm) + " on gpu " + std::to_string(options.gpu);
  threads_ = std::make_unique<SlotThreads>(kSlots, [this](int slot) { make_slot(slot); });
}

CudaFinder::~CudaFinder() = default;

void CudaFinder::make_slot(int slot) {
  BASESWEEP_CUDA(cudaSetDevice(gpu_));
  slots_[static_cast<std::size_t>(slot)] = std::make_unique<Slot>(*this);
}

void CudaFinder::submit(const ReadBatch& reads, std::uint32_t first_read, Done done) {
  threads_->submit([this, &reads, first_read, done = std::move(done)](int slot, const std::exception_ptr& broken) {
    std::vector<ReadEnd> ends;
    std::uint32_t entry = 2 * first_read;
    std::exception_ptr error = broken;
    if (!error) {
      try {
        ends = slots_[static_cast<std::size_t>(slot)]->find(reads, entry);
      } catch (...) {
        ends.clear();
        error = std::current_exception();
      }
    }
    done(std::move(ends), entry / 2, error);
  });
}

std::unique_ptr<Finder> make_finder(const PackedBatch& reference, const FinderOptions& options) {
  return std::make_unique<CudaFinder>(reference, options);
}

}  // namespace basesweep::cuda
