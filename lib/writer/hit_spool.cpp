#include "lib/writer/hit_spool.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "lib/base/parallel.hpp"
#include "lib/rows/hit_codec.hpp"
#include "lib/writer/block_spool.hpp"

namespace basesweep {
namespace {

constexpr int kMaxThreads = 16;  // more would hardly help: they wait for the thread that adds or takes hits

}  // namespace

// Blocks wait until there is one for each thread; then all are compressed at once, or decompressed.
struct HitSpool::State {
  struct Lane {
    BlockCompressor compressor;
    RowBlock rows;
    CompressedBlock compressed;
    DecodedRows<PlacedHit> decoded;
  };
  BlockSpool blocks;
  RowBlockBuilder builder;
  std::vector<Lane> lanes;  // of each thread
  std::size_t filled = 0;   // lanes that have a block

  std::size_t lane = 0;  // whose hits are taken
  std::size_t row = 0;   // the next of them

  State(const std::string& folder, int threads)
      : blocks(folder), lanes(static_cast<std::size_t>(std::clamp(threads, 1, kMaxThreads))) {
    blocks.make_file();
  }

  void take_block() {
    lanes[filled++].rows = builder.take();
    if (filled == lanes.size()) write_blocks();
  }

  void write_blocks() {
    parallel_for(static_cast<int>(filled), filled, [this](std::size_t i) {
      const RowBlock rows = std::exchange(lanes[i].rows, {});
      lanes[i].compressed = lanes[i].compressor.compress(rows.bytes.view(), rows.rows);
    });
    for (std::size_t i = 0; i < filled; ++i) blocks.add(std::exchange(lanes[i].compressed, {}));
    filled = 0;
  }

  // Decodes the next blocks, as many as there are threads; false after the last.
  bool read_blocks() {
    lane = row = filled = 0;
    while (filled < lanes.size() && blocks.next(lanes[filled].compressed)) ++filled;
    parallel_for(static_cast<int>(filled), filled, [this](std::size_t i) {
      lanes[i].decoded = blocks.decode<PlacedHit>(std::exchange(lanes[i].compressed, {}), lanes[i].compressor);
    });
    return filled != 0;
  }
};

HitSpool::HitSpool(const std::string& directory, int threads) : state_(std::make_unique<State>(directory, threads)) {}

HitSpool::~HitSpool() = default;

void HitSpool::add(const PlacedHit& hit) {
  state_->builder.add(hit);
  if (state_->builder.full()) state_->take_block();
}

void HitSpool::rewind() {
  if (!state_->builder.empty()) state_->take_block();
  state_->write_blocks();
}

bool HitSpool::next(PlacedHit& hit) {
  State& state = *state_;
  while (state.lane == state.filled || state.row == state.lanes[state.lane].decoded.rows().size()) {
    state.row = 0;
    if (state.lane < state.filled) ++state.lane;
    if (state.lane == state.filled && !state.read_blocks()) return false;
  }
  hit = state.lanes[state.lane].decoded.rows()[state.row++];
  return true;
}

bool HitSpool::next_block(CompressedBlock& block) { return state_->blocks.next(block); }

DecodedRows<PlacedHit> HitSpool::decode(const CompressedBlock& block) const {
  return state_->blocks.decode<PlacedHit>(block);
}

}  // namespace basesweep
