#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/cpu/host_sink.hpp"
#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/cuda_matcher.hpp"
#include "kernels/cuda/device_planes.hpp"
#include "kernels/cuda/occurrence_sink.cuh"
#include "kernels/cuda/sort.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep::cuda {

// The tables that all slots share, on the device.
struct CudaMatcher::Tables {
  DeviceBuffer<std::uint32_t> lengths;
  std::unique_ptr<Kernel> kernel;
};

// Searches one batch at a time, with its own stream and buffers.
class CudaMatcher::Slot {
 public:
  Slot(const CudaMatcher& matcher, std::shared_ptr<const Tables> tables)
      : matcher_(matcher),
        tables_(std::move(tables)),
        queries_(matcher.options_.patterns.queries().size()),
        query_bits_(static_cast<unsigned>(std::bit_width(queries_ - 1))),
        found_(1),
        found_host_(1) {
    // Takes at once what every batch needs, so that the occurrences of another slot cannot take it away. Halos have up
    // to twice the longest alignment on either side.
    const PatternSet& patterns = matcher.options_.patterns;
    const std::uint32_t positions = matcher.batch_positions() + 4 * (patterns.max_length() + patterns.max_edits()) + 1;
    planes_.reserve(positions / 64 + patterns.max_length() / 64 + 2 + kPlanePadWords);
    workspace_.reserve(tables_->kernel->workspace_bytes(positions));
    blocked_.reserve(kFirstIntervals);
    scratch_.reserve(kFirstScratch);
    reserve_occurrences(kFirstCapacity);
  }

  MatchResult match(const PackedBatch& batch) {
    upload(batch);
    MatchResult result;
    if (matcher_.options_.output == Output::counts) {
      result.counts = count();
    } else {
      max_occurrences_ = batch.max_occurrences;
      try {
        find(text_.own_begin, text_.own_end, result.occurrences);
      } catch (const TooManyOccurrences&) {
        return {.occurrences = {}, .counts = {}, .too_many = true};
      }
    }
    return result;
  }

 private:
  static constexpr std::uint64_t kFirstCapacity = 1U << 16;
  static constexpr std::size_t kFirstIntervals = 1U << 12;
  static constexpr std::size_t kFirstScratch = 1U << 20;  // bytes

  void upload(const PackedBatch& batch) {
    Interval open_end;
    const PackedView host = searched_text(batch.view(), matcher_.options_.patterns, open_end);
    planes_.upload(host, batch.plane_words(), stream_.get());
    blocked_.reserve(host.blocked_count);
    blocked_host_.reserve(host.blocked_count);
    std::memcpy(blocked_host_.get(), host.blocked, host.blocked_count * sizeof(Interval));
    text_ = host;
    text_.lo = planes_.lo();
    text_.hi = planes_.hi();
    text_.blocked = blocked_.get();
    copy(blocked_.get(), blocked_host_.get(), host.blocked_count, cudaMemcpyHostToDevice);
    workspace_.reserve(tables_->kernel->workspace_bytes(text_.positions));
  }

  template <class T>
  void copy(T* to, const T* from, std::size_t count, cudaMemcpyKind kind) {
    queue_copy(to, from, count, kind, stream_.get());
  }

  std::vector<std::uint64_t> count() {
    counts_.reserve(queries_);
    counts_host_.reserve(queries_);
    BASESWEEP_CUDA(cudaMemsetAsync(counts_.get(), 0, queries_ * sizeof *counts_.get(), stream_.get()));
    launch(text_, nullptr, 0);
    copy(counts_host_.get(), counts_.get(), queries_, cudaMemcpyDeviceToHost);
    stream_.synchronize();
    return {counts_host_.get(), counts_host_.get() + queries_};
  }

  void launch(const PackedView& text, std::uint64_t* occurrences, std::uint64_t capacity) {
    BASESWEEP_CUDA(cudaMemsetAsync(found_.get(), 0, sizeof *found_.get(), stream_.get()));
    tables_->kernel->launch({text, tables_->lengths.get(), occurrences, capacity, found_.get(), counts_.get(),
                             query_bits_, static_cast<std::uint32_t>(queries_)},
                            workspace_.get(), stream_.get());
    BASESWEEP_CUDA(cudaGetLastError());
  }

  // Appends the occurrences at positions [begin, end), in order. If memory does not suffice for all of them at once,
  // searches each half in turn.
  void find(std::uint32_t begin, std::uint32_t end, std::vector<Occurrence>& occurrences) {
    constexpr std::uint32_t kMinPositions = 1U << 12;
    try {
      find_at_once(begin, end, occurrences);
    } catch (const OutOfMemory&) {
      if (end - begin <= kMinPositions) throw;
      stream_.synchronize();
      const std::uint32_t middle = begin + (end - begin) / 2;
      find(begin, middle, occurrences);
      find(middle, end, occurrences);
    }
  }

  void find_at_once(std::uint32_t begin, std::uint32_t end, std::vector<Occurrence>& occurrences) {
    PackedView text = text_;
    text.own_begin = begin;
    text.own_end = end;
    std::uint64_t found = 0;
    while (true) {
      launch(text, occurrences_.get(), capacity_);
      copy(found_host_.get(), found_.get(), 1, cudaMemcpyDeviceToHost);
      stream_.synchronize();
      found = found_host_[0];
      if (occurrences.size() + found > max_occurrences_) throw TooManyOccurrences();
      if (found <= capacity_) break;
      reserve_occurrences(found + found / 4);
    }
    if (found == 0) return;
    const int bits = static_cast<int>(query_bits_) + std::bit_width(text.positions);
    const std::uint64_t* sorted =
        sort_keys(occurrences_.get(), occurrences_.get() + capacity_, found, 0, bits, scratch_, stream_.get());
    occurrences_host_.reserve(found);
    copy(occurrences_host_.get(), sorted, found, cudaMemcpyDeviceToHost);
    stream_.synchronize();
    const std::uint64_t query_mask = (std::uint64_t{1} << query_bits_) - 1;
    occurrences.reserve(occurrences.size() + found);
    for (std::uint64_t i = 0; i < found; ++i) {
      const std::uint64_t key = occurrences_host_[i];
      if (i != 0 && key == occurrences_host_[i - 1]) continue;  // an end may be sent more than once
      occurrences.push_back(make_occurrence(static_cast<std::uint32_t>(key >> query_bits_),
                                            static_cast<std::uint32_t>(key & query_mask)));
    }
  }

  void reserve_occurrences(std::uint64_t capacity) {
    occurrences_.reserve(2 * capacity);
    capacity_ = capacity;
  }

  const CudaMatcher& matcher_;
  const std::shared_ptr<const Tables> tables_;
  const std::size_t queries_;
  const unsigned query_bits_;
  Stream stream_;
  PackedView text_{};  // on the device
  DevicePlanes planes_;
  DeviceBuffer<Interval> blocked_;
  PinnedBuffer<Interval> blocked_host_;
  DeviceBuffer<std::uint64_t> occurrences_;  // room for capacity_, and as much again for sorting
  std::uint64_t capacity_ = 0;
  std::uint64_t max_occurrences_ = 0;  // of the batch
  DeviceBuffer<std::byte> scratch_;    // for sorting
  DeviceBuffer<std::byte> workspace_;  // for the room's kernel
  PinnedBuffer<std::uint64_t> occurrences_host_;
  DeviceBuffer<unsigned long long> found_;
  PinnedBuffer<unsigned long long> found_host_;
  DeviceBuffer<unsigned long long> counts_;
  PinnedBuffer<unsigned long long> counts_host_;
};

CudaMatcher::CudaMatcher(const RoomOptions& options, std::function<std::unique_ptr<Kernel>()> make_kernel)
    : options_(options),
      description_(std::string(options.name) + " on gpu " + std::to_string(options.gpu)),
      make_kernel_(std::move(make_kernel)),
      pool_(options.gpu),
      slots_(kSlots),
      threads_(kSlots, [this](int slot) { make_slot(slot); }) {}

CudaMatcher::~CudaMatcher() = default;

void CudaMatcher::submit(const PackedBatch& batch, Done done) {
  threads_.submit([this, &batch, done = std::move(done)](int slot, const std::exception_ptr& broken) {
    MatchResult result;
    std::exception_ptr error = broken;
    if (!error) {
      try {
        result = slots_[static_cast<std::size_t>(slot)]->match(batch);
      } catch (...) {
        error = std::current_exception();
      }
    }
    done(std::move(result), error);
  });
}

// Called for one slot at a time; the first call makes the tables that all share.
void CudaMatcher::make_slot(int slot) {
  BASESWEEP_CUDA(cudaSetDevice(options_.gpu));
  if (tables_ == nullptr) {
    tables_ = std::make_shared<const Tables>(Tables{to_device(sink_lengths(options_.patterns)), make_kernel_()});
  }
  slots_[static_cast<std::size_t>(slot)] = std::make_unique<Slot>(*this, tables_);
}

}  // namespace basesweep::cuda
