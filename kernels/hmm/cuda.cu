#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/timing.hpp"
#include "kernels/hmm/paper.hpp"
#include "kernels/hmm/wave.cuh"

namespace basesweep::hmm {
namespace {

// How a text is shared out. A pattern's last strip may be longer than what is left of the pattern: rows that take any
// base fill it, and pass the last row on, a column later each. That is the delay.
struct Plan {
  int rows;     // of a strip
  int threads;  // of a team
  int teams;    // of a block
  std::uint32_t stride, overlap;
  std::uint32_t pieces;

  int warps() const { return (threads + 31) / 32; }
  std::uint32_t blocks() const { return (pieces + 2 * teams - 1) / (2 * teams); }
  std::uint32_t chunks(std::uint32_t delay) const { return (stride + overlap + delay + 2 * kChunk - 2) / kChunk; }
};

constexpr int kStrips[] = {2, 4, 8, 16, 24, 32};

Plan plan_strips(std::uint32_t length, int rows) {
  Plan plan{};
  plan.rows = rows;
  plan.threads = (static_cast<int>(length) + rows - 1) / rows;
  plan.teams = std::max(1, 32 / plan.threads);
  return plan;
}

// Clocks that a plan takes. Fitted to steps measured on an H200: of a warp that has its scheduler (four in a
// multiprocessor) to itself, and of several that share it. Waiting for each other costs the warps of a block an eighth.
double cost(const Plan& plan, int processors) {
  const double blocks = std::ceil(static_cast<double>(plan.blocks()) / processors);
  const double warps = std::ceil(blocks * plan.warps() / 4);
  const double step = std::max(50 + 6.5 * plan.rows, 10 + 2.0 * plan.rows + warps * (14 + 4.7 * plan.rows));
  return (plan.chunks(0) + 2.0 * (plan.warps() - 1)) * kChunk * step * (plan.warps() > 1 ? 1.125 : 1);
}

// The fastest way to search `columns` columns, each with `overlap` columns before it.
Plan plan_search(std::uint32_t length, std::uint32_t overlap, std::uint32_t columns, int processors) {
  Plan best{};
  double least = 0;
  for (const int rows : kStrips) {
    for (int warps = 1; warps <= 6; ++warps) {  // a scheduler
      Plan plan = plan_strips(length, rows);
      const int blocks = std::max(1, 4 * processors * warps / plan.warps());
      const auto most_pieces = static_cast<std::uint32_t>(2 * plan.teams * blocks);
      plan.stride = ((columns - 1) / most_pieces / kChunk + 1) * kChunk;
      plan.overlap = overlap;
      plan.pieces = (columns - 1) / plan.stride + 1;
      const double clocks = cost(plan, processors);
      if (best.rows != 0 && clocks >= least) continue;
      best = plan;
      least = clocks;
    }
  }
  return best;
}

// The paper's: so many pieces, each with an overlap of 2m.
Plan plan_paper(std::uint32_t length, std::uint32_t columns, std::uint32_t pieces, int processors) {
  Plan best{};
  double least = 0;
  for (const int rows : kStrips) {
    Plan plan = plan_strips(length, rows);
    plan.overlap = 2 * length;
    const std::uint32_t own = columns > plan.overlap ? columns - plan.overlap : 1;
    plan.stride = ((own - 1) / pieces / kChunk + 1) * kChunk;
    plan.pieces = pieces;
    const double clocks = cost(plan, processors);
    if (best.rows != 0 && clocks >= least) continue;
    best = plan;
    least = clocks;
  }
  return best;
}

template <int Rows, class Report>
void launch_wave(const Plan& plan, const Pieces& pieces, std::uint32_t blocks, const Report& report,
                 cudaStream_t stream) {
  if (plan.threads <= 32) {
    wave<Rows, false><<<blocks, 32, 0, stream>>>(pieces, plan.threads, report);
  } else {
    wave<Rows, true><<<blocks, 32 * plan.warps(), 0, stream>>>(pieces, plan.threads, report);
  }
}

template <class Report>
void launch_wave(const Plan& plan, const Pieces& pieces, const Report& report, cudaStream_t stream) {
  const std::uint32_t blocks = plan.blocks();
  switch (plan.rows) {
    case 2: return launch_wave<2>(plan, pieces, blocks, report, stream);
    case 4: return launch_wave<4>(plan, pieces, blocks, report, stream);
    case 8: return launch_wave<8>(plan, pieces, blocks, report, stream);
    case 16: return launch_wave<16>(plan, pieces, blocks, report, stream);
    case 24: return launch_wave<24>(plan, pieces, blocks, report, stream);
    default: return launch_wave<32>(plan, pieces, blocks, report, stream);
  }
}

// Appends the rows of a pattern: byte b is 2 where the row takes the base of code b, else 1; and rows that take any,
// for the longest delay.
void append_rows(const std::vector<BaseSet>& columns, std::vector<std::uint32_t>& rows) {
  const auto gains = [](std::uint32_t set) {
    return 0x01010101 + ((set & 1) | (set & 2) << 7 | (set & 4) << 14 | (set & 8) << 21);
  };
  for (const BaseSet set : columns) rows.push_back(gains(set));
  rows.insert(rows.end(), std::end(kStrips)[-1] - 1, gains(kAnyBase));
}

const std::uint32_t* as_words(const std::uint64_t* plane) { return reinterpret_cast<const std::uint32_t*>(plane); }

class HmmKernel final : public cuda::Kernel {
 public:
  explicit HmmKernel(const RoomOptions& options) {
    std::vector<std::uint32_t> rows;
    for (const std::uint32_t e : options.entries) {
      const Entry& entry = options.patterns.entries()[e];
      entries_.push_back({e, static_cast<std::uint32_t>(entry.columns.size()), entry.limits.edits, rows.size()});
      append_rows(entry.columns, rows);
    }
    rows_ = cuda::to_device(rows);
    BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, options.gpu));
  }

  void launch(const cuda::DeviceSink& sink, std::byte* /*workspace*/, cudaStream_t stream) const override {
    if (sink.text.own_begin >= sink.text.own_end) return;
    for (const Sought& sought : entries_) launch(sought, sink, stream);
  }

 private:
  struct Sought {
    std::uint32_t entry, length, edits;
    std::size_t first_row;
  };

  void launch(const Sought& sought, const cuda::DeviceSink& sink, cudaStream_t stream) const {
    const std::int64_t context = std::int64_t{sink.text.own_begin} - sought.length - sought.edits;
    const std::int64_t first = context >> 5 << 5;
    const auto overlap = static_cast<std::uint32_t>(sink.text.own_begin - first);
    const Plan plan = plan_search(sought.length, overlap, sink.text.own_end - sink.text.own_begin, processors_);
    const auto rows = static_cast<std::uint32_t>(plan.rows * plan.threads);
    const std::uint32_t delay = rows - sought.length;
    const Pieces pieces{
        as_words(sink.text.lo), as_words(sink.text.hi),        sink.text.columns + delay, first, plan.stride,
        plan.chunks(delay),     rows_.get() + sought.first_row};
    const SendEnds report{sink,
                          sought.entry,
                          rows - sought.edits,
                          static_cast<int>(overlap),
                          static_cast<int>(overlap + plan.stride),
                          static_cast<int>(delay)};
    launch_wave(plan, pieces, report, stream);
  }

  std::vector<Sought> entries_;
  cuda::DeviceBuffer<std::uint32_t> rows_;
  int processors_ = 1;
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<HmmKernel>(options);
}

PaperResult run_paper(const std::vector<BaseSet>& pattern, const PaperText& text, std::uint32_t pieces, int gpu,
                      int runs) {
  BASESWEEP_CUDA(cudaSetDevice(gpu));
  int processors = 0;
  BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, gpu));
  const auto length = static_cast<std::uint32_t>(pattern.size());
  const Plan plan = plan_paper(length, text.columns, pieces, processors);
  const auto rows = static_cast<std::uint32_t>(plan.rows * plan.threads);
  std::vector<std::uint32_t> gains;
  append_rows(pattern, gains);
  const auto gains_on_device = cuda::to_device(gains);
  const auto lo = cuda::to_device(text.lo);
  const auto hi = cuda::to_device(text.hi);
  const auto distance = cuda::to_device(std::vector<std::uint32_t>{~0U});
  const Pieces cut{as_words(lo.get()), as_words(hi.get()),         text.columns + rows - length, 0,
                   plan.stride,        plan.chunks(rows - length), gains_on_device.get()};
  const cuda::Stream stream;
  PaperResult result{};
  result.seconds = cuda::median_seconds(runs, stream, [&] {
    launch_wave(plan, cut, KeepLeast{distance.get(), rows}, stream.get());
  });
  BASESWEEP_CUDA(cudaMemcpy(&result.distance, distance.get(), sizeof result.distance, cudaMemcpyDeviceToHost));
  return result;
}

}  // namespace basesweep::hmm
