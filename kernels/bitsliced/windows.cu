// Ends of reads in windows of the reference: 32 windows, a bit of a word each. Patterns differ from bit to bit as texts
// do, so both are transposed. As in the wave of `hmm`, a lane has a strip of rows, and in a step the lane of strip s
// computes its rows of column (step - s): what is above them was computed by the lane before, a step earlier.
#include <algorithm>

#include "kernels/bitsliced/step.hpp"
#include "kernels/cuda/window_kernel.hpp"
#include "kernels/cuda/windows.cuh"
#include "kernels/seeds/step.hpp"
#include "kernels/text.hpp"

namespace basesweep::bitsliced {
namespace {

constexpr int kWarp = 32;  // lanes, windows of a team, columns and steps of a chunk
constexpr std::uint32_t kStripRows = 16;

// How a warp shares out its lanes. Patterns of more strips than lanes take several passes; the horizontal differences
// below a pass then wait in memory.
struct Shape {
  int strips;           // of the patterns
  int lanes;            // of a team
  int teams;            // of a warp
  std::uint32_t units;  // of work: a unit is as many windows as a warp's teams take
  uint2* borders;       // for each block `border_columns`
  std::uint32_t border_columns;

  __host__ __device__ int passes() const { return (strips + kWarp - 1) / kWarp; }
  // So that lanes of all teams read their columns from different banks.
  __host__ __device__ int text_stride() const { return 2 * kWarp + lanes % 16; }
  __host__ __device__ std::size_t shared_bytes() const {
    return teams * (text_stride() * sizeof(uint2) + kWarp * (sizeof(uint2) + 3 * sizeof(std::uint32_t)));
  }
};

// A warp's memory, by team.
struct Shared {
  uint2* text;            // low code bits and high ones of the chunk before, and of this one
  uint2* below;           // horizontal differences +1 and -1 below the last strip, of the chunk's steps
  std::uint32_t* begins;  // of each window, the column where its text begins
  std::int32_t* scores;
  std::int32_t* limits;  // edits, or -1 where there is no window

  __device__ Shared(const Shape& shape, std::byte* memory)
      : text(reinterpret_cast<uint2*>(memory)),
        below(text + shape.teams * shape.text_stride()),
        begins(reinterpret_cast<std::uint32_t*>(below + shape.teams * kWarp)),
        scores(reinterpret_cast<std::int32_t*>(begins + shape.teams * kWarp)),
        limits(scores + shape.teams * kWarp) {}
};

// Swaps bit b of lane l with bit l of lane b (Warren, Hacker's Delight, 2nd edition, section 7-3).
__device__ __forceinline__ std::uint32_t transpose_lanes(std::uint32_t word, unsigned lane) {
#pragma unroll
  for (unsigned half = 16; half != 0; half /= 2) {
    const std::uint32_t low = ~0U / ((1U << half) + 1);
    const std::uint32_t other = __shfl_xor_sync(~0U, word, static_cast<int>(half));
    word = (lane & half) == 0 ? (word & low) | (other & low) << half : (word & ~low) | (other >> half & low);
  }
  return word;
}

struct Strip {
  std::uint32_t lo[kStripRows], hi[kStripRows], known[kStripRows];  // of the patterns
  std::uint32_t pv[kStripRows], mv[kStripRows];

  __device__ __forceinline__ void advance(uint2 text, std::uint32_t& ph, std::uint32_t& mh) {
#pragma unroll
    for (int r = 0; r < static_cast<int>(kStripRows); ++r) {
      cell<PlainLogic>((lo[r] ^ text.x) | (hi[r] ^ text.y) | ~known[r], pv[r], mv[r], ph, mh);
    }
  }
};

// A warp's work on a unit.
struct Unit {
  const cuda::WindowTask& task;
  const Shape& shape;
  const Shared& shared;
  unsigned lane;
  std::uint32_t first_window;

  // Of the lane, in a team.
  __device__ std::uint32_t window_number(int team) const { return first_window + team * kWarp + lane; }

  // Returns the columns of the longest window's text.
  __device__ std::uint32_t load_windows() const {
    std::uint32_t columns = 0;
    for (int t = 0; t < shape.teams; ++t) {
      const int i = t * kWarp + static_cast<int>(lane);
      shared.begins[i] = task.text.columns;
      shared.scores[i] = 0;
      shared.limits[i] = -1;
      if (window_number(t) >= task.count) continue;
      const SoughtWindow window = task.windows[window_number(t)];
      const SoughtEntry entry = task.reads.entries[window.entry];
      shared.begins[i] = context_begin(entry, window.first);
      shared.scores[i] = entry.length;
      shared.limits[i] = entry.edits;
      columns = max(columns, window.end - shared.begins[i]);
    }
    for (int distance = 16; distance != 0; distance /= 2) {
      columns = max(columns, __shfl_xor_sync(~0U, columns, distance));
    }
    return columns;
  }

  // The rows of strip `own_strip` for the lanes of `own_team`. All patterns have as many words, with the last column at
  // the top, so that their rows lie side by side. Rows in front that are no pattern's match nothing: with the vertical
  // difference +1 that they begin with, they pass on the horizontal difference 0 that is above the first row.
  __device__ void load_rows(Strip& strip, int own_team, int own_strip, int first_strip, int end_strip) const {
    const int skipped = static_cast<int>(64 * task.words) - shape.strips * static_cast<int>(kStripRows);
    const int own_row = skipped + own_strip * static_cast<int>(kStripRows);
    auto* const staged = reinterpret_cast<std::uint32_t*>(shared.below);  // of a team, as that has 64 words
    for (int t = 0; t < shape.teams; ++t) {
      const bool has_window = window_number(t) < task.count;
      const std::uint32_t first_word =
          has_window ? task.reads.entries[task.windows[window_number(t)].entry].first_word : 0;
      const auto load = [&](const std::uint64_t* plane, int half, std::uint32_t(&rows)[kStripRows]) {
        const auto* halves = reinterpret_cast<const std::uint32_t*>(plane + first_word);
        const std::uint32_t bits = transpose_lanes(has_window ? halves[half] : 0, lane);
        __syncwarp();
        staged[lane] = bits;
        __syncwarp();
        if (own_team != t || own_row / kWarp != half) return;
#pragma unroll
        for (int r = 0; r < static_cast<int>(kStripRows); ++r) rows[r] = staged[own_row % kWarp + r];
      };
      const int first_half = (skipped + first_strip * static_cast<int>(kStripRows)) / kWarp;
      const int end_half = (skipped + end_strip * static_cast<int>(kStripRows) + kWarp - 1) / kWarp;
      for (int half = first_half; half < end_half; ++half) {
        load(task.reads.lo, half, strip.lo);
        load(task.reads.hi, half, strip.hi);
        load(task.reads.known, half, strip.known);
      }
    }
    __syncwarp();
  }

  __device__ void load_text(std::uint32_t chunk) const {
    for (int t = 0; t < shape.teams; ++t) {
      uint2* const text = shared.text + t * shape.text_stride() + lane;
      const std::uint32_t at = shared.begins[t * kWarp + static_cast<int>(lane)] + chunk;
      const bool inside = at < task.text.columns;
      const auto columns = [&](const std::uint64_t* plane) {
        return transpose_lanes(inside ? static_cast<std::uint32_t>(columns_at(plane, at)) : 0, lane);
      };
      text[0] = text[kWarp];
      text[kWarp] = make_uint2(columns(task.text.lo), columns(task.text.hi));
    }
  }

  // Follows the scores below the last row. `column`: of the chunk's first step there, perhaps negative.
  __device__ void follow_scores(int column) const {
    for (int t = 0; t < shape.teams; ++t) {
      const int i = t * kWarp + static_cast<int>(lane);
      const uint2 steps = shared.below[i];
      const std::uint32_t ph = transpose_lanes(steps.x, lane);  // of the lane's window, a step a bit
      const std::uint32_t mh = transpose_lanes(steps.y, lane);
      std::int32_t score = shared.scores[i];
      shared.scores[i] = score + __popc(ph) - __popc(mh);
      const std::int32_t limit = shared.limits[i];
      if (score - __popc(mh) > limit) continue;
      const SoughtWindow window = task.windows[min(window_number(t), task.count - 1)];
      for (int step = 0; step < kWarp; ++step) {
        score += static_cast<std::int32_t>(ph >> step & 1) - static_cast<std::int32_t>(mh >> step & 1);
        const std::uint32_t at = shared.begins[i] + static_cast<std::uint32_t>(column + step);
        if (score > limit || column + step < 0 || at < window.first || at >= window.end) continue;
        task.sink.send(window.entry, at, static_cast<std::uint32_t>(score));
      }
    }
    __syncwarp();
  }
};

__global__ void __launch_bounds__(kWarp)
    verify(const __grid_constant__ cuda::WindowTask task, const __grid_constant__ Shape shape) {
  extern __shared__ std::byte memory[];
  const Shared shared(shape, memory);
  const unsigned lane = threadIdx.x;
  const int team = min(static_cast<int>(lane) / shape.lanes, shape.teams - 1);
  const int own = static_cast<int>(lane) - team * shape.lanes;
  uint2* const border = shape.borders + std::uint64_t{blockIdx.x} * shape.border_columns;
  for (std::uint32_t number = blockIdx.x; number < shape.units; number += gridDim.x) {
    const Unit unit{task, shape, shared, lane, number * static_cast<std::uint32_t>(shape.teams * kWarp)};
    const std::uint32_t columns = unit.load_windows();
    for (int first = 0; first < shape.strips; first += kWarp) {
      const int strips = min(shape.strips - first, shape.lanes);
      const bool last_pass = first + strips == shape.strips;
      const bool idle = own >= strips;
      Strip strip;
      unit.load_rows(strip, idle ? -1 : team, first + own, first, first + strips);
#pragma unroll
      for (int r = 0; r < static_cast<int>(kStripRows); ++r) {
        strip.pv[r] = ~0U;
        strip.mv[r] = 0;
      }
      std::uint32_t ph = 0;
      std::uint32_t mh = 0;
      for (std::uint32_t chunk = 0; chunk < columns + static_cast<std::uint32_t>(strips) - 1; chunk += kWarp) {
        unit.load_text(chunk);
        uint2 inflow = make_uint2(0, 0);  // lane i: above the first strip, at column chunk + i
        if (first != 0 && chunk + lane < columns) inflow = border[chunk + lane];
        __syncwarp();
        const uint2* const text = shared.text + team * shape.text_stride() + kWarp - own;
        uint2* const below = shared.below + team * kWarp;
#pragma unroll 2
        for (int i = 0; i < kWarp; ++i) {
          std::uint32_t above_ph = __shfl_up_sync(~0U, ph, 1);
          std::uint32_t above_mh = __shfl_up_sync(~0U, mh, 1);
          const std::uint32_t border_ph = __shfl_sync(~0U, inflow.x, i);
          const std::uint32_t border_mh = __shfl_sync(~0U, inflow.y, i);
          ph = own == 0 ? border_ph : above_ph;
          mh = own == 0 ? border_mh : above_mh;
          // Before its first column a strip has nothing to do, and nothing comes in from above.
          if (!idle && static_cast<int>(chunk) + i >= own) strip.advance(text[i], ph, mh);
          if (own == strips - 1) below[i] = make_uint2(ph, mh);
        }
        __syncwarp();
        const int column = static_cast<int>(chunk) - (strips - 1);
        if (last_pass) {
          unit.follow_scores(column);
        } else if (const int at = column + static_cast<int>(lane); at >= 0 && at < static_cast<int>(columns)) {
          border[at] = shared.below[lane];
        }
        __syncwarp();
      }
    }
  }
}

// Room for the borders of as many blocks as there is work or, to a bound, memory for.
std::uint32_t reserve_borders(cuda::DeviceBuffer<std::byte>& workspace, std::size_t bytes_of_block,
                              std::uint32_t wanted) {
  constexpr std::uint32_t kMostBlocks = 1U << 12;
  std::uint32_t blocks = std::min(wanted, kMostBlocks);
  while (true) {
    try {
      workspace.reserve(blocks * bytes_of_block);
      return blocks;
    } catch (const cuda::OutOfMemory&) {
      if (blocks == 1) throw;
      blocks = (blocks + 3) / 4;
    }
  }
}

}  // namespace

void verify_windows(const cuda::WindowTask& task, cuda::DeviceBuffer<std::byte>& workspace, cudaStream_t stream) {
  Shape shape{};
  shape.strips = static_cast<int>((task.longest + kStripRows - 1) / kStripRows);
  shape.lanes = std::min(shape.strips, kWarp);
  shape.teams = kWarp / shape.lanes;
  shape.units = (task.count - 1) / static_cast<std::uint32_t>(shape.teams * kWarp) + 1;
  std::uint32_t blocks = shape.units;
  if (shape.passes() > 1) {
    shape.border_columns = std::min(task.most_columns, task.text.columns);
    blocks = reserve_borders(workspace, shape.border_columns * sizeof(uint2), blocks);
    shape.borders = reinterpret_cast<uint2*>(workspace.get());
  }
  verify<<<blocks, kWarp, shape.shared_bytes(), stream>>>(task, shape);
  BASESWEEP_CUDA(cudaGetLastError());
}

}  // namespace basesweep::bitsliced
