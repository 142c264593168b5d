// Finds the ends of reads in windows of the reference with the wave of wave.cuh. A team has two windows, of one read or
// of two.
#include <algorithm>
#include <cmath>

#include "kernels/approximate/hmm/wave.cuh"
#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/windows.cuh"
#include "kernels/text.hpp"

namespace basesweep::hmm {
namespace {

// Windows 2 i and 2 i + 1 belong to team i. The rows of a query fill the team's strips from the bottom up. Rows that
// are left over match nothing: their values stay equal to the border above them.
struct Windows {
  cuda::WindowTask task;

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
  __device__ Team team(std::uint32_t number) const { return {{half(2 * number), half(2 * number + 1)}}; }

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
    return (static_cast<int>(positions) + lag + kTile - 1) / kTile;
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

  __device__ bool has_end(const Windows::Team& team, std::uint32_t most) const {
    return (most & 0xFFFF) >= team.half[0].least || most >> 16 >= team.half[1].least;
  }
  // `value` is the last row's value at `position` of the team's texts.
  __device__ void send(const Windows& windows, const Windows::Team& team, std::uint32_t value, int position) const {
    send(windows, team.half[0], value & 0xFFFF, position);
    send(windows, team.half[1], value >> 16, position);
  }
  __device__ void send(const Windows& windows, const Windows::Half& half, std::uint32_t value, int position) const {
    const std::uint32_t at = half.begin + static_cast<std::uint32_t>(position);
    if (position < 0 || value < half.least || at < half.window.first || at >= half.window.end) return;
    const std::uint32_t length = windows.task.reads.queries[half.window.query].length;
    windows.task.sink.send(half.window.query, at, length - value);
  }
};

template <int Rows>
void launch(const Windows& windows, int threads, cudaStream_t stream) {
  const std::uint32_t pairs = (windows.task.count - 1) / 2 + 1;
  if (threads <= 32) {
    const auto teams = static_cast<std::uint32_t>(32 / threads);
    wave<Rows, false><<<(pairs - 1) / teams + 1, 32, 0, stream>>>(windows, threads, SendReadEnds{});
  } else if constexpr (Rows == 32) {
    wave<Rows, true><<<pairs, (threads + 31) / 32 * 32, 0, stream>>>(windows, threads, SendReadEnds{});
  }
}

int threads_for(std::uint32_t length, int rows) { return (static_cast<int>(length) + rows - 1) / rows; }

// The number of rows of a strip with which a warp does most in a clock. The clocks of a step are those of cuda.cu for
// warps that share a scheduler.
int choose_rows(const cuda::WindowTask& task) {
  int best = 32;
  double least = 0;
  for (const int rows : {32, 24, 16, 8, 4}) {
    const int threads = threads_for(task.longest, rows);
    if (threads > 32) break;
    const std::uint32_t steps = (task.longest + threads + 30) / kTile * kTile;  // steps of the shortest window
    const double clocks = steps * (14 + 4.7 * rows) / (32 / threads);
    if (least != 0 && clocks >= least) continue;
    best = rows;
    least = clocks;
  }
  return best;
}

}  // namespace

void verify_windows(const cuda::WindowTask& task, cuda::DeviceBuffer<std::byte>& /*workspace*/, cudaStream_t stream) {
  const Windows windows{task};
  const int rows = choose_rows(task);
  const int threads = threads_for(task.longest, rows);
  switch (rows) {
    case 4: launch<4>(windows, threads, stream); break;
    case 8: launch<8>(windows, threads, stream); break;
    case 16: launch<16>(windows, threads, stream); break;
    case 24: launch<24>(windows, threads, stream); break;
    default: launch<32>(windows, threads, stream); break;
  }
  BASESWEEP_CUDA(cudaGetLastError());
}

}  // namespace basesweep::hmm
