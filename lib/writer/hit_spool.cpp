#include "lib/writer/hit_spool.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/parallel.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/rows/hit_codec.hpp"
#include "lib/writer/nameless_file.hpp"

namespace basesweep {
namespace {

constexpr int kMaxThreads = 16;  // more would hardly help: they wait for the thread that adds or takes hits

DecodedRows<PlacedHit> decode_block(const std::string& directory, BlockCompressor& compressor,
                                    const CompressedBlock& block) {
  try {
    return DecodedRows<PlacedHit>(RowBlock{block.rows, compressor.decompress(block)});
  } catch (const BlockFault&) {
  } catch (const RowFault&) {
  }
  throw IoError(directory, "cannot read back a temporary file in this folder", EIO);
}

}  // namespace

// Blocks wait until there is one for each thread; then all are compressed at once, or decompressed.
struct HitSpool::State {
  struct Lane {
    BlockCompressor compressor;
    RowBlock rows;
    CompressedBlock compressed;
    DecodedRows<PlacedHit> decoded;
  };
  // Where a block is in the file.
  struct Place {
    std::uint64_t rows;
    std::uint64_t raw_bytes;
    std::uint64_t checksum;
    std::uint64_t stored_bytes;
  };

  const std::string directory;
  NamelessFile file;
  RowBlockBuilder builder;
  std::vector<Lane> lanes;  // of each thread
  std::size_t filled = 0;   // lanes that have a block
  std::vector<Place> blocks;

  std::size_t next_block = 0;  // to be read
  std::int64_t offset = 0;     // of it
  std::size_t lane = 0;        // whose hits are taken
  std::size_t row = 0;         // the next of them

  State(const std::string& folder, int threads)
      : directory(folder), file(folder), lanes(static_cast<std::size_t>(std::clamp(threads, 1, kMaxThreads))) {
    file.append("");  // makes the file
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
    for (std::size_t i = 0; i < filled; ++i) {
      const CompressedBlock block = std::exchange(lanes[i].compressed, {});
      file.append(block.bytes.view());
      blocks.push_back({block.rows, block.raw_bytes, block.checksum, block.bytes.view().size()});
    }
    filled = 0;
  }

  bool read_block(CompressedBlock& block) {
    if (next_block == blocks.size()) return false;
    const Place& place = blocks[next_block++];
    block = {place.rows, place.raw_bytes, place.checksum, {}};
    char* const to = block.bytes.reserve(place.stored_bytes);
    file.read_at(offset, to, place.stored_bytes);
    block.bytes.advance(to + place.stored_bytes);
    offset += static_cast<std::int64_t>(place.stored_bytes);
    return true;
  }

  // Decodes the next blocks, as many as there are threads; false after the last.
  bool read_blocks() {
    lane = row = filled = 0;
    while (filled < lanes.size() && read_block(lanes[filled].compressed)) ++filled;
    parallel_for(static_cast<int>(filled), filled, [this](std::size_t i) {
      lanes[i].decoded = decode_block(directory, lanes[i].compressor, std::exchange(lanes[i].compressed, {}));
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

void HitSpool::replay(const std::function<void(const PlacedHit&)>& use) {
  rewind();
  while (state_->read_blocks()) {
    for (std::size_t i = 0; i < state_->filled; ++i) {
      for (const PlacedHit& hit : state_->lanes[i].decoded.rows()) use(hit);
    }
  }
}

bool HitSpool::next_block(CompressedBlock& block) { return state_->read_block(block); }

DecodedRows<PlacedHit> HitSpool::decode(const CompressedBlock& block) const {
  return decode_block(state_->directory, per_thread<BlockCompressor>(), block);
}

}  // namespace basesweep
