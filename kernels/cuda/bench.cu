#include "kernels/cuda/bench.hpp"

#include <bit>
#include <limits>
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

// Planes of random bases on the device.
struct RandomText {
  RandomText(std::uint32_t columns, std::uint32_t pad_columns, const Stream& stream)
      : words(((std::uint64_t{columns} + pad_columns) / 64 + kPlanePadWords + kPlaneAlignWords) / kPlaneAlignWords *
              kPlaneAlignWords),
        planes(2 * words) {
    fill_random<<<1024, 256, 0, stream.get()>>>(planes.get(), 2 * words);
    BASESWEEP_CUDA(cudaGetLastError());
  }
  std::uint64_t words;  // in each plane
  DeviceBuffer<std::uint64_t> planes;
};

}  // namespace

std::string gpu_name(int gpu) {
  cudaDeviceProp properties{};
  BASESWEEP_CUDA(cudaGetDeviceProperties(&properties, gpu));
  return properties.name;
}

KernelTiming time_read(int gpu, std::uint32_t columns, int runs) {
  BASESWEEP_CUDA(cudaSetDevice(gpu));
  const Stream stream;
  const RandomText text(columns, 0, stream);
  const DeviceBuffer<std::uint32_t> never(1);
  int processors = 0;
  BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, gpu));
  return {median_seconds(runs, stream,
                         [&] {
                           read_all<<<processors * 8, 256, 0, stream.get()>>>(
                               reinterpret_cast<const uint4*>(text.planes.get()), columns / 64, never.get());
                         }),
          0};
}

KernelTiming time_kernel(Algorithm algorithm, const RoomOptions& options, std::uint32_t columns, int runs) {
  BASESWEEP_CUDA(cudaSetDevice(options.gpu));
  const Stream stream;
  const RandomText text(columns, options.patterns.max_length(), stream);
  const std::vector<Interval> blocked{{columns, std::numeric_limits<std::uint32_t>::max()}};
  const DeviceBuffer<Interval> blocked_on_device = to_device(blocked);
  const std::vector<std::uint32_t> lengths = sink_lengths(options.patterns);
  const DeviceBuffer<std::uint32_t> lengths_on_device = to_device(lengths);
  const std::uint64_t capacity = options.output == Output::hits ? std::uint64_t{1} << 28 : 0;
  const DeviceBuffer<std::uint64_t> hits(capacity);
  const DeviceBuffer<unsigned long long> found(1);
  const DeviceBuffer<unsigned long long> counts(lengths.size());
  BASESWEEP_CUDA(cudaMemset(counts.get(), 0, lengths.size() * sizeof(unsigned long long)));
  const std::unique_ptr<Kernel> kernel = kernel_maker(algorithm)(options);
  const DeviceBuffer<std::byte> workspace(kernel->workspace_bytes(columns));
  const DeviceSink sink{
      {text.planes.get(), text.planes.get() + text.words, blocked_on_device.get(), 1, columns, 0, columns},
      lengths_on_device.get(),
      hits.get(),
      capacity,
      found.get(),
      counts.get(),
      static_cast<unsigned>(std::bit_width(lengths.size() - 1)),
      static_cast<std::uint32_t>(lengths.size())};
  KernelTiming timing;
  timing.seconds = median_seconds(runs, stream, [&] {
    BASESWEEP_CUDA(cudaMemsetAsync(found.get(), 0, sizeof(unsigned long long), stream.get()));
    kernel->launch(sink, workspace.get(), stream.get());
  });
  unsigned long long found_on_host = 0;
  BASESWEEP_CUDA(cudaMemcpy(&found_on_host, found.get(), sizeof found_on_host, cudaMemcpyDeviceToHost));
  timing.hits = found_on_host;
  return timing;
}

}  // namespace basesweep::cuda
