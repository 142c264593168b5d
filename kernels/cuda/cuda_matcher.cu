#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/cuda_matcher.hpp"
#include "kernels/cuda/hit_sink.cuh"
#include "kernels/cuda/sort.hpp"
#include "kernels/host_sink.hpp"

namespace basesweep::cuda {

PinnedPool::~PinnedPool() {
  for (const auto& [bytes, blocks] : free_) {
    for (void* memory : blocks) PinnedMemory::release(memory, bytes);
  }
}

void* PinnedPool::do_allocate(std::size_t bytes, std::size_t) {
  {
    const std::lock_guard lock(mutex_);
    std::vector<void*>& blocks = free_[bytes];
    if (!blocks.empty()) {
      void* memory = blocks.back();
      blocks.pop_back();
      return memory;
    }
  }
  BASESWEEP_CUDA(cudaSetDevice(gpu_));
  return PinnedMemory::allocate(bytes);
}

void PinnedPool::do_deallocate(void* memory, std::size_t bytes, std::size_t) {
  const std::lock_guard lock(mutex_);
  try {
    free_[bytes].push_back(memory);
  } catch (const std::bad_alloc&) {
    PinnedMemory::release(memory, bytes);
  }
}

// What all slots share on the device.
struct CudaMatcher::Tables {
  DeviceBuffer<std::uint32_t> lengths;
  std::unique_ptr<Kernel> kernel;
};

// One batch at a time: its stream and its buffers.
class CudaMatcher::Slot {
 public:
  Slot(const CudaMatcher& matcher, std::shared_ptr<const Tables> tables)
      : matcher_(matcher),
        tables_(std::move(tables)),
        entries_(matcher.options_.patterns.entries().size()),
        entry_bits_(static_cast<unsigned>(std::bit_width(entries_ - 1))),
        found_(1),
        found_host_(1) {
    // What a batch needs at least is taken at once, so that no other slot's hits can take it away.
    // Halos are up to twice the longest alignment on either side.
    const PatternSet& patterns = matcher.options_.patterns;
    const std::uint32_t columns = matcher.batch_columns() + 4 * (patterns.max_length() + patterns.max_edits()) + 1;
    planes_.reserve(2 * plane_stride(columns / 64 + patterns.max_length() / 64 + 2 + kPlanePadWords));
    workspace_.reserve(tables_->kernel->workspace_bytes(columns));
    blocked_.reserve(kFirstIntervals);
    scratch_.reserve(kFirstScratch);
    reserve_hits(kFirstCapacity);
  }

  MatchResult match(const PackedBatch& batch) {
    upload(batch);
    MatchResult result;
    if (matcher_.options_.output == Output::counts) {
      result.counts = count();
    } else {
      find(text_.own_begin, text_.own_end, result.hits);
    }
    return result;
  }

 private:
  static constexpr std::uint64_t kFirstCapacity = 1U << 16;
  static constexpr std::size_t kFirstIntervals = 1U << 12;
  static constexpr std::size_t kFirstScratch = 1U << 20;  // bytes

  static std::size_t plane_stride(std::size_t words) {
    return (words + kPlaneAlignWords - 1) / kPlaneAlignWords * kPlaneAlignWords;
  }

  void upload(const PackedBatch& batch) {
    Interval open_end;
    const PackedView host = searched_text(batch.view(), matcher_.options_.patterns, open_end);
    const std::size_t words = batch.plane_words();
    const std::size_t stride = plane_stride(words);
    planes_.reserve(2 * stride);
    blocked_.reserve(host.blocked_count);
    blocked_host_.reserve(host.blocked_count);
    std::memcpy(blocked_host_.get(), host.blocked, host.blocked_count * sizeof(Interval));
    text_ = host;
    text_.lo = planes_.get();
    text_.hi = planes_.get() + stride;
    text_.blocked = blocked_.get();
    copy(planes_.get(), host.lo, words, cudaMemcpyHostToDevice);
    copy(planes_.get() + stride, host.hi, words, cudaMemcpyHostToDevice);
    copy(blocked_.get(), blocked_host_.get(), host.blocked_count, cudaMemcpyHostToDevice);
    workspace_.reserve(tables_->kernel->workspace_bytes(text_.columns));
  }

  template <class T>
  void copy(T* to, const T* from, std::size_t count, cudaMemcpyKind kind) {
    BASESWEEP_CUDA(cudaMemcpyAsync(to, from, count * sizeof(T), kind, stream_.get()));
  }

  std::vector<std::uint64_t> count() {
    counts_.reserve(entries_);
    counts_host_.reserve(entries_);
    BASESWEEP_CUDA(cudaMemsetAsync(counts_.get(), 0, entries_ * sizeof *counts_.get(), stream_.get()));
    launch(text_, nullptr, 0);
    copy(counts_host_.get(), counts_.get(), entries_, cudaMemcpyDeviceToHost);
    stream_.synchronize();
    return {counts_host_.get(), counts_host_.get() + entries_};
  }

  void launch(const PackedView& text, std::uint64_t* hits, std::uint64_t capacity) {
    BASESWEEP_CUDA(cudaMemsetAsync(found_.get(), 0, sizeof *found_.get(), stream_.get()));
    tables_->kernel->launch({text, tables_->lengths.get(), hits, capacity, found_.get(), counts_.get(), entry_bits_,
                             static_cast<std::uint32_t>(entries_)},
                            workspace_.get(), stream_.get());
    BASESWEEP_CUDA(cudaGetLastError());
  }

  // Appends the hits that start in [begin, end), in order. Where memory does not suffice for all of them at once,
  // halves.
  void find(std::uint32_t begin, std::uint32_t end, std::vector<BatchHit>& hits) {
    constexpr std::uint32_t kLeastColumns = 1U << 12;
    try {
      find_at_once(begin, end, hits);
    } catch (const OutOfMemory&) {
      if (end - begin <= kLeastColumns) throw;
      stream_.synchronize();
      const std::uint32_t middle = begin + (end - begin) / 2;
      find(begin, middle, hits);
      find(middle, end, hits);
    }
  }

  void find_at_once(std::uint32_t begin, std::uint32_t end, std::vector<BatchHit>& hits) {
    PackedView text = text_;
    text.own_begin = begin;
    text.own_end = end;
    std::uint64_t found = 0;
    while (true) {
      launch(text, hits_.get(), capacity_);
      copy(found_host_.get(), found_.get(), 1, cudaMemcpyDeviceToHost);
      stream_.synchronize();
      found = found_host_[0];
      if (found <= capacity_) break;
      reserve_hits(found + found / 4);
    }
    if (found == 0) return;
    const int bits = static_cast<int>(entry_bits_) + std::bit_width(text.columns);
    const std::uint64_t* sorted =
        sort_keys(hits_.get(), hits_.get() + capacity_, found, 0, bits, scratch_, stream_.get());
    hits_host_.reserve(found);
    copy(hits_host_.get(), sorted, found, cudaMemcpyDeviceToHost);
    stream_.synchronize();
    const std::uint64_t entry_mask = (std::uint64_t{1} << entry_bits_) - 1;
    hits.reserve(hits.size() + found);
    for (std::uint64_t i = 0; i < found; ++i) {
      const std::uint64_t key = hits_host_[i];
      if (i != 0 && key == hits_host_[i - 1]) continue;  // an end may be sent more than once
      hits.push_back(
          make_hit(static_cast<std::uint32_t>(key >> entry_bits_), static_cast<std::uint32_t>(key & entry_mask)));
    }
  }

  void reserve_hits(std::uint64_t capacity) {
    hits_.reserve(2 * capacity);
    capacity_ = capacity;
  }

  const CudaMatcher& matcher_;
  const std::shared_ptr<const Tables> tables_;
  const std::size_t entries_;
  const unsigned entry_bits_;
  Stream stream_;
  PackedView text_{};  // on the device
  DeviceBuffer<std::uint64_t> planes_;
  DeviceBuffer<Interval> blocked_;
  PinnedBuffer<Interval> blocked_host_;
  DeviceBuffer<std::uint64_t> hits_;  // room for capacity_, and as much again for sorting
  std::uint64_t capacity_ = 0;
  DeviceBuffer<std::byte> scratch_;
  DeviceBuffer<std::byte> workspace_;  // of the room's kernel
  PinnedBuffer<std::uint64_t> hits_host_;
  DeviceBuffer<unsigned long long> found_;
  PinnedBuffer<unsigned long long> found_host_;
  DeviceBuffer<unsigned long long> counts_;
  PinnedBuffer<unsigned long long> counts_host_;
};

CudaMatcher::CudaMatcher(const RoomOptions& options, Algorithm algorithm)
    : options_(options),
      description_(std::string(to_string(algorithm)) + " on gpu " + std::to_string(options.gpu)),
      make_kernel_(kernel_maker(algorithm)),
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

// One slot at a time; the first makes what all share.
void CudaMatcher::make_slot(int slot) {
  BASESWEEP_CUDA(cudaSetDevice(options_.gpu));
  if (tables_ == nullptr) {
    tables_ =
        std::make_shared<const Tables>(Tables{to_device(sink_lengths(options_.patterns)), make_kernel_(options_)});
  }
  slots_[static_cast<std::size_t>(slot)] = std::make_unique<Slot>(*this, tables_);
}

}  // namespace basesweep::cuda
