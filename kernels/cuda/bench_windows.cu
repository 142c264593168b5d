#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/cuda/bench.hpp"
#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/timing.hpp"
#include "kernels/cuda/windows.cuh"
#include "kernels/text.hpp"

namespace basesweep::cuda {
namespace {

constexpr std::uint32_t kPositions = 1U << 22;  // of the text

std::vector<std::uint64_t> random_plane(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> plane(kPositions / 64 + kPlanePadWords);
  std::generate(plane.begin(), plane.begin() + kPositions / 64, std::ref(random));
  return plane;
}

// Reads that are cut out of a text without edits, and their windows.
struct Reads {
  std::vector<std::uint64_t> lo, hi, known;
  std::vector<ReadQuery> queries;
  std::vector<std::uint32_t> numbers;
  std::vector<QueryWindow> windows;
};

Reads cut_reads(const std::vector<std::uint64_t>& lo, const std::vector<std::uint64_t>& hi, const WindowBench& bench) {
  const std::uint32_t words = (bench.length + 63) / 64;
  const std::uint32_t spare = 64 * words - bench.length;
  std::mt19937_64 random(bench.length);
  Reads reads;
  for (std::uint32_t q = 0; q < bench.windows; ++q) {
    const std::uint32_t margin = bench.length + 2 * bench.edits + 64;
    const auto at = margin + static_cast<std::uint32_t>(random() % (kPositions - 2 * margin));
    reads.queries.push_back(
        {q * words, static_cast<std::uint16_t>(bench.length), static_cast<std::uint16_t>(bench.edits)});
    reads.windows.push_back({q, at + bench.length - 1 - bench.edits, at + bench.length + bench.edits});
    for (std::uint32_t w = 0; w < words; ++w) {
      const std::uint64_t known = w == 0 ? ~std::uint64_t{0} << spare : ~std::uint64_t{0};
      const auto cut = [&](const std::vector<std::uint64_t>& plane) {
        return positions_at(plane.data(), at + 64 * w - spare) & known;
      };
      reads.lo.push_back(cut(lo));
      reads.hi.push_back(cut(hi));
      reads.known.push_back(known);
    }
  }
  for (std::vector<std::uint64_t>* plane : {&reads.lo, &reads.hi, &reads.known}) plane->push_back(0);
  reads.numbers.resize(bench.windows);
  std::iota(reads.numbers.begin(), reads.numbers.end(), 0U);
  return reads;
}

}  // namespace

KernelTiming time_windows(const Room& room, const WindowBench& bench, int gpu, int runs) {
  BASESWEEP_CUDA(cudaSetDevice(gpu));
  const Stream stream;
  const std::vector<std::uint64_t> lo = random_plane(1);
  const std::vector<std::uint64_t> hi = random_plane(2);
  const Reads reads = cut_reads(lo, hi, bench);
  const auto text_lo = to_device(lo);
  const auto text_hi = to_device(hi);
  const auto read_lo = to_device(reads.lo);
  const auto read_hi = to_device(reads.hi);
  const auto known = to_device(reads.known);
  const auto queries = to_device(reads.queries);
  const auto numbers = to_device(reads.numbers);
  const auto windows = to_device(reads.windows);
  const std::uint32_t positions = 2 * bench.edits + 1;
  const std::uint64_t capacity = std::uint64_t{bench.windows} * positions;
  const DeviceBuffer<ReadEnd> ends(capacity);
  const DeviceBuffer<unsigned long long> found(1);
  const PackedView text{text_lo.get(), text_hi.get(), nullptr, 0, kPositions, 0, kPositions};
  const ReadQueryView view{read_lo.get(), read_hi.get(), known.get(),
                           queries.get(), bench.windows, static_cast<std::uint32_t>(reads.lo.size())};
  const WindowTask task{text,
                        view,
                        windows.get(),
                        bench.windows,
                        (bench.length + 63) / 64,
                        bench.length,
                        bench.edits,
                        positions + bench.length + bench.edits,
                        positions,
                        {ends.get(), capacity, found.get(), numbers.get()}};
  DeviceBuffer<std::byte> workspace;
  const double seconds = median_seconds(runs, stream, [&] {
    BASESWEEP_CUDA(cudaMemsetAsync(found.get(), 0, sizeof(unsigned long long), stream.get()));
    room.verify_windows(task, workspace, stream.get());
  });
  unsigned long long count = 0;
  BASESWEEP_CUDA(cudaMemcpy(&count, found.get(), sizeof count, cudaMemcpyDeviceToHost));
  return {seconds, count};
}

}  // namespace basesweep::cuda
