#include "kernels/cuda/bench.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/cuda_matcher.hpp"
#include "kernels/cuda/hit_sink.cuh"
#include "kernels/cuda/timing.hpp"
#include "kernels/host_sink.hpp"

namespace basesweep::cuda {
namespace {

// Random bits by a mixing function of the word's index (Steele, Lea, Flood: SplitMix64, OOPSLA 2014).
__global__ void fill_random(std::uint64_t* words, std::uint64_t count) {
  for (std::uint64_t i = blockIdx.x * 256ULL + threadIdx.x; i < count; i += gridDim.x * 256ULL) {
    std::uint64_t z = (i + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    words[i] = z ^ (z >> 31);
  }
}

// Stores only what random data never gives, so that the loads cannot be dropped.
__global__ void __launch_bounds__(256) read_all(const uint4* words, std::uint64_t count, std::uint32_t* never) {
  std::uint32_t seen = 0;
  for (std::uint64_t i = blockIdx.x * 256ULL + threadIdx.x; i < count; i += gridDim.x * 256ULL) {
    const uint4 word = words[i];
    seen |= word.x & word.y & word.z & word.w;
  }
  if (__all_sync(~0U, seen == 0x12345678U)) *never = seen;
}

// Words of a plane with so many columns, and with room to read past them.
std::uint64_t plane_words(std::uint32_t columns, std::uint32_t pad_columns) {
  return (std::uint64_t{columns} + pad_columns) / 64 + kPlanePadWords;
}

std::uint64_t whole_pieces(std::uint64_t words) {
  return (words + kPlaneAlignWords) / kPlaneAlignWords * kPlaneAlignWords;
}

// Both planes of a text on the device.
class DevicePlanes {
 public:
  // Random bases.
  DevicePlanes(std::uint32_t columns, std::uint32_t pad_columns, bool two_letters, const Stream& stream)
      : words_(whole_pieces(plane_words(columns, pad_columns))), planes_(2 * words_) {
    fill_random<<<1024, 256, 0, stream.get()>>>(planes_.get(), 2 * words_);
    BASESWEEP_CUDA(cudaGetLastError());
    if (two_letters) {
      BASESWEEP_CUDA(cudaMemsetAsync(planes_.get() + words_, 0, words_ * sizeof(std::uint64_t), stream.get()));
    }
  }
  explicit DevicePlanes(const PackedBatch& batch) : words_(whole_pieces(batch.plane_words())), planes_(2 * words_) {
    const PackedView view = batch.view();
    const std::size_t bytes = batch.plane_words() * sizeof(std::uint64_t);
    BASESWEEP_CUDA(cudaMemset(planes_.get(), 0, 2 * words_ * sizeof(std::uint64_t)));
    BASESWEEP_CUDA(cudaMemcpy(planes_.get(), view.lo, bytes, cudaMemcpyHostToDevice));
    BASESWEEP_CUDA(cudaMemcpy(planes_.get() + words_, view.hi, bytes, cudaMemcpyHostToDevice));
    BASESWEEP_CUDA(cudaStreamSynchronize(nullptr));  // the stream that searches does not wait for this one
  }

  const std::uint64_t* lo() const { return planes_.get(); }
  const std::uint64_t* hi() const { return planes_.get() + words_; }

 private:
  std::uint64_t words_;  // in each
  DeviceBuffer<std::uint64_t> planes_;
};

std::vector<std::uint64_t> to_host(const DeviceBuffer<unsigned long long>& numbers) {
  std::vector<std::uint64_t> copy(numbers.size());
  static_assert(sizeof(std::uint64_t) == sizeof(unsigned long long));
  BASESWEEP_CUDA(cudaMemcpy(copy.data(), numbers.get(), copy.size() * sizeof copy[0], cudaMemcpyDeviceToHost));
  return copy;
}

// A text as kernels take it, all of which is the device's.
class DeviceText {
 public:
  DeviceText(const KernelText& text, const PatternSet& patterns, const Stream& stream)
      : planes_(text.batch != nullptr ? DevicePlanes(*text.batch)
                                      : DevicePlanes(text.columns, patterns.max_length(), text.two_letters, stream)) {
    Interval open_end{text.columns, std::numeric_limits<std::uint32_t>::max()};
    PackedView host{nullptr, nullptr, &open_end, 1, text.columns, 0, text.columns};
    if (text.batch != nullptr) host = searched_text(text.batch->view(), patterns, open_end);
    blocked_ = to_device(std::span(host.blocked, host.blocked_count));
    view_ = host;
    view_.lo = planes_.lo();
    view_.hi = planes_.hi();
    view_.blocked = blocked_.get();
  }

  const PackedView& view() const { return view_; }

 private:
  DevicePlanes planes_;
  DeviceBuffer<Interval> blocked_;
  PackedView view_;
};

// Room for so many hits, or for a half, a quarter and so on where there is no memory for more.
DeviceBuffer<std::uint64_t> room_for_hits(std::uint64_t most) {
  constexpr std::uint64_t kLeast = 1U << 20;
  while (true) {
    try {
      return DeviceBuffer<std::uint64_t>(most);
    } catch (const OutOfMemory&) {
      if (most <= kLeast) throw;
      most /= 2;
    }
  }
}

}  // namespace

std::string gpu_name(int gpu) {
  cudaDeviceProp properties{};
  BASESWEEP_CUDA(cudaGetDeviceProperties(&properties, gpu));
  return properties.name;
}

KernelTiming time_read(int gpu, std::uint32_t columns, int runs) {
  BASESWEEP_CUDA(cudaSetDevice(gpu));
  const Stream stream;
  const DevicePlanes text(columns, 0, false, stream);
  const DeviceBuffer<std::uint32_t> never(1);
  int processors = 0;
  BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, gpu));
  return {median_seconds(runs, stream, [&] {
    read_all<<<processors * 8, 256, 0, stream.get()>>>(reinterpret_cast<const uint4*>(text.lo()), columns / 64,
                                                       never.get());
  })};
}

KernelTiming time_kernel(Algorithm algorithm, const RoomOptions& options, const KernelText& searched, int runs) {
  constexpr std::uint64_t kMostHits = 1U << 29;
  BASESWEEP_CUDA(cudaSetDevice(options.gpu));
  const Stream stream;
  const DeviceText text(searched, options.patterns, stream);
  const std::uint32_t columns = text.view().columns;
  const std::vector<std::uint32_t> lengths = sink_lengths(options.patterns);
  const DeviceBuffer<std::uint32_t> lengths_on_device = to_device(lengths);
  const bool counting = options.output == Output::counts;
  const DeviceBuffer<unsigned long long> found(1);
  const DeviceBuffer<unsigned long long> counts(lengths.size());
  const auto clear_counts = [&] {
    BASESWEEP_CUDA(cudaMemsetAsync(counts.get(), 0, lengths.size() * sizeof(unsigned long long), stream.get()));
  };
  const std::unique_ptr<Kernel> kernel = kernel_maker(algorithm)(options);
  const DeviceBuffer<std::byte> workspace(kernel->workspace_bytes(columns));
  const DeviceBuffer<std::uint64_t> hits =
      room_for_hits(counting ? 0 : std::min(kMostHits, std::uint64_t{columns} * lengths.size()));
  const DeviceSink sink{text.view(),
                        lengths_on_device.get(),
                        hits.get(),
                        hits.size(),
                        found.get(),
                        counts.get(),
                        static_cast<unsigned>(std::bit_width(lengths.size() - 1)),
                        static_cast<std::uint32_t>(lengths.size())};
  const auto search = [&] {
    BASESWEEP_CUDA(cudaMemsetAsync(found.get(), 0, sizeof(unsigned long long), stream.get()));
    kernel->launch(sink, workspace.get(), stream.get());
  };
  KernelTiming timing;
  clear_counts();
  timing.seconds = median_seconds(runs, stream, search);
  if (counting) {  // of one more run, since all were added up
    clear_counts();
    search();
    stream.synchronize();
    timing.counts = to_host(counts);
    timing.hits = std::accumulate(timing.counts.begin(), timing.counts.end(), std::uint64_t{0});
  } else {
    timing.hits = to_host(found)[0];
    timing.stored = std::min<std::uint64_t>(timing.hits, hits.size());
  }
  return timing;
}

}  // namespace basesweep::cuda
