// The kernel of `hmm`: a wavefront over strips of rows.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/approximate/hmm/step.hpp"
#include "kernels/cuda/occurrence_sink.cuh"

namespace basesweep::hmm {

// 1 in both halves of a word. A word holds a value for each of two parts of text.
constexpr std::uint32_t kOne = 0x00010001;
constexpr int kTile = 32;           // positions, and steps between two barriers
constexpr int kBorder = 4 * kTile;  // positions that are kept of the row between two warps

// 32 positions of a text. Set bits of `none` are positions without a base.
struct Word {
  std::uint32_t lo, hi, none;
};

// A Source gives each team two texts and the rows of the pattern:
//   Team, team(number)                      what a thread keeps of a team's texts
//   first_word(team, position)              32 positions of the first text, from `position` on
//   second_word(team, position)             32 positions of the second text
//   tiles(team, lag)                        tiles until all positions have reached the last row, `lag` steps late; 0 if
//                                           the block has no text
//   Gains, gains(team, row, all_rows)       what the cells of a row may gain
//   selector(first, second, position)       what makes pick() select the gains at a position; kNoBases: without bases
//   pick(gains, selector)                   what the diagonals of a pair of cells gain
// A diagonal gains 2 for a match and 1 otherwise, because values go up by 1 a position; where there is no base it gains
// 1 or less.

// The text of a launch, cut into parts. Each part begins `stride` positions after the one before, and a team has two
// parts.
struct TextParts {
  const std::uint32_t* lo;  // planes, in words of 32 positions
  const std::uint32_t* hi;
  std::uint32_t end;          // from here on there is no base
  std::int64_t first;         // where the first part begins; a multiple of 32, perhaps negative
  std::uint32_t stride;       // a multiple of 32
  std::uint32_t part_tiles;   // tiles in a part, overlap and delay included
  const std::uint32_t* rows;  // a byte for each base: 2 if the row takes it, else 1

  struct Team {
    std::int64_t begin;
  };
  using Gains = std::uint32_t;

  __device__ Team team(std::uint32_t number) const { return {first + static_cast<std::int64_t>(2 * number) * stride}; }
  __device__ Word first_word(const Team& team, int position) const { return word_at(team.begin + position); }
  __device__ Word second_word(const Team& team, int position) const { return word_at(team.begin + stride + position); }
  __device__ int tiles(const Team& /*team*/, int /*lag*/) const { return static_cast<int>(part_tiles); }
  __device__ Gains gains(const Team& /*team*/, int row, int /*all_rows*/) const { return rows[row]; }

  // Selects among a row's four bytes and kNoBase.
  static constexpr std::uint32_t kNoBase = 1;
  static constexpr std::uint16_t kNoBases = 0x5454;
  static __device__ std::uint32_t selector(const Word& first, const Word& second, int position) {
    const auto code = [position](const Word& word) {
      return (word.none >> position & 1) != 0 ? 4 : (word.lo >> position & 1) | (word.hi >> position & 1) << 1;
    };
    return 0x5050U | code(first) | code(second) << 8;
  }
  static __device__ std::uint32_t pick(Gains gains, std::uint32_t select) {
    return __byte_perm(gains, kNoBase, select);
  }

 private:
  __device__ Word word_at(std::int64_t position) const {
    if (position < 0 || position >= end) return {0, 0, ~0U};
    const auto left = static_cast<std::uint32_t>(end - position);
    return {lo[position / 32], hi[position / 32], left < 32 ? ~0U << left : 0};
  }
};

struct PairMax {
  BASESWEEP_HD std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    return __vimax3_u16x2(a, b, c);
  }
};

// A Report says what is done with the last row. This one sends the ends, for a matcher.
struct SendEnds {
  static constexpr bool kSends = true;
  cuda::DeviceSink sink;
  std::uint32_t query;
  std::uint32_t least;  // the least value that is an end
  int begin, end;       // the part's own positions, [begin, end)
  int delay;            // the last row is this many positions late

  __device__ bool has_end(const TextParts::Team& /*team*/, std::uint32_t most) const {
    return (most & 0xFFFF) >= least || most >> 16 >= least;
  }
  // `value` is the last row's value at `position` of the team's parts.
  __device__ void send(const TextParts& parts, const TextParts::Team& team, std::uint32_t value, int position) const {
    position -= delay;
    if (position < begin || position >= end) return;
    const auto at = static_cast<std::uint32_t>(team.begin + position);
    if ((value & 0xFFFF) >= least) sink.send(at, query);
    if (value >> 16 >= least) sink.send(at + parts.stride, query);
  }
};

// This one keeps the least distance, for the paper's experiment.
struct KeepLeast {
  static constexpr bool kSends = false;
  std::uint32_t* distance;
  std::uint32_t rows;

  __device__ void keep(std::uint32_t most) const { atomicMin(distance, rows - max(most & 0xFFFF, most >> 16)); }
};

template <int Rows>
constexpr int kMaxThreads = ((kMaxRows + Rows - 1) / Rows + 31) / 32 * 32;

// A thread's place in its block.
struct ThreadRole {
  int lane, warp;
  int teams;    // in the block
  int team;     // number among the block's teams
  int strip;    // number among the team's strips
  int lag;      // steps behind the warp's first position
  int stagers;  // threads that fetch the team's text
  bool idle;    // no strip is left for the thread
  bool last;    // its strip is the pattern's last
};

template <bool Many>
__device__ __forceinline__ ThreadRole place_of_thread(int team_threads) {
  ThreadRole place;
  place.lane = static_cast<int>(threadIdx.x % 32);
  place.warp = static_cast<int>(threadIdx.x / 32);
  place.teams = Many ? 1 : 32 / team_threads;
  place.team = Many ? 0 : min(place.lane / team_threads, place.teams - 1);
  place.strip = Many ? static_cast<int>(threadIdx.x) : place.lane - place.team * team_threads;
  place.lag = Many ? place.lane : place.strip;
  place.stagers = Many ? 32 : team_threads;
  place.idle = place.strip >= team_threads;
  place.last = place.strip == team_threads - 1;
  return place;
}

// Before a part of text there is no base.
template <class Source>
__device__ __forceinline__ void stage_nothing(std::uint16_t* text, const ThreadRole& place) {
  if (place.lag >= place.stagers) return;
  for (int i = place.lag; i < kTile; i += place.stagers) text[kTile + i] = Source::kNoBases;
}

// Moves a team's text on by a tile, whose positions `first` and `second` are in its two parts.
template <class Source>
__device__ __forceinline__ void stage_text(std::uint16_t* text, const Word& first, const Word& second,
                                           const ThreadRole& place) {
  if (place.lag >= place.stagers) return;
  for (int i = place.lag; i < kTile; i += place.stagers) {
    text[i] = text[kTile + i];
    text[kTile + i] = static_cast<std::uint16_t>(Source::selector(first, second, i));
  }
}

// Moves a thread's strip on by a position and returns its last row there. `up` and `diagonal`: the row above the strip
// at this position and the one before.
template <class Source, int Rows>
__device__ __forceinline__ std::uint32_t advance_strip(std::uint32_t (&cells)[Rows],
                                                       const typename Source::Gains (&gains)[Rows], std::uint32_t up,
                                                       std::uint32_t diagonal, std::uint32_t select) {
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    const std::uint32_t left = cells[r];
    up = cell(left, up, diagonal, Source::pick(gains[r], select), PairMax{});
    cells[r] = up;
    diagonal = left;
  }
  return up;
}

// A team of `team_threads` threads holds the pattern, each thread a strip of rows, and works on two parts of text. In a
// step the thread of strip s computes its rows at position (step - s): an anti-diagonal of strips. From the diagonal
// before it has its own cells and the last row of the strip above (`up`), and from the diagonal before that the same
// row (`corner`). Without Many a block is one warp, with as many teams as fit. With Many it is one team of several
// warps; the row between two warps passes through shared memory, 64 steps later.
//
// Each value has its position's distance from the tile's first position added (and kTile, so that none is negative). A
// left neighbour then does not lose 1 for being a position old, and a cell costs a PRMT, an addition and a three-way
// maximum.
template <int Rows, bool Many, class Source, class Report>
__global__ void __launch_bounds__(Many ? kMaxThreads<Rows> : 32)
    wave(const __grid_constant__ Source source, const int team_threads, const __grid_constant__ Report report) {
  // The odd numbers of words put the same position of different teams into different banks.
  __shared__ std::uint16_t texts[Many ? kMaxThreads<Rows> / 32 : 32][2 * kTile + 2];
  __shared__ std::uint32_t border[Many ? kMaxThreads<Rows> / 32 : 1][kBorder];
  __shared__ std::uint32_t last_row[Many ? 1 : 32][kTile + 1];
  const ThreadRole place = place_of_thread<Many>(team_threads);
  std::uint16_t* const text = texts[Many ? place.warp : place.team];  // the tile before, then this one
  const std::uint16_t* const here = text + kTile - place.lag;
  const auto own = source.team(blockIdx.x * place.teams + place.team);
  const int tiles = source.tiles(own, Many ? 31 : team_threads - 1);
  if (tiles == 0) return;

  typename Source::Gains row_gains[Rows];
  std::uint32_t cells[Rows];
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    row_gains[r] =
        place.idle ? typename Source::Gains{} : source.gains(own, place.strip * Rows + r, team_threads * Rows);
    cells[r] = (kTile - 1 - place.lag) * kOne;
  }
  std::uint32_t corner = cells[0];
  std::uint32_t most = 0;  // the highest value in the last row
  stage_nothing<Source>(text, place);
  const int phases = Many ? tiles + 2 * (static_cast<int>(blockDim.x) / 32 - 1) : tiles;
  Word first = source.first_word(own, 0);
  Word second = source.second_word(own, 0);
  for (int phase = 0; phase < phases; ++phase) {
    const int tile = (Many ? phase - 2 * place.warp : phase) * kTile;  // its first position
    std::uint32_t inflow = 0;  // lane i: row above the warp, at position tile + i
    if constexpr (Many) {
      __syncthreads();
      if (tile < 0 || tile >= tiles * kTile) continue;
      if (place.warp != 0) inflow = border[place.warp - 1][(tile + place.lane + 31) % kBorder];
    }
    stage_text<Source>(text, first, second, place);
    __syncwarp();
    first = source.first_word(own, tile + kTile);
    second = source.second_word(own, tile + kTile);
    std::uint32_t select = here[0];
    std::uint32_t* const outflow = &border[Many ? place.warp : 0][tile % kBorder];
#pragma unroll(Rows < 32 ? 32 / Rows : 2)
    for (int i = 0; i < kTile; ++i) {
      const std::uint32_t added = (kTile + i - place.lag) * kOne;
      const std::uint32_t above = (Many ? __shfl_sync(~0U, inflow, i) : 0) + added;
      std::uint32_t up = __shfl_up_sync(~0U, cells[Rows - 1], 1);
      if ((Many ? place.lane : place.strip) == 0) up = above;
      const std::uint32_t value = advance_strip<Source>(cells, row_gains, up, corner, select) - added;
      corner = up;
      select = here[i + 1];
      most = __vmaxu2(most, value);
      if (Many && place.lane == 31) outflow[i] = value;
      if (Report::kSends && place.last) last_row[place.team][i] = value;
    }
    corner -= kTile * kOne;
#pragma unroll
    for (int r = 0; r < Rows; ++r) cells[r] -= kTile * kOne;
    if constexpr (Report::kSends) {
      if (__any_sync(~0U, place.last && report.has_end(own, most))) {
        __syncwarp();
        for (int t = 0; t < place.teams; ++t) {
          report.send(source, source.team(blockIdx.x * place.teams + t), last_row[t][place.lane],
                      tile + place.lane - (team_threads - 1) % 32);
        }
      }
      most = 0;
    }
    __syncwarp();
  }
  if constexpr (!Report::kSends) {
    if (place.last) report.keep(most);
  }
}

}  // namespace basesweep::hmm
