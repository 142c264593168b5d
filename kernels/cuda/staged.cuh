// The kernel of staged rooms: each thread scans a stretch of the text, with the same function that scans all of it on
// the CPU. How it reads tables and text depends on the Stage (kernels/tuning.hpp): Kouzinopoulos, Michailidis,
// Margaritis 2015, sections 3.2 and 4.
//
// A Scan (kernels/tables/staged.hpp) is trivially copyable and points to the room's tables on the device. It may have a
// static kTable, a pointer to its member that points to a table. In the last stage each block then keeps that table in
// shared memory if it fits. The paper does not do that.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kernels/cuda/device.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/occurrence_sink.cuh"
#include "kernels/cuda/waiting_occurrences.cuh"
#include "kernels/tables/staged.hpp"
#include "kernels/text.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep::cuda {

// Measured for the four rooms with the sets of their READMEs, with 128 to 1,024 threads and 32 to 544 positions for
// each thread. Few large blocks leave more of a processor's memory to the cache.
inline constexpr int kStagedThreads = 1024;

struct StagedShape {
  // An odd number of words of 32, so that neighbouring threads read different banks of the tile, which needs no
  // padding.
  std::uint32_t thread_positions;
  std::uint32_t waiting_occurrences;  // room in a block
};
inline constexpr StagedShape kUsualShape{96, 2048};
inline constexpr StagedShape kDenseShape{32,
                                         4096};  // for occurrences so frequent that the usual room would not suffice

// The usual shape for a scan whose work reaches `past` positions past its part: short parts would waste most of it. Not
// so large that two blocks would not share a processor, if each may have `max_bytes`. Measured on an H200, 2026-11-24,
// with 1,000 patterns on 2^30 random bases, in Gbase/s for parts of 96, 160, 224 and 352 positions (`bench paper
// --table kouz-stretches`):
//
//     bases         32                       64                      100                     200
//     wu-manber     3750 3930 3785 1485      4636 4959 4993 4093     4883 5654 6017 5254     6314 8022 8164 7843
//     sbom          1301 1122 1031  643      1957 1945 1662 1128     1744 2504 2221 1831     2781 3994 2790 3114
//
// and with patterns of 254 bases 6559, 7982, 9703, 8127 and 2708, 3885, 4848, 2993. (wu-manber with shorter blocks than
// it takes today; kernels/exact/wu_manber/README.md has both.)
inline StagedShape usual_shape(const StagedReach& reach, std::size_t max_bytes) {
  const std::uint32_t past = reach.past;
  const std::uint32_t by_past = past < 60 ? 96 : past < 240 ? 160 : past < 480 ? 224 : 352;
  const std::uint32_t most = reach.stretch != 0 ? reach.stretch : by_past;
  constexpr std::uint32_t kAround = 1U << 14;  // positions that are fetched around a tile, at most
  const auto bytes = [](std::uint32_t positions) {
    return (kStagedThreads * positions + kAround) / 4 + WaitingOccurrences::bytes(kUsualShape.waiting_occurrences);
  };
  StagedShape shape = kUsualShape;
  while (shape.thread_positions < most && bytes(shape.thread_positions + 64) <= max_bytes) {
    shape.thread_positions += 64;
  }
  return shape;
}

// A block scans tiles; each of its threads scans `thread_positions` positions of a tile.
struct StagedLaunch {
  std::uint32_t begin, end;  // positions to scan
  std::uint32_t origin;      // where the first tile begins
  std::uint32_t thread_positions;
  std::uint32_t tiles;
  std::uint32_t left, right;          // positions that are fetched on either side of a tile
  std::uint32_t tile_words;           // words of 32 positions in each plane, with `left` and `right`
  std::uint32_t table_bytes;          // size of the table that each block keeps; 0: none
  std::uint32_t waiting_occurrences;  // room in a block; 0: occurrences are counted
};

// The text of a tile in shared memory.
struct TileText {
  PlanesText planes;  // all of the text
  const std::uint32_t* lo;
  const std::uint32_t* hi;
  std::uint32_t first;  // number of the first word of 32 positions

  BASESWEEP_HD std::uint32_t lo_at(std::uint32_t position) const { return at(lo, position); }
  BASESWEEP_HD std::uint32_t hi_at(std::uint32_t position) const { return at(hi, position); }

 private:
  BASESWEEP_HD std::uint32_t at(const std::uint32_t* tile, std::uint32_t position) const {
    const std::uint32_t* word = tile + (position / 32 - first);
    return static_cast<std::uint32_t>((std::uint64_t{word[1]} << 32 | word[0]) >> (position % 32));
  }
};

BASESWEEP_HD PlanesText whole_text(const TileText& tile) { return tile.planes; }

// Copies to shared memory. For all threads of a block.
template <class Word>
__device__ void fetch_shared(void* to, const void* from, std::size_t bytes) {
  for (std::uint32_t i = threadIdx.x; i < bytes / sizeof(Word); i += blockDim.x) {
    static_cast<Word*>(to)[i] = static_cast<const Word*>(from)[i];
  }
}

template <Stage kStage, bool kKeepsTable, class Scan>
__global__ void __launch_bounds__(kStagedThreads)
    staged_search(const __grid_constant__ Scan given, const __grid_constant__ DeviceSink sink,
                  const __grid_constant__ StagedLaunch shape) {
  using Fetch = std::conditional_t<kStage == Stage::plain || kKeepsTable, PlainFetch, ReadOnlyFetch>;
  using Word = std::conditional_t<kStage == Stage::vector_loads, uint4, std::uint32_t>;
  sink.begin_block();
  auto* shared = DeviceSink::own_shared<unsigned char>();
  Scan scan = given;
  if constexpr (kKeepsTable) {
    using Table = std::remove_cvref_t<decltype(given.*Scan::kTable)>;
    fetch_shared<uint4>(shared, given.*Scan::kTable, shape.table_bytes);
    scan.*Scan::kTable = reinterpret_cast<Table>(shared);
    shared += shape.table_bytes;
  }
  auto* lo = reinterpret_cast<std::uint32_t*>(shared);
  auto* hi = lo + shape.tile_words;
  const WaitingOccurrences waiting(hi + shape.tile_words, shape.waiting_occurrences);
  const bool counting = shape.waiting_occurrences == 0;
  if (!counting && threadIdx.x == 0) waiting.clear();
  __syncthreads();

  const auto emit = [&](std::uint32_t position, std::uint32_t query) {
    if (counting) {
      sink.send(position, query);
    } else {
      waiting.add(sink, position, query);
    }
  };
  const PlanesText planes{sink.text.lo, sink.text.hi};
  const std::uint32_t tile_positions = blockDim.x * shape.thread_positions;
  for (std::uint32_t tile = blockIdx.x; tile < shape.tiles; tile += gridDim.x) {
    const std::uint32_t tile_begin = shape.origin + tile * tile_positions;
    const std::uint32_t begin = max(tile_begin + threadIdx.x * shape.thread_positions, shape.begin);
    const std::uint32_t end = min(tile_begin + (threadIdx.x + 1) * shape.thread_positions, shape.end);
    if constexpr (kStage >= Stage::shared_text) {
      const std::uint32_t first = (tile_begin - min(tile_begin, shape.left)) / 32;
      const std::uint32_t last_end = (shape.end + 127) / 128 * 128;
      const std::uint32_t stop = (min(tile_begin + tile_positions, last_end) + shape.right) / 32;
      const std::size_t bytes = (stop - first) * sizeof(std::uint32_t);
      fetch_shared<Word>(lo, reinterpret_cast<const std::uint32_t*>(planes.lo) + first, bytes);
      fetch_shared<Word>(hi, reinterpret_cast<const std::uint32_t*>(planes.hi) + first, bytes);
      __syncthreads();
      if (begin < end) scan.template operator()<Fetch>(TileText{planes, lo, hi, first}, begin, end, emit);
      if (counting) __syncthreads();  // before the next tile is fetched
    } else {
      if (begin < end) scan.template operator()<Fetch>(planes, begin, end, emit);
    }
    if (!counting) waiting.send(sink);
  }
  sink.end_block();
}

// A room's kernel, in the stage that options.tuning sets.
template <class Scan>
class StagedKernel final : public Kernel {
 public:
  // `tables` owns what the scan points to. `table_bytes`: size of the table of Scan::kTable.
  StagedKernel(const RoomOptions& options, DeviceTables tables, const Scan& scan, const StagedReach& reach,
               std::size_t table_bytes = 0)
      : device_(options.gpu),
        tables_(std::move(tables)),
        scan_(scan),
        reach_(reach),
        stage_(options.tuning.stage),
        table_bytes_(whole_vectors(table_bytes)) {
    double expected = 0;  // occurrences at a position of random text
    for (const std::uint32_t e : options.queries) {
      expected += std::exp2(-2.0 * static_cast<double>(options.patterns.queries()[e].sets.size()));
    }
    const bool dense = expected * kStagedThreads * kUsualShape.thread_positions > kUsualShape.waiting_occurrences;
    shape_ = dense ? kDenseShape : usual_shape(reach, device_.shared_by_two());
    if (options.tuning.stretch != 0) shape_.thread_positions = options.tuning.stretch;
  }

  void launch(const DeviceSink& sink, std::byte* /*workspace*/, cudaStream_t stream) const override {
    switch (stage_) {
      case Stage::plain: return launch<Stage::plain, false>(sink, stream);
      case Stage::read_only_tables: return launch<Stage::read_only_tables, false>(sink, stream);
      case Stage::shared_text: return launch<Stage::shared_text, false>(sink, stream);
      case Stage::vector_loads:
        if constexpr (requires { Scan::kTable; }) {
          // With many occurrences, verification needs that memory more, as a cache.
          const bool dense = shape_.waiting_occurrences == kDenseShape.waiting_occurrences;
          if (!dense && bytes(launch_for<Stage::vector_loads, true>(sink)) <= device_.shared_bytes) {
            return launch<Stage::vector_loads, true>(sink, stream);
          }
        }
        return launch<Stage::vector_loads, false>(sink, stream);
    }
  }

 private:
  template <Stage kStage, bool kKeepsTable>
  StagedLaunch launch_for(const DeviceSink& sink) const {
    constexpr std::uint32_t kLine = 1024;  // positions that lie in one line of 128 bytes
    constexpr std::uint32_t kVector = 128;
    const auto round_up = [](std::uint32_t positions) { return (positions + kVector - 1) / kVector * kVector; };
    StagedLaunch shape{};
    shape.begin = sink.text.own_begin + reach_.begin_after;
    // Occurrences cannot end past the text's last position.
    shape.end = std::min(sink.text.own_end + reach_.end_after, sink.text.positions);
    shape.origin = shape.begin / kLine * kLine;
    shape.thread_positions = shape_.thread_positions;
    const std::uint32_t tile = kStagedThreads * shape.thread_positions;
    if (shape.begin < shape.end) shape.tiles = (shape.end - shape.origin + tile - 1) / tile;
    if (kStage >= Stage::shared_text) {
      shape.left = round_up(reach_.left);
      shape.right = round_up(reach_.right + 64);  // words are read in pairs
      shape.tile_words = (shape.left + tile + shape.right) / 32;
    }
    if (kKeepsTable) shape.table_bytes = table_bytes_;
    if (!sink.counts_only()) shape.waiting_occurrences = shape_.waiting_occurrences;
    return shape;
  }

  static std::size_t bytes(const StagedLaunch& shape) {
    return shape.table_bytes + 2 * shape.tile_words * sizeof(std::uint32_t) +
           WaitingOccurrences::bytes(shape.waiting_occurrences);
  }

  template <Stage kStage, bool kKeepsTable>
  void launch(const DeviceSink& given, cudaStream_t stream) const {
    const StagedLaunch shape = this->launch_for<kStage, kKeepsTable>(given);
    if (shape.tiles == 0) return;
    // Counters may take only so much that two blocks still share a processor.
    const std::size_t max_bytes = std::min(device_.shared_bytes, device_.shared_by_two());
    const DeviceSink sink = given.counting_in(bytes(shape), max_bytes);
    const auto kernel = staged_search<kStage, kKeepsTable, Scan>;
    device_.allow_shared(kernel);
    int resident = 0;
    BASESWEEP_CUDA(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, kStagedThreads, sink.shared_bytes()));
    const std::uint32_t blocks = std::min(shape.tiles, static_cast<std::uint32_t>(device_.processors * resident));
    kernel<<<blocks, kStagedThreads, sink.shared_bytes(), stream>>>(scan_, sink, shape);
  }

  const Device device_;
  const DeviceTables tables_;
  const Scan scan_;
  const StagedReach reach_;
  const Stage stage_;
  const std::uint32_t table_bytes_;
  StagedShape shape_;
};

}  // namespace basesweep::cuda
