// The wave of wave.cuh for windows that are short next to their queries: only a band of the matrix is computed (Ukkonen
// 1985). An alignment with at most k edits that ends in [first, end) has k insertions and k deletions at most, so at
// row i of m it is at one of the positions from first - (m - i) - k to end - 1 - (m - i) + k.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/approximate/hmm/wave.cuh"

namespace basesweep::hmm {

inline constexpr int kBandRows = 32;             // in a strip
inline constexpr int kBandTile = kBandRows + 1;  // steps from the start of a strip to that of the next
inline constexpr int kBandText = 64;             // columns of text that a team keeps
inline constexpr int kMaxBandTeams = 16;         // in a warp

// Whether a team of `threads` threads computes all that matters for a window of `ends` positions.
BASESWEEP_HD constexpr bool fits_band(std::uint32_t ends, std::uint32_t edits, int threads) {
  return ends + 2 * edits + kBandRows <= static_cast<std::uint32_t>(kBandTile * threads);
}

// A Source has, as for wave(), Team, team(), Gains, selector(), pick(), and
//   band_word(team, half, strips, column)   32 positions of a text, from `column` on
//   band_rows(team, half, strips, strip)    the rows of a strip as a Word: `none` has the rows that match nothing
//   gain(word, row)                         the gains of a row of such a word
//   send(team, half, value, strips, column) takes a value of the last row
// Column 0 is the first one that an alignment can have at row 1 of all `strips` strips.
//
// The threads of a team are a ring. The thread of strip s starts it in tile s, at column 32 s, and has the next column
// in each step, so that it is one column after the strip above. After as many tiles as the team has threads it has
// left the band, and starts strip s + threads. Cells that were not computed count like row - 0 edits: a = 0, which is
// never more than the truth (kernels/approximate/hmm/step.hpp). So no value is too high, and values within the band are
// exact as far as they come from within it, which those of alignments with at most k edits do.
//
// Values have added the distance of their column from column 32 * tile - 1.
template <class Source>
__global__ void __launch_bounds__(32)
    band_wave(const __grid_constant__ Source source, const int team_threads, const int strips) {
  __shared__ std::uint16_t texts[kMaxBandTeams][kBandText + 2];
  __shared__ uint2 staged[kMaxBandTeams][kBandRows + 1];
  __shared__ std::uint32_t last_row[kMaxBandTeams][kBandTile];
  const int lane = static_cast<int>(threadIdx.x);
  const int teams = 32 / team_threads;
  const int team = min(lane / team_threads, teams - 1);
  const int thread = lane - team * team_threads;
  const bool idle = thread >= team_threads;
  const int above = team * team_threads + (thread == 0 ? team_threads : thread) - 1;  // lane of the strip above
  const auto own = source.team(blockIdx.x * teams + team);
  if (!__any_sync(~0U, source.any(own))) return;

  const auto stage_text = [&](int column) {  // 32 columns from `column` on
    if (idle) return;
    const Word first = source.band_word(own, 0, strips, column);
    const Word second = source.band_word(own, 1, strips, column);
    for (int i = thread; i < 32; i += team_threads) {
      texts[team][(column + i) % kBandText] = static_cast<std::uint16_t>(Source::selector(first, second, i));
    }
  };
  const auto stage_rows = [&](int strip) {
    if (idle) return;
    const Word first = source.band_rows(own, 0, strips, strip);
    const Word second = source.band_rows(own, 1, strips, strip);
    for (int r = thread; r < kBandRows; r += team_threads) {
      staged[team][r] = make_uint2(Source::gain(first, r), Source::gain(second, r));
    }
  };

  typename Source::Gains gains[kBandRows]{};
  std::uint32_t cells[kBandRows]{};
  std::uint32_t corner = 0;
  std::uint32_t from_above = 0;
  int age = thread == 0 ? 0 : team_threads - thread;  // tiles since the thread began its strip
  stage_text(0);
  for (int tile = 0; tile < strips - 1 + team_threads; ++tile) {
    __syncwarp();
    stage_text(32 * tile + 32);
    if (tile < strips) stage_rows(tile);
    __syncwarp();
    const int strip = tile - age;
    if (age == 0 && tile < strips) {
#pragma unroll
      for (int r = 0; r < kBandRows; ++r) {
        gains[r] = {staged[team][r].x, staged[team][r].y};
        cells[r] = 0;
      }
      corner = strip == 0 ? 0 : from_above;
    }
    const bool first_strip = strip == 0 || age == team_threads - 1;  // nothing is above, or no longer
    const bool last_strip = strip == strips - 1 && !idle;
    const int column = 32 * tile + age;
    std::uint32_t most = 0;
    std::uint32_t select = texts[team][column % kBandText];
#pragma unroll 3
    for (int i = 0; i < kBandTile; ++i) {
      const std::uint32_t added = static_cast<std::uint32_t>(i + age + 1) * kOne;
      from_above = __shfl_sync(~0U, cells[kBandRows - 1], above);
      const std::uint32_t up = first_strip ? added : from_above;
      const std::uint32_t value = advance_strip<Source>(cells, gains, up, corner, select) - added;
      corner = up;
      select = texts[team][(column + i + 1) % kBandText];
      if (last_strip) {
        most = __vmaxu2(most, value);
        last_row[team][i] = value;
      }
    }
    corner -= 32 * kOne;
    from_above -= 32 * kOne;
#pragma unroll
    for (int r = 0; r < kBandRows; ++r) cells[r] -= 32 * kOne;
    if (++age == team_threads) age = 0;
    if (!__any_sync(~0U, last_strip && source.has_end(own, most))) continue;
    __syncwarp();
    for (int t = 0; t < teams; ++t) {
      const auto their = source.team(blockIdx.x * teams + t);
      for (int i = lane; i < kBandTile; i += 32) {
        source.send_band(their, last_row[t][i], strips, 32 * tile + i + tile - (strips - 1));
      }
    }
  }
}

}  // namespace basesweep::hmm
