// Measurements of `basesweep bench`: what verifies windows of reads on a GPU, as `map` has them from the index.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/cuda/bench.hpp"
#include "kernels/registry/rooms.hpp"
#include "tools/bench/support.hpp"

namespace basesweep {
namespace {

constexpr std::array kCases{cuda::WindowBench{24'000, 150, 8},    cuda::WindowBench{200'000, 150, 8},
                            cuda::WindowBench{6'000, 300, 15},    cuda::WindowBench{6'000, 500, 25},
                            cuda::WindowBench{50'000, 500, 25},   cuda::WindowBench{3'000, 1'000, 50},
                            cuda::WindowBench{1'500, 2'048, 100}, cuda::WindowBench{20'000, 2'048, 100}};

std::string name_of(Algorithm algorithm, const cuda::WindowBench& c) {
  return fmt::format("{} windows of {} x {} k={}", to_string(algorithm), c.windows, c.length, c.edits);
}

template <class Use>
void for_each_row(const BenchOptions& o, Use use) {
  for (const cuda::WindowBench& c : kCases) {
    for (const Algorithm algorithm : read_algorithms()) {
      if (name_of(algorithm, c).find(o.only) != std::string::npos) use(algorithm, c);
    }
  }
}

}  // namespace

bool any_window_row(const BenchOptions& o) {
  bool any = false;
  for_each_row(o, [&any](Algorithm, const cuda::WindowBench&) { any = true; });
  return any;
}

void bench_gpu_windows(int gpu, const BenchOptions& o, BenchRecord& record) {
  if (!any_window_row(o)) return;
  record.begin("gpu windows", fmt::format("GPU {}: windows of reads, kernels alone; bases: those of the windows and "
                                          "before them, times reads",
                                          gpu));
  for_each_row(o, [&](Algorithm algorithm, const cuda::WindowBench& c) {
    const cuda::KernelTiming timing = cuda::time_windows(room_of(algorithm), c, gpu, o.quick ? 5 : 21);
    const double bases = c.windows * (c.length + 3.0 * c.edits);
    record.add({name_of(algorithm, c), fmt::format("{:.1f} TCUPS", bases * c.length / timing.seconds / 1e12), bases,
                timing.seconds, fmt::format("{} ends", timing.occurrences)});
  });
}

}  // namespace basesweep
