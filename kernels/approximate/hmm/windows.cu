// Finds the ends of reads in windows of the reference with the wave of wave.cuh. A team has two windows, of one read or
// of two.
#include <algorithm>
#include <cmath>

#include "kernels/approximate/hmm/band.cuh"
#include "kernels/approximate/hmm/wave.cuh"
#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/windows.cuh"
#include "kernels/text.hpp"

namespace basesweep::hmm {
namespace {

// Windows 2 i and 2 i + 1 belong to team i. The rows of a query fill the team's strips from the bottom up. Rows that
// are left over match nothing: their values stay equal to the border above them.
struct TeamWindows {
  cuda::WindowTask task;
  // Threads of a team of band_wave(), which computes the pairs of windows that fit its band; 0: there is none.
  int band_threads;
  bool in_band;  // these are the pairs that fit it, else all others

  // One of a team's two windows, with its query.
  struct Half {
    QueryWindow window;
    std::uint32_t first_word;
    std::uint32_t begin;      // where its text begins
    std::uint32_t positions;  // in its text; 0: there is no window
    std::uint32_t least;      // the least value that is an end
  };
  struct Team {
    Half half[2];
  };
  // For each read, a byte for each base: 2 if the row takes it, else 1.
  struct Gains {
    std::uint32_t first, second;
  };

  __device__ Half half(std::uint32_t number) const {
    if (number >= task.count) return {{}, 0, 0, 0, 0xFFFF};
    const QueryWindow window = task.windows[number];
    const ReadQuery query = task.reads.queries[window.query];
    const std::uint32_t begin = context_begin(query, window.first);
    return {window, query.first_word, begin, window.end - begin, std::uint32_t{query.length} - query.edits};
  }
  __device__ Team team(std::uint32_t number) const {
    const Team team{{half(2 * number), half(2 * number + 1)}};
    const bool fits = band_threads != 0 && fits_band(team.half[0]) && fits_band(team.half[1]);
    return fits == in_band ? team : Team{{half(task.count), half(task.count)}};
  }
  __device__ bool fits_band(const Half& half) const {
    if (half.positions == 0) return true;
    const std::uint32_t edits = task.reads.queries[half.window.query].edits;
    return hmm::fits_band(half.window.end - half.window.first, edits, band_threads);
  }
  __device__ bool any(const Team& team) const { return team.half[0].positions != 0 || team.half[1].positions != 0; }

  __device__ Word first_word(const Team& team, int position) const { return word_at(team.half[0], position); }
  __device__ Word second_word(const Team& team, int position) const { return word_at(team.half[1], position); }
  __device__ Word word_at(const Half& half, int position) const {
    if (position >= static_cast<int>(half.positions)) return {0, 0, ~0U};
    return {static_cast<std::uint32_t>(positions_at(task.text.lo, half.begin + position)),
            static_cast<std::uint32_t>(positions_at(task.text.hi, half.begin + position)), 0};
  }

  // The greatest number of all teams of the warp.
  __device__ int tiles(const Team& team, int lag) const {
    std::uint32_t positions = max(team.half[0].positions, team.half[1].positions);
    for (int distance = 16; distance != 0; distance /= 2) {
      positions = max(positions, __shfl_xor_sync(~0U, positions, distance));
    }
    return positions == 0 ? 0 : (static_cast<int>(positions) + lag + kTile - 1) / kTile;
  }

  __device__ Gains gains(const Team& team, int row, int all_rows) const {
    const int position = row - all_rows + static_cast<int>(64 * task.words);  // in the words, with the spare ones
    return {gain(team.half[0].first_word, position), gain(team.half[1].first_word, position)};
  }
  __device__ std::uint32_t gain(std::uint32_t first_word, int position) const {
    if (position < 0) return 0x01010101;
    const std::uint32_t word = first_word + static_cast<std::uint32_t>(position) / 64;
    const unsigned bit = static_cast<unsigned>(position) % 64;
    const auto code =
        static_cast<std::uint32_t>((task.reads.lo[word] >> bit & 1) | (task.reads.hi[word] >> bit & 1) << 1);
    return 0x01010101 + (static_cast<std::uint32_t>(task.reads.known[word] >> bit & 1) << 8 * code);
  }

  // The text and the rows as band_wave() takes them. The rows of `strips` strips end with the query's last row.
  __device__ Word band_word(const Team& team, int half, int strips, int column) const {
    const Half& own = team.half[half];
    if (own.positions == 0) return {0, 0, ~0U};
    const std::int64_t at = band_begin(own, strips) + column;
    if (at <= -32 || at >= std::int64_t{own.window.end}) return {0, 0, ~0U};
    const auto word = [at](const std::uint64_t* plane) {
      if (at >= 0) return static_cast<std::uint32_t>(positions_at(plane, static_cast<std::uint32_t>(at)));
      return static_cast<std::uint32_t>(plane[0]) << -at;
    };
    return {word(task.text.lo), word(task.text.hi), at >= 0 ? 0U : (1U << -at) - 1};
  }
  __device__ std::int64_t band_begin(const Half& half, int strips) const {
    const std::uint32_t edits = task.reads.queries[half.window.query].edits;
    return std::int64_t{half.window.first} + 1 - kBandRows * strips - edits;
  }
  __device__ Word band_rows(const Team& team, int half, int strips, int strip) const {
    if (team.half[half].positions == 0) return {0, 0, ~0U};
    const std::uint32_t word = 2 * team.half[half].first_word + 2 * task.words + strip - strips;
    const auto rows = [word](const std::uint64_t* plane) {
      return reinterpret_cast<const std::uint32_t*>(plane)[word];
    };
    return {rows(task.reads.lo), rows(task.reads.hi), ~rows(task.reads.known)};
  }
  static __device__ std::uint32_t gain(const Word& word, int row) {
    const std::uint32_t code = (word.lo >> row & 1) | (word.hi >> row & 1) << 1;
    return 0x01010101 + ((~word.none >> row & 1) << 8 * code);
  }
  static __device__ bool has_end(const Team& team, std::uint32_t most) {
    return (most & 0xFFFF) >= team.half[0].least || most >> 16 >= team.half[1].least;
  }
  __device__ void send_band(const Team& team, std::uint32_t value, int strips, int column) const {
    send(team.half[0], value & 0xFFFF, band_begin(team.half[0], strips) + column);
    send(team.half[1], value >> 16, band_begin(team.half[1], strips) + column);
  }
  // `value` is the last row's value at a position of the reference.
  __device__ void send(const Half& half, std::uint32_t value, std::int64_t at) const {
    if (value < half.least || at < half.window.first || at >= half.window.end) return;
    const std::uint32_t length = task.reads.queries[half.window.query].length;
    task.sink.send(half.window.query, static_cast<std::uint32_t>(at), length - value);
  }

  // Selects among the four bytes of one read's row and the four of the other's. The highest bit of a PRMT selector
  // replicates a byte's sign, which is 0 here: this makes the upper bytes, and `no base`.
  static constexpr std::uint16_t kNoBases = 0x8888;
  static __device__ std::uint32_t selector(const Word& first, const Word& second, int position) {
    const auto code = [position](const Word& word) {
      return (word.lo >> position & 1) | (word.hi >> position & 1) << 1;
    };
    const auto has_base = [position](const Word& word) { return (word.none >> position & 1) == 0; };
    return (has_base(first) ? 0x80 + 0x11 * code(first) : 0x88) | (has_base(second) ? 0xC4 + 0x11 * code(second) : 0x88)
                                                                      << 8;
  }
  static __device__ std::uint32_t pick(const Gains& gains, std::uint32_t select) {
    std::uint32_t picked;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(picked) : "r"(gains.first), "r"(gains.second), "r"(select));
    return picked;
  }
};

struct SendReadEnds {
  static constexpr bool kSends = true;

  __device__ bool has_end(const TeamWindows::Team& team, std::uint32_t most) const {
    return TeamWindows::has_end(team, most);
  }
  // `value` is the last row's value at `position` of the team's texts.
  __device__ void send(const TeamWindows& windows, const TeamWindows::Team& team, std::uint32_t value,
                       int position) const {
    if (position < 0) return;
    windows.send(team.half[0], value & 0xFFFF, std::int64_t{team.half[0].begin} + position);
    windows.send(team.half[1], value >> 16, std::int64_t{team.half[1].begin} + position);
  }
};

template <int Rows>
void launch(const TeamWindows& windows, int threads, cudaStream_t stream) {
  const std::uint32_t pairs = (windows.task.count - 1) / 2 + 1;
  if (threads <= 32) {
    const auto teams = static_cast<std::uint32_t>(32 / threads);
    wave<Rows, false><<<(pairs - 1) / teams + 1, 32, 0, stream>>>(windows, threads, SendReadEnds{});
  } else if constexpr (Rows == 32) {
    wave<Rows, true><<<pairs, (threads + 31) / 32 * 32, 0, stream>>>(windows, threads, SendReadEnds{});
  }
}

int threads_for(std::uint32_t length, int rows) { return (static_cast<int>(length) + rows - 1) / rows; }

// The clocks that a warp takes for its steps, by the windows that it does at a time. A step takes the clocks that
// cuda.cu gives for warps that share a scheduler.
double clocks(std::uint32_t steps, int rows, int team_threads) {
  const int warps = (team_threads + 31) / 32;
  return steps * (14 + 4.7 * rows) * warps / std::max(1, 32 / team_threads);
}

// The number of rows of a strip with which a warp does most in a clock, if the whole matrix is computed.
struct WholeShape {
  int rows = 32;
  double clocks = 0;
};

WholeShape choose_rows(const cuda::WindowTask& task) {
  WholeShape best;
  for (const int rows : {32, 24, 16, 8, 4}) {
    const int threads = threads_for(task.longest, rows);
    if (threads > 32 && rows != 32) break;
    const std::uint32_t steps = (task.longest + threads + 30) / kTile * kTile;  // steps of the shortest window
    const double taken = clocks(steps, rows, threads);
    if (best.clocks != 0 && taken >= best.clocks) continue;
    best = {rows, taken};
  }
  return best;
}

// The threads of a team for a band in which the usual window fits, or a somewhat wider one, since candidates that are
// some insertions or deletions apart make one window. 0: the whole matrix costs less.
int choose_band(const cuda::WindowTask& task, const WholeShape& whole) {
  int threads = 2;
  while (!fits_band(task.usual_positions + task.max_edits / 2, task.max_edits, threads)) {
    if (++threads > 32) return 0;
  }
  const int strips = threads_for(task.longest, kBandRows);
  const int teams = std::min(32 / threads, kMaxBandTeams);
  threads = 32 / teams;
  return clocks(kBandTile * (strips - 1 + threads), kBandRows, threads) < whole.clocks ? threads : 0;
}

void launch_band(const TeamWindows& windows, cudaStream_t stream) {
  const std::uint32_t pairs = (windows.task.count - 1) / 2 + 1;
  const auto teams = static_cast<std::uint32_t>(32 / windows.band_threads);
  band_wave<<<(pairs - 1) / teams + 1, 32, 0, stream>>>(windows, windows.band_threads,
                                                        threads_for(windows.task.longest, kBandRows));
}

}  // namespace

void verify_windows(const cuda::WindowTask& task, cuda::DeviceBuffer<std::byte>& /*workspace*/, cudaStream_t stream) {
  const WholeShape whole = choose_rows(task);
  const int band_threads = choose_band(task, whole);
  if (band_threads != 0) launch_band({task, band_threads, true}, stream);
  const TeamWindows windows{task, band_threads, false};
  const int threads = threads_for(task.longest, whole.rows);
  switch (whole.rows) {
    case 4: launch<4>(windows, threads, stream); break;
    case 8: launch<8>(windows, threads, stream); break;
    case 16: launch<16>(windows, threads, stream); break;
    case 24: launch<24>(windows, threads, stream); break;
    default: launch<32>(windows, threads, stream); break;
  }
  BASESWEEP_CUDA(cudaGetLastError());
}

}  // namespace basesweep::hmm
