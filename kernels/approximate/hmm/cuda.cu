#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "kernels/approximate/hmm/paper.hpp"
#include "kernels/approximate/hmm/paper_shared.cuh"
#include "kernels/approximate/hmm/wave.cuh"
#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/timing.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep::hmm {
namespace {

// How a text is divided among teams. A pattern that does not fill its last strip is filled up with rows that take any
// base. Each of them passes the last row on, one position later, so that their number is the delay.
struct LaunchShape {
  int rows;     // in a strip
  int threads;  // in a team
  int teams;    // in a block
  std::uint32_t stride, overlap;
  std::uint32_t parts;

  int warps() const { return (threads + 31) / 32; }
  std::uint32_t blocks() const { return (parts + 2 * teams - 1) / (2 * teams); }
  std::uint32_t tiles(std::uint32_t delay) const { return (stride + overlap + delay + 2 * kTile - 2) / kTile; }
};

constexpr int kStrips[] = {2, 4, 8, 16, 24, 32};

LaunchShape shape_strips(std::uint32_t length, int rows) {
  LaunchShape shape{};
  shape.rows = rows;
  shape.threads = (static_cast<int>(length) + rows - 1) / rows;
  shape.teams = std::max(1, 32 / shape.threads);
  return shape;
}

// The clocks that a launch takes. Fitted to the steps of an H200, of a warp that has its scheduler (four in a
// multiprocessor) to itself and of several that share one. Waiting for each other costs the warps of a block an eighth.
double cost(const LaunchShape& shape, int processors) {
  const double blocks = std::ceil(static_cast<double>(shape.blocks()) / processors);
  const double warps = std::ceil(blocks * shape.warps() / 4);
  const double step = std::max(50 + 6.5 * shape.rows, 10 + 2.0 * shape.rows + warps * (14 + 4.7 * shape.rows));
  return (shape.tiles(0) + 2.0 * (shape.warps() - 1)) * kTile * step * (shape.warps() > 1 ? 1.125 : 1);
}

// The fastest shape to search `positions` positions, where each part needs `overlap` positions in front.
LaunchShape shape_search(std::uint32_t length, std::uint32_t overlap, std::uint32_t positions, int processors) {
  LaunchShape best{};
  double least = 0;
  for (const int rows : kStrips) {
    for (int warps = 1; warps <= 6; ++warps) {  // on a scheduler
      LaunchShape shape = shape_strips(length, rows);
      const int blocks = std::max(1, 4 * processors * warps / shape.warps());
      const auto max_parts = static_cast<std::uint32_t>(2 * shape.teams * blocks);
      shape.stride = ((positions - 1) / max_parts / kTile + 1) * kTile;
      shape.overlap = overlap;
      shape.parts = (positions - 1) / shape.stride + 1;
      const double clocks = cost(shape, processors);
      if (best.rows != 0 && clocks >= least) continue;
      best = shape;
      least = clocks;
    }
  }
  return best;
}

// The paper's shape: a given number of parts, each with an overlap of 2m.
LaunchShape shape_paper(std::uint32_t length, std::uint32_t positions, std::uint32_t parts, int processors) {
  LaunchShape best{};
  double least = 0;
  for (const int rows : kStrips) {
    LaunchShape shape = shape_strips(length, rows);
    shape.overlap = 2 * length;
    const std::uint32_t own = positions > shape.overlap ? positions - shape.overlap : 1;
    shape.stride = ((own - 1) / parts / kTile + 1) * kTile;
    shape.parts = parts;
    const double clocks = cost(shape, processors);
    if (best.rows != 0 && clocks >= least) continue;
    best = shape;
    least = clocks;
  }
  return best;
}

template <int Rows, class Report>
void launch_wave(const LaunchShape& shape, const TextParts& parts, std::uint32_t blocks, const Report& report,
                 cudaStream_t stream) {
  if (shape.threads <= 32) {
    wave<Rows, false><<<blocks, 32, 0, stream>>>(parts, shape.threads, report);
  } else {
    wave<Rows, true><<<blocks, 32 * shape.warps(), 0, stream>>>(parts, shape.threads, report);
  }
}

template <class Report>
void launch_wave(const LaunchShape& shape, const TextParts& parts, const Report& report, cudaStream_t stream) {
  const std::uint32_t blocks = shape.blocks();
  switch (shape.rows) {
    case 2: return launch_wave<2>(shape, parts, blocks, report, stream);
    case 4: return launch_wave<4>(shape, parts, blocks, report, stream);
    case 8: return launch_wave<8>(shape, parts, blocks, report, stream);
    case 16: return launch_wave<16>(shape, parts, blocks, report, stream);
    case 24: return launch_wave<24>(shape, parts, blocks, report, stream);
    default: return launch_wave<32>(shape, parts, blocks, report, stream);
  }
}

// Appends the rows of a pattern: byte b of a row is 2 if the row takes the base of code b, else 1. Then rows that take
// any base, for the longest delay.
void append_rows(std::span<const BaseSet> sets, std::vector<std::uint32_t>& rows) {
  const auto gains = [](std::uint32_t set) {
    return 0x01010101 + ((set & 1) | (set & 2) << 7 | (set & 4) << 14 | (set & 8) << 21);
  };
  for (const BaseSet set : sets) rows.push_back(gains(set));
  rows.insert(rows.end(), std::end(kStrips)[-1] - 1, gains(kAnyBase));
}

const std::uint32_t* as_words(const std::uint64_t* plane) { return reinterpret_cast<const std::uint32_t*>(plane); }

class HmmKernel final : public cuda::Kernel {
 public:
  explicit HmmKernel(const RoomOptions& options) {
    std::vector<std::uint32_t> rows;
    for (const std::uint32_t e : options.queries) {
      const Query& query = options.patterns.queries()[e];
      queries_.push_back({e, static_cast<std::uint32_t>(query.sets.size()), query.limits.edits, rows.size()});
      append_rows(query.sets, rows);
    }
    rows_ = cuda::to_device(rows);
    BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, options.gpu));
  }

  void launch(const cuda::DeviceSink& sink, std::byte* /*workspace*/, cudaStream_t stream) const override {
    if (sink.text.own_begin >= sink.text.own_end) return;
    for (const SearchQuery& query : queries_) launch(query, sink, stream);
  }

 private:
  struct SearchQuery {
    std::uint32_t query, length, edits;
    std::size_t first_row;
  };

  void launch(const SearchQuery& query, const cuda::DeviceSink& sink, cudaStream_t stream) const {
    const std::int64_t context = std::int64_t{sink.text.own_begin} - query.length - query.edits;
    const std::int64_t first = context >> 5 << 5;
    const auto overlap = static_cast<std::uint32_t>(sink.text.own_begin - first);
    const LaunchShape shape = shape_search(query.length, overlap, sink.text.own_end - sink.text.own_begin, processors_);
    const auto rows = static_cast<std::uint32_t>(shape.rows * shape.threads);
    const std::uint32_t delay = rows - query.length;
    const TextParts parts{as_words(sink.text.lo), as_words(sink.text.hi), sink.text.positions + delay,  first,
                          shape.stride,           shape.tiles(delay),     rows_.get() + query.first_row};
    const SendEnds report{sink,
                          query.query,
                          rows - query.edits,
                          static_cast<int>(overlap),
                          static_cast<int>(overlap + shape.stride),
                          static_cast<int>(delay)};
    launch_wave(shape, parts, report, stream);
  }

  std::vector<SearchQuery> queries_;
  cuda::DeviceBuffer<std::uint32_t> rows_;
  int processors_ = 1;
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<HmmKernel>(options);
}

PaperResult run_paper(std::span<const BaseSet> pattern, const PaperText& text, std::uint32_t parts, int gpu, int runs,
                      PaperKernel kernel) {
  BASESWEEP_CUDA(cudaSetDevice(gpu));
  int processors = 0;
  BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, gpu));
  const auto length = static_cast<std::uint32_t>(pattern.size());
  const LaunchShape shape = shape_paper(length, text.positions, parts, processors);
  const auto rows = static_cast<std::uint32_t>(shape.rows * shape.threads);
  std::vector<std::uint32_t> gains;
  append_rows(pattern, gains);
  const auto gains_on_device = cuda::to_device(gains);
  const auto lo = cuda::to_device(text.lo);
  const auto hi = cuda::to_device(text.hi);
  const auto distance = cuda::to_device(std::vector<std::uint32_t>{~0U});
  const TextParts cut{as_words(lo.get()), as_words(hi.get()),         text.positions + rows - length, 0,
                      shape.stride,       shape.tiles(rows - length), gains_on_device.get()};
  const SharedPart part{as_words(lo.get()), as_words(hi.get()),    text.positions, shape.stride,
                        shape.overlap,      gains_on_device.get(), length,         distance.get()};
  const cuda::Stream stream;
  PaperResult result{};
  result.seconds = cuda::median_seconds(runs, stream, [&] {
    if (kernel == PaperKernel::registers) return launch_wave(shape, cut, KeepLeast{distance.get(), rows}, stream.get());
    shared_wave<<<parts, shared_threads(length), shared_diagonal_bytes(length), stream.get()>>>(part);
  });
  BASESWEEP_CUDA(cudaMemcpy(&result.distance, distance.get(), sizeof result.distance, cudaMemcpyDeviceToHost));
  return result;
}

}  // namespace basesweep::hmm
