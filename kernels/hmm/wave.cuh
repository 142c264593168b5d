// The GPU kernel of `hmm`: a wavefront over strips of rows.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/hit_sink.cuh"
#include "kernels/hmm/step.hpp"

namespace basesweep::hmm {

// A word holds a value of each of two pieces of text.
constexpr std::uint32_t kOne = 0x00010001;
constexpr int kChunk = 32;           // columns, and steps between two barriers
constexpr int kBorder = 4 * kChunk;  // columns of the row between two warps that are kept

// 32 columns of a text. Bits of `none`: there is no base.
struct Word {
  std::uint32_t lo, hi, none;
};

// A source gives each team two texts and the pattern's rows:
//   Team                    what a thread keeps of them
//   team(number)
//   first/second_word(team, column)   from that column of the team's texts on
//   chunks(team, lag)       of 32 columns, the last of which reach the last row `lag` steps later
//   Gains, gains(team, row, all_rows)  what the cells of a row may gain
//   selector(...)           what makes pick() select the two values that a cell pair's diagonals gain
// A diagonal gains 2 for a match, else 1, as values go up by 1 a column; where there is no base, 1 or less.

// The text of a launch, cut into pieces of which each begins `stride` columns after the one before. Two are a team's.
struct Pieces {
  const std::uint32_t* lo;  // planes, in words of 32 columns
  const std::uint32_t* hi;
  std::uint32_t end;           // columns from here on hold no base
  std::int64_t first;          // where the first piece begins: a multiple of 32, perhaps negative
  std::uint32_t stride;        // a multiple of 32
  std::uint32_t piece_chunks;  // of a piece, overlap and delay included
  const std::uint32_t* rows;   // a byte for each base: 2 where the row takes it, else 1

  struct Team {
    std::int64_t begin;
  };
  using Gains = std::uint32_t;

  __device__ Team team(std::uint32_t number) const { return {first + static_cast<std::int64_t>(2 * number) * stride}; }
  __device__ Word first_word(const Team& team, int column) const { return word_at(team.begin + column); }
  __device__ Word second_word(const Team& team, int column) const { return word_at(team.begin + stride + column); }
  __device__ int chunks(const Team& /*team*/, int /*lag*/) const { return static_cast<int>(piece_chunks); }
  __device__ Gains gains(const Team& /*team*/, int row, int /*all_rows*/) const { return rows[row]; }

  // Of a row's four bytes and kNoBase.
  static constexpr std::uint32_t kNoBase = 1;
  static constexpr std::uint16_t kNoBases = 0x5454;
  static __device__ std::uint32_t selector(const Word& first, const Word& second, int column) {
    const auto code = [column](const Word& word) {
      return (word.none >> column & 1) != 0 ? 4 : (word.lo >> column & 1) | (word.hi >> column & 1) << 1;
    };
    return 0x5050U | code(first) | code(second) << 8;
  }
  static __device__ std::uint32_t pick(Gains gains, std::uint32_t select) {
    return __byte_perm(gains, kNoBase, select);
  }

 private:
  __device__ Word word_at(std::int64_t column) const {
    if (column < 0 || column >= end) return {0, 0, ~0U};
    const auto left = static_cast<std::uint32_t>(end - column);
    return {lo[column / 32], hi[column / 32], left < 32 ? ~0U << left : 0};
  }
};

struct PairMax {
  BASESWEEP_HD std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    return __vimax3_u16x2(a, b, c);
  }
};

// What becomes of the last row.
struct SendEnds {
  static constexpr bool kSends = true;
  cuda::DeviceSink sink;
  std::uint32_t entry;
  std::uint32_t least;  // the least value that is an end
  int begin, end;       // columns of a piece that are its own
  int delay;            // columns that the last row is late

  __device__ bool has_end(const Pieces::Team& /*team*/, std::uint32_t most) const {
    return (most & 0xFFFF) >= least || most >> 16 >= least;
  }
  // `value`: of the last row when it was at `column` of the team's pieces.
  __device__ void send(const Pieces& pieces, const Pieces::Team& team, std::uint32_t value, int column) const {
    column -= delay;
    if (column < begin || column >= end) return;
    const auto at = static_cast<std::uint32_t>(team.begin + column);
    if ((value & 0xFFFF) >= least) sink.hit(at, entry);
    if (value >> 16 >= least) sink.hit(at + pieces.stride, entry);
  }
};

struct KeepLeast {
  static constexpr bool kSends = false;
  std::uint32_t* distance;
  std::uint32_t rows;

  __device__ void keep(std::uint32_t most) const { atomicMin(distance, rows - max(most & 0xFFFF, most >> 16)); }
};

template <int Rows>
constexpr int kMostThreads = ((kMostRows + Rows - 1) / Rows + 31) / 32 * 32;

// A team of `team_threads` threads holds the pattern, each a strip of rows, and works on two pieces of text. In a step
// the thread of strip s computes its rows of column (step - s): an anti-diagonal of strips. At hand are, of the
// diagonal before, its own cells and the last row of the strip above (`up`), and that row of one diagonal before
// (`corner`). Without Many a block is one warp of as many teams as fit, with Many one team of several warps; from warp
// to warp the row between them passes through shared memory, 64 steps later.
//
// Values have their column's distance from the chunk's first added (and kChunk, so that none is negative). What a left
// neighbour loses by being a column old, it then keeps: a cell costs a PRMT, an addition and a three-way maximum.
template <int Rows, bool Many, class Source, class Report>
__global__ void __launch_bounds__(Many ? kMostThreads<Rows> : 32)
    wave(const __grid_constant__ Source source, const int team_threads, const __grid_constant__ Report report) {
  // The odd numbers of words keep teams that use the same column of theirs in different banks.
  __shared__ std::uint16_t texts[Many ? kMostThreads<Rows> / 32 : 32][2 * kChunk + 2];
  __shared__ std::uint32_t border[Many ? kMostThreads<Rows> / 32 : 1][kBorder];
  __shared__ std::uint32_t last_row[Many ? 1 : 32][kChunk + 1];
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int warp = static_cast<int>(threadIdx.x / 32);
  const int teams = Many ? 1 : 32 / team_threads;
  const int team = Many ? 0 : min(lane / team_threads, teams - 1);
  const int strip = Many ? static_cast<int>(threadIdx.x) : lane - team * team_threads;
  const bool idle = strip >= team_threads;
  const bool last = strip == team_threads - 1;
  const int lag = Many ? lane : strip;  // steps behind the warp's first column
  const int stagers = Many ? 32 : team_threads;
  std::uint16_t* const text = texts[Many ? warp : team];  // of the chunk before, and of this one
  const std::uint16_t* const here = text + kChunk - lag;
  const auto own = source.team(blockIdx.x * teams + team);

  typename Source::Gains row_gains[Rows];
  std::uint32_t cells[Rows];
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    row_gains[r] = idle ? typename Source::Gains{} : source.gains(own, strip * Rows + r, team_threads * Rows);
    cells[r] = (kChunk - 1 - lag) * kOne;
  }
  std::uint32_t corner = cells[0];
  std::uint32_t most = 0;  // of the last row
  if (lag < stagers) {     // before the piece there is no base
    for (int i = lag; i < kChunk; i += stagers) text[kChunk + i] = Source::kNoBases;
  }
  const int chunks = source.chunks(own, Many ? 31 : team_threads - 1);
  const int phases = Many ? chunks + 2 * (static_cast<int>(blockDim.x) / 32 - 1) : chunks;
  Word first = source.first_word(own, 0);
  Word second = source.second_word(own, 0);
  for (int phase = 0; phase < phases; ++phase) {
    const int chunk = (Many ? phase - 2 * warp : phase) * kChunk;  // its first column
    std::uint32_t inflow = 0;                                      // lane i: row above the warp, at column chunk + i
    if constexpr (Many) {
      __syncthreads();
      if (chunk < 0 || chunk >= chunks * kChunk) continue;
      if (warp != 0) inflow = border[warp - 1][(chunk + lane + 31) % kBorder];
    }
    if (lag < stagers) {
      for (int i = lag; i < kChunk; i += stagers) {
        text[i] = text[kChunk + i];
        text[kChunk + i] = static_cast<std::uint16_t>(Source::selector(first, second, i));
      }
    }
    __syncwarp();
    first = source.first_word(own, chunk + kChunk);
    second = source.second_word(own, chunk + kChunk);
    std::uint32_t select = here[0];
    std::uint32_t* const outflow = &border[Many ? warp : 0][chunk % kBorder];
#pragma unroll(Rows < 32 ? 32 / Rows : 2)
    for (int i = 0; i < kChunk; ++i) {
      const std::uint32_t added = (kChunk + i - lag) * kOne;
      const std::uint32_t above = (Many ? __shfl_sync(~0U, inflow, i) : 0) + added;
      std::uint32_t up = __shfl_up_sync(~0U, cells[Rows - 1], 1);
      if ((Many ? lane : strip) == 0) up = above;
      std::uint32_t diagonal = corner;
      corner = up;
#pragma unroll
      for (int r = 0; r < Rows; ++r) {
        const std::uint32_t left = cells[r];
        up = cell(left, up, diagonal, Source::pick(row_gains[r], select), PairMax{});
        cells[r] = up;
        diagonal = left;
      }
      select = here[i + 1];
      const std::uint32_t value = up - added;
      most = __vmaxu2(most, value);
      if (Many && lane == 31) outflow[i] = value;
      if (Report::kSends && last) last_row[team][i] = value;
    }
    corner -= kChunk * kOne;
#pragma unroll
    for (int r = 0; r < Rows; ++r) cells[r] -= kChunk * kOne;
    if constexpr (Report::kSends) {
      if (__any_sync(~0U, last && report.has_end(own, most))) {
        __syncwarp();
        for (int t = 0; t < teams; ++t) {
          report.send(source, source.team(blockIdx.x * teams + t), last_row[t][lane],
                      chunk + lane - (team_threads - 1) % 32);
        }
      }
      most = 0;
    }
    __syncwarp();
  }
  if constexpr (!Report::kSends) {
    if (last) report.keep(most);
  }
}

}  // namespace basesweep::hmm
