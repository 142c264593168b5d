// The one kernel of rooms whose threads each scan a chunk of the text, with the function that the CPU scans all of it
// with. How it gets at tables and text is staged: Kouzinopoulos, Michailidis, Margaritis 2015, sections 3.2 and 4; see
// Stage in kernels/tuning.hpp.
//
// A Scan (kernels/staged.hpp) is trivially copyable and holds the room's tables on the device. It may also have a
// static kTable, pointer to its member that points to a table. In the last stage each block then keeps that in shared
// memory, where it has the room. The paper does not.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kernels/cuda/device.hpp"
#include "kernels/cuda/hit_sink.cuh"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/waiting_hits.cuh"
#include "kernels/staged.hpp"
#include "kernels/text.hpp"

namespace basesweep::cuda {

// Measured for the four rooms and sets of their READMEs, with 128 to 1,024 threads and chunks of 32 to 544 columns. Few
// large blocks leave more of a processor's memory to the cache.
inline constexpr int kStagedThreads = 1024;

// Columns of a thread and hits that a block has room for. Chunks are an odd number of words, so that threads side by
// side read different banks of the tile; it needs no padding.
struct StagedShape {
  std::uint32_t chunk, waiting_hits;
};
inline constexpr StagedShape kUsualShape{96, 2048};
inline constexpr StagedShape kDenseShape{32, 4096};  // where hits would find no room: at least twice as fast

struct StagedPlan {
  std::uint32_t begin, end;    // columns to be scanned
  std::uint32_t origin;        // where the first tile begins
  std::uint32_t chunk;         // columns of a thread
  std::uint32_t tiles;         // a tile has a chunk for each thread of a block
  std::uint32_t left, right;   // columns that are fetched beside a tile's own
  std::uint32_t tile_words;    // of 32 columns of each plane, with those
  std::uint32_t table_bytes;   // that each block keeps
  std::uint32_t waiting_hits;  // 0: hits are counted
};

// Columns of both planes in shared memory.
struct TileText {
  PlanesText planes;
  const std::uint32_t* lo;
  const std::uint32_t* hi;
  std::uint32_t first;  // word of 32 columns

  BASESWEEP_HD std::uint32_t lo_at(std::uint32_t column) const { return at(lo, column); }
  BASESWEEP_HD std::uint32_t hi_at(std::uint32_t column) const { return at(hi, column); }

 private:
  BASESWEEP_HD std::uint32_t at(const std::uint32_t* tile, std::uint32_t column) const {
    const std::uint32_t* word = tile + (column / 32 - first);
    return static_cast<std::uint32_t>((std::uint64_t{word[1]} << 32 | word[0]) >> (column % 32));
  }
};

BASESWEEP_HD PlanesText whole_text(const TileText& tile) { return tile.planes; }

// Copies to shared memory, by all threads of the block.
template <class Word>
__device__ void fetch_shared(void* to, const void* from, std::size_t bytes) {
  for (std::uint32_t i = threadIdx.x; i < bytes / sizeof(Word); i += blockDim.x) {
    static_cast<Word*>(to)[i] = static_cast<const Word*>(from)[i];
  }
}

template <Stage kStage, bool kKeepsTable, class Scan>
__global__ void __launch_bounds__(kStagedThreads)
    staged_search(const __grid_constant__ Scan given, const __grid_constant__ DeviceSink sink,
                  const __grid_constant__ StagedPlan plan) {
  using Fetch = std::conditional_t<kStage == Stage::plain || kKeepsTable, PlainFetch, ReadOnlyFetch>;
  using Word = std::conditional_t<kStage == Stage::vector_loads, uint4, std::uint32_t>;
  sink.begin_block();
  auto* shared = DeviceSink::own_shared<unsigned char>();
  Scan scan = given;
  if constexpr (kKeepsTable) {
    using Table = std::remove_cvref_t<decltype(given.*Scan::kTable)>;
    fetch_shared<uint4>(shared, given.*Scan::kTable, plan.table_bytes);
    scan.*Scan::kTable = reinterpret_cast<Table>(shared);
    shared += plan.table_bytes;
  }
  auto* lo = reinterpret_cast<std::uint32_t*>(shared);
  auto* hi = lo + plan.tile_words;
  const WaitingHits waiting(hi + plan.tile_words, plan.waiting_hits);
  const bool counting = plan.waiting_hits == 0;
  if (!counting && threadIdx.x == 0) waiting.clear();
  __syncthreads();

  const auto emit = [&](std::uint32_t column, std::uint32_t entry) {
    if (counting) {
      sink.hit(column, entry);
    } else {
      waiting.add(sink, column, entry);
    }
  };
  const PlanesText planes{sink.text.lo, sink.text.hi};
  const std::uint32_t tile_columns = blockDim.x * plan.chunk;
  for (std::uint32_t tile = blockIdx.x; tile < plan.tiles; tile += gridDim.x) {
    const std::uint32_t tile_begin = plan.origin + tile * tile_columns;
    const std::uint32_t begin = max(tile_begin + threadIdx.x * plan.chunk, plan.begin);
    const std::uint32_t end = min(tile_begin + (threadIdx.x + 1) * plan.chunk, plan.end);
    if constexpr (kStage >= Stage::shared_text) {
      const std::uint32_t first = (tile_begin - min(tile_begin, plan.left)) / 32;
      const std::uint32_t last_end = (plan.end + 127) / 128 * 128;
      const std::uint32_t stop = (min(tile_begin + tile_columns, last_end) + plan.right) / 32;
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

// A room's kernel, in the stage that its options ask for.
template <class Scan>
class StagedKernel final : public Kernel {
 public:
  // `tables` hold what the scan points to. `table_bytes`: of Scan::kTable.
  StagedKernel(const RoomOptions& options, DeviceTables tables, const Scan& scan, const StagedReach& reach,
               std::size_t table_bytes = 0)
      : device_(options.gpu),
        tables_(std::move(tables)),
        scan_(scan),
        reach_(reach),
        stage_(options.tuning.stage),
        table_bytes_(whole_vectors(table_bytes)) {
    double hits = 0;  // in a column of random text
    for (const std::uint32_t e : options.entries) {
      hits += std::exp2(-2.0 * static_cast<double>(options.patterns.entries()[e].columns.size()));
    }
    if (hits * kStagedThreads * kUsualShape.chunk > kUsualShape.waiting_hits) shape_ = kDenseShape;
  }

  void launch(const DeviceSink& sink, std::byte* /*workspace*/, cudaStream_t stream) const override {
    switch (stage_) {
      case Stage::plain: return launch<Stage::plain, false>(sink, stream);
      case Stage::read_only_tables: return launch<Stage::read_only_tables, false>(sink, stream);
      case Stage::shared_text: return launch<Stage::shared_text, false>(sink, stream);
      case Stage::vector_loads:
        if constexpr (requires { Scan::kTable; }) {
          // Verification, where it is frequent, needs the cache more.
          const bool dense = shape_.chunk == kDenseShape.chunk;
          if (!dense && bytes(plan<Stage::vector_loads, true>(sink)) <= device_.shared_bytes) {
            return launch<Stage::vector_loads, true>(sink, stream);
          }
        }
        return launch<Stage::vector_loads, false>(sink, stream);
    }
  }

 private:
  template <Stage kStage, bool kKeepsTable>
  StagedPlan plan(const DeviceSink& sink) const {
    constexpr std::uint32_t kLine = 1024;  // columns that lie in one line of 128 bytes
    constexpr std::uint32_t kVector = 128;
    const auto round_up = [](std::uint32_t columns) { return (columns + kVector - 1) / kVector * kVector; };
    StagedPlan plan{};
    plan.begin = sink.text.own_begin + reach_.begin_after;
    // What ends past the text's last column is no hit.
    plan.end = std::min(sink.text.own_end + reach_.end_after, sink.text.columns);
    plan.origin = plan.begin / kLine * kLine;
    plan.chunk = shape_.chunk;
    const std::uint32_t tile = kStagedThreads * plan.chunk;
    if (plan.begin < plan.end) plan.tiles = (plan.end - plan.origin + tile - 1) / tile;
    if (kStage >= Stage::shared_text) {
      plan.left = round_up(reach_.left);
      plan.right = round_up(reach_.right + 64);  // words are read in pairs
      plan.tile_words = (plan.left + tile + plan.right) / 32;
    }
    if (kKeepsTable) plan.table_bytes = table_bytes_;
    if (!sink.counts_only()) plan.waiting_hits = shape_.waiting_hits;
    return plan;
  }

  static std::size_t bytes(const StagedPlan& plan) {
    return plan.table_bytes + 2 * plan.tile_words * sizeof(std::uint32_t) + WaitingHits::bytes(plan.waiting_hits);
  }

  template <Stage kStage, bool kKeepsTable>
  void launch(const DeviceSink& given, cudaStream_t stream) const {
    const StagedPlan plan = this->plan<kStage, kKeepsTable>(given);
    if (plan.tiles == 0) return;
    // Counters may take what two blocks of a processor leave; each has 1 KB besides its own.
    const std::size_t most = std::min(device_.shared_bytes, device_.shared_by_two());
    const DeviceSink sink = given.counting_in(bytes(plan), most);
    const auto kernel = staged_search<kStage, kKeepsTable, Scan>;
    device_.allow_shared(kernel);
    int resident = 0;
    BASESWEEP_CUDA(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, kStagedThreads, sink.shared_bytes()));
    const std::uint32_t blocks = std::min(plan.tiles, static_cast<std::uint32_t>(device_.processors * resident));
    kernel<<<blocks, kStagedThreads, sink.shared_bytes(), stream>>>(scan_, sink, plan);
  }

  const Device device_;
  const DeviceTables tables_;
  const Scan scan_;
  const StagedReach reach_;
  const Stage stage_;
  const std::uint32_t table_bytes_;
  StagedShape shape_ = kUsualShape;
};

}  // namespace basesweep::cuda
