// Finds the ends of reads in windows of the reference, 32 windows at a time, one bit of a word each. Patterns differ
// from bit to bit like texts, so both are transposed. A lane has a strip of rows, as in the wave of `hmm`: in a step
// the lane of strip s computes its rows at position (step - s), because the lane before computed the row above them one
// step earlier.
#include <algorithm>

#include "kernels/approximate/bitsliced/step.hpp"
#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/windows.cuh"
#include "kernels/text.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::bitsliced {
namespace {

constexpr int kWarp = 32;  // lanes, windows of a team, positions and steps of a tile
constexpr std::uint32_t kStripRows = 16;

// How a warp uses its lanes. Patterns of more strips than lanes take several passes; the horizontal differences below a
// pass wait in memory for the next.
struct WarpLayout {
  int strips;           // in the patterns
  int lanes;            // in a team
  int teams;            // in a warp
  std::uint32_t units;  // units of work: a unit is as many windows as a warp's teams take
  uint2* borders;       // `border_positions` for each block
  std::uint32_t border_positions;

  __host__ __device__ int passes() const { return (strips + kWarp - 1) / kWarp; }
  // In words of 8 bytes; chosen so that the lanes of all teams read from different banks.
  __host__ __device__ int text_stride() const { return 2 * kWarp + lanes % 16; }
  __host__ __device__ std::size_t shared_bytes() const {
    return teams * (text_stride() * sizeof(uint2) + kWarp * (sizeof(uint2) + 3 * sizeof(std::uint32_t)));
  }
};

// The shared memory of a warp, by team.
struct Shared {
  uint2* text;            // low and high code bits of the tile before, then of this one
  uint2* below;           // horizontal differences +1 and -1 below the last strip, for each step of the tile
  std::uint32_t* begins;  // for each window, the position where its text begins
  std::int32_t* scores;
  std::int32_t* limits;  // edits, or -1 where there is no window

  __device__ Shared(const WarpLayout& shape, std::byte* memory)
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
  std::uint32_t lo[kStripRows], hi[kStripRows], known[kStripRows];  // the patterns
  std::uint32_t pv[kStripRows], mv[kStripRows];

  __device__ __forceinline__ void advance(uint2 text, std::uint32_t& ph, std::uint32_t& mh) {
#pragma unroll
    for (int r = 0; r < static_cast<int>(kStripRows); ++r) {
      cell<PlainLogic>((lo[r] ^ text.x) | (hi[r] ^ text.y) | ~known[r], pv[r], mv[r], ph, mh);
    }
  }
};

// One unit of work, which a warp does.
struct Unit {
  const cuda::WindowTask& task;
  const WarpLayout& shape;
  const Shared& shared;
  unsigned lane;
  std::uint32_t first_window;

  // The number of the lane's window in a team.
  __device__ std::uint32_t window_number(int team) const { return first_window + team * kWarp + lane; }

  // Loads the lane's windows, one for each team. Returns the positions of the longest window's text.
  __device__ std::uint32_t load_windows() const {
    std::uint32_t positions = 0;
    for (int t = 0; t < shape.teams; ++t) {
      const int i = t * kWarp + static_cast<int>(lane);
      shared.begins[i] = task.text.positions;
      shared.scores[i] = 0;
      shared.limits[i] = -1;
      if (window_number(t) >= task.count) continue;
      const QueryWindow window = task.windows[window_number(t)];
      const ReadQuery query = task.reads.queries[window.query];
      shared.begins[i] = context_begin(query, window.first);
      shared.scores[i] = query.length;
      shared.limits[i] = query.edits;
      positions = max(positions, window.end - shared.begins[i]);
    }
    for (int distance = 16; distance != 0; distance /= 2) {
      positions = max(positions, __shfl_xor_sync(~0U, positions, distance));
    }
    return positions;
  }

  // Loads the rows of strip `own_strip` for the lanes of `own_team`. All patterns have the same number of words, with
  // the last position in the highest bit, so that their rows are side by side. Rows before them that belong to no
  // pattern match nothing: with the vertical difference +1 that they start with, they pass on the horizontal difference
  // 0 from above the first row.
  __device__ void load_rows(Strip& strip, int own_team, int own_strip, int first_strip, int end_strip) const {
    const int skipped = static_cast<int>(64 * task.words) - shape.strips * static_cast<int>(kStripRows);
    const int own_row = skipped + own_strip * static_cast<int>(kStripRows);
    auto* const staged = reinterpret_cast<std::uint32_t*>(shared.below);  // a team's has the 64 words needed
    for (int t = 0; t < shape.teams; ++t) {
      const bool has_window = window_number(t) < task.count;
      const std::uint32_t first_word =
          has_window ? task.reads.queries[task.windows[window_number(t)].query].first_word : 0;
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

  __device__ void load_text(std::uint32_t tile) const {
    for (int t = 0; t < shape.teams; ++t) {
      uint2* const text = shared.text + t * shape.text_stride() + lane;
      const std::uint32_t at = shared.begins[t * kWarp + static_cast<int>(lane)] + tile;
      const bool inside = at < task.text.positions;
      const auto positions = [&](const std::uint64_t* plane) {
        return transpose_lanes(inside ? static_cast<std::uint32_t>(positions_at(plane, at)) : 0, lane);
      };
      text[0] = text[kWarp];
      text[kWarp] = make_uint2(positions(task.text.lo), positions(task.text.hi));
    }
  }

  // Follows the scores of the last row over a tile, and sends ends. `position`: of the last row in the tile's first
  // step, perhaps negative.
  __device__ void follow_scores(int position) const {
    for (int t = 0; t < shape.teams; ++t) {
      const int i = t * kWarp + static_cast<int>(lane);
      const uint2 steps = shared.below[i];
      const std::uint32_t ph = transpose_lanes(steps.x, lane);  // of the lane's window, one bit for each step
      const std::uint32_t mh = transpose_lanes(steps.y, lane);
      std::int32_t score = shared.scores[i];
      shared.scores[i] = score + __popc(ph) - __popc(mh);
      const std::int32_t limit = shared.limits[i];
      if (score - __popc(mh) > limit) continue;
      const QueryWindow window = task.windows[min(window_number(t), task.count - 1)];
      for (int step = 0; step < kWarp; ++step) {
        score += static_cast<std::int32_t>(ph >> step & 1) - static_cast<std::int32_t>(mh >> step & 1);
        const std::uint32_t at = shared.begins[i] + static_cast<std::uint32_t>(position + step);
        if (score > limit || position + step < 0 || at < window.first || at >= window.end) continue;
        task.sink.send(window.query, at, static_cast<std::uint32_t>(score));
      }
    }
    __syncwarp();
  }
};

__global__ void __launch_bounds__(kWarp)
    verify(const __grid_constant__ cuda::WindowTask task, const __grid_constant__ WarpLayout shape) {
  extern __shared__ std::byte memory[];
  const Shared shared(shape, memory);
  const unsigned lane = threadIdx.x;
  const int team = min(static_cast<int>(lane) / shape.lanes, shape.teams - 1);
  const int own = static_cast<int>(lane) - team * shape.lanes;
  uint2* const border = shape.borders + std::uint64_t{blockIdx.x} * shape.border_positions;
  for (std::uint32_t number = blockIdx.x; number < shape.units; number += gridDim.x) {
    const Unit unit{task, shape, shared, lane, number * static_cast<std::uint32_t>(shape.teams * kWarp)};
    const std::uint32_t positions = unit.load_windows();
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
      for (std::uint32_t tile = 0; tile < positions + static_cast<std::uint32_t>(strips) - 1; tile += kWarp) {
        unit.load_text(tile);
        uint2 inflow = make_uint2(0, 0);  // lane i: above the first strip, at position tile + i
        if (first != 0 && tile + lane < positions) inflow = border[tile + lane];
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
          // A strip that has not reached its first position has nothing to do, and nothing comes in from above.
          if (!idle && static_cast<int>(tile) + i >= own) strip.advance(text[i], ph, mh);
          if (own == strips - 1) below[i] = make_uint2(ph, mh);
        }
        __syncwarp();
        const int position = static_cast<int>(tile) - (strips - 1);
        if (last_pass) {
          unit.follow_scores(position);
        } else if (const int at = position + static_cast<int>(lane); at >= 0 && at < static_cast<int>(positions)) {
          border[at] = shared.below[lane];
        }
        __syncwarp();
      }
    }
  }
}

// Reserves memory for the borders of as many blocks as there is work for; of fewer, where memory is short.
std::uint32_t reserve_borders(cuda::DeviceBuffer<std::byte>& workspace, std::size_t bytes_of_block,
                              std::uint32_t wanted) {
  constexpr std::uint32_t kMaxBlocks = 1U << 12;
  std::uint32_t blocks = std::min(wanted, kMaxBlocks);
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
  WarpLayout shape{};
  shape.strips = static_cast<int>((task.longest + kStripRows - 1) / kStripRows);
  shape.lanes = std::min(shape.strips, kWarp);
  shape.teams = kWarp / shape.lanes;
  shape.units = (task.count - 1) / static_cast<std::uint32_t>(shape.teams * kWarp) + 1;
  std::uint32_t blocks = shape.units;
  if (shape.passes() > 1) {
    shape.border_positions = std::min(task.max_positions, task.text.positions);
    blocks = reserve_borders(workspace, shape.border_positions * sizeof(uint2), blocks);
    shape.borders = reinterpret_cast<uint2*>(workspace.get());
  }
  verify<<<blocks, kWarp, shape.shared_bytes(), stream>>>(task, shape);
  BASESWEEP_CUDA(cudaGetLastError());
}

}  // namespace basesweep::bitsliced
