#include "kernels/cuda/bench.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "kernels/cpu/host_sink.hpp"
#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/device_planes.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/occurrence_sink.cuh"
#include "kernels/cuda/timing.hpp"
#include "lib/search/pattern_set.hpp"

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

// Stores a value that random data never gives, so that the compiler cannot drop the loads.
__global__ void __launch_bounds__(256) read_all(const uint4* words, std::uint64_t count, std::uint32_t* never) {
  std::uint32_t seen = 0;
  for (std::uint64_t i = blockIdx.x * 256ULL + threadIdx.x; i < count; i += gridDim.x * 256ULL) {
    const uint4 word = words[i];
    seen |= word.x & word.y & word.z & word.w;
  }
  if (__all_sync(~0U, seen == 0x12345678U)) *never = seen;
}

// Words of a plane of `positions` positions, with room to read `pad_positions` past them, as PackedBatch has it.
std::uint64_t plane_words(std::uint32_t positions, std::uint32_t pad_positions) {
  const auto words_for = [](std::uint64_t count) { return (count + 63) / 64; };
  return words_for(positions) + words_for(pad_positions) + kPlanePadWords;
}

DevicePlanes random_planes(std::uint32_t positions, std::uint32_t pad_positions, bool two_letters,
                           const Stream& stream) {
  DevicePlanes planes;
  planes.reserve(plane_words(positions, pad_positions));
  fill_random<<<1024, 256, 0, stream.get()>>>(planes.lo(), 2 * planes.stride());
  BASESWEEP_CUDA(cudaGetLastError());
  if (two_letters) {
    BASESWEEP_CUDA(cudaMemsetAsync(planes.hi(), 0, planes.stride() * sizeof(std::uint64_t), stream.get()));
  }
  return planes;
}

DevicePlanes planes_of(const PackedBatch& batch, const Stream& stream) {
  DevicePlanes planes;
  planes.reserve(batch.plane_words());
  BASESWEEP_CUDA(cudaMemsetAsync(planes.lo(), 0, DevicePlanes::bytes(batch.plane_words()), stream.get()));
  planes.upload(batch.view(), batch.plane_words(), stream.get());
  return planes;
}

std::vector<std::uint64_t> to_host(const DeviceBuffer<unsigned long long>& numbers) {
  std::vector<std::uint64_t> copy(numbers.size());
  static_assert(sizeof(std::uint64_t) == sizeof(unsigned long long));
  BASESWEEP_CUDA(cudaMemcpy(copy.data(), numbers.get(), copy.size() * sizeof copy[0], cudaMemcpyDeviceToHost));
  return copy;
}

// A text as kernels take it, with all that it points to on the device.
class DeviceText {
 public:
  DeviceText(const KernelText& text, const PatternSet& patterns, const Stream& stream)
      : planes_(text.batch != nullptr
                    ? planes_of(*text.batch, stream)
                    : random_planes(text.positions, patterns.max_length(), text.two_letters, stream)) {
    Interval open_end{text.positions, std::numeric_limits<std::uint32_t>::max()};
    PackedView host{nullptr, nullptr, &open_end, 1, text.positions, 0, text.positions};
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

// A buffer for `count` occurrences, or for a half, a quarter and so on of them if memory does not suffice.
DeviceBuffer<std::uint64_t> buffer_for(std::uint64_t count) {
  constexpr std::uint64_t kMin = 1U << 20;
  while (true) {
    try {
      return DeviceBuffer<std::uint64_t>(count);
    } catch (const OutOfMemory&) {
      if (count <= kMin) throw;
      count /= 2;
    }
  }
}

}  // namespace

std::string gpu_name(int gpu) {
  cudaDeviceProp properties{};
  BASESWEEP_CUDA(cudaGetDeviceProperties(&properties, gpu));
  return properties.name;
}

ChipSpeed chip_speed(int gpu) {
  ChipSpeed speed;
  int kilohertz = 0;
  BASESWEEP_CUDA(cudaDeviceGetAttribute(&speed.processors, cudaDevAttrMultiProcessorCount, gpu));
  BASESWEEP_CUDA(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, gpu));
  speed.gigahertz = kilohertz / 1e6;
  return speed;
}

KernelTiming time_read(int gpu, std::uint32_t positions, int runs) {
  BASESWEEP_CUDA(cudaSetDevice(gpu));
  const Stream stream;
  const DevicePlanes text = random_planes(positions, 0, false, stream);
  const DeviceBuffer<std::uint32_t> never(1);
  int processors = 0;
  BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, gpu));
  return {median_seconds(runs, stream, [&] {
    read_all<<<processors * 8, 256, 0, stream.get()>>>(reinterpret_cast<const uint4*>(text.lo()), positions / 64,
                                                       never.get());
  })};
}

namespace {

template <class MakeKernel>
KernelTiming time_made(const MakeKernel& make_kernel, const RoomOptions& options, const KernelText& searched,
                       int runs) {
  constexpr std::uint64_t kMaxOccurrences = 1U << 29;
  BASESWEEP_CUDA(cudaSetDevice(options.gpu));
  const Stream stream;
  const DeviceText text(searched, options.patterns, stream);
  const std::uint32_t positions = text.view().positions;
  const std::vector<std::uint32_t> lengths = sink_lengths(options.patterns);
  const DeviceBuffer<std::uint32_t> lengths_on_device = to_device(lengths);
  const bool counting = options.output == Output::counts;
  const DeviceBuffer<unsigned long long> found(1);
  const DeviceBuffer<unsigned long long> counts(lengths.size());
  const auto clear_counts = [&] {
    BASESWEEP_CUDA(cudaMemsetAsync(counts.get(), 0, lengths.size() * sizeof(unsigned long long), stream.get()));
  };
  const std::unique_ptr<Kernel> kernel = make_kernel();
  const DeviceBuffer<std::byte> workspace(kernel->workspace_bytes(positions));
  const DeviceBuffer<std::uint64_t> occurrences =
      buffer_for(counting ? 0 : std::min(kMaxOccurrences, std::uint64_t{positions} * lengths.size()));
  const DeviceSink sink{text.view(),
                        lengths_on_device.get(),
                        occurrences.get(),
                        occurrences.size(),
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
  if (counting) {  // counts one more run, since the counts of all runs were added up
    clear_counts();
    search();
    stream.synchronize();
    timing.counts = to_host(counts);
    timing.occurrences = std::accumulate(timing.counts.begin(), timing.counts.end(), std::uint64_t{0});
  } else {
    timing.occurrences = to_host(found)[0];
    timing.stored = std::min<std::uint64_t>(timing.occurrences, occurrences.size());
  }
  return timing;
}

}  // namespace

KernelTiming time_kernel(const Room& room, const RoomOptions& options, const KernelText& text, int runs) {
  return time_made([&] { return room.make_cuda_kernel(options); }, options, text, runs);
}

KernelTiming time_kernel(const MatrixRoom& room, const MatrixRoomOptions& options, const KernelText& text, int runs) {
  return time_made([&] { return room.make_cuda_kernel(options); }, options.common, text, runs);
}

double time_making(const Room& room, const RoomOptions& options, int runs) {
  BASESWEEP_CUDA(cudaSetDevice(options.gpu));
  std::vector<double> seconds;
  for (int run = 0; run < 1 + runs; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    const std::unique_ptr<Kernel> kernel = room.make_cuda_kernel(options);
    BASESWEEP_CUDA(cudaDeviceSynchronize());
    if (run != 0) seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::nth_element(seconds.begin(), seconds.begin() + runs / 2, seconds.end());
  return seconds[static_cast<std::size_t>(runs / 2)];
}

}  // namespace basesweep::cuda
