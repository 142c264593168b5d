// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/cpu/window_scan.hpp"

#include "kernels/approximate/verify.hpp"
#include "kernels/cpu/lanes.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using Lane = std::uint64_t;
using Lanes = Vectors<Lane>;

constexpr std::uint32_t kWindows = kAllLanes<Lane>;
constexpr std::uint32_t kTile = 64;  // positions, and rows of a block

// The rows of a block.
struct Block {
  Lanes lo, hi, known, spare;
  bool plain;  // all rows are known, so none is spare
};

// The positions of a tile.
struct Tile {
  Lanes lo, hi, inside;
  bool plain;  // all positions lie in the text
};

// Horizontal differences over a tile, below the last block computed.
struct Border {
  Lanes ph, mh;
};

struct ScratchLayout {
  explicit ScratchLayout(const WindowGroup& group) {
    blocks = (group.rows + kTile - 1) / kTile;
    rectangle = (group.band() + kTile - 1 + kTile - 1) / kTile;
    tiles = blocks - 1 + rectangle;
  }
  std::uint32_t blocks;
  std::uint32_t rectangle;  // tiles of a block
  std::uint32_t tiles;
};

// Moves a block over a tile. `border` is the one above the block, and becomes the one below it.
template <bool plain>
[[gnu::noinline]] void advance(const Block& block, const Tile& tile, Lanes& pv, Lanes& mv, Border& border) {
  const Vector<Lane> top = Vector<Lane>{} + (Lane{1} << (kTile - 1));
  Lanes p = pv;
  Lanes m = mv;
  Border along = border;
  Vector<Lane> bit = Vector<Lane>{} + Lane{1};
  for (std::uint32_t i = 0; i < kTile; ++i) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      // The bits are inverted, because that is what comparing with 0 gives.
      const auto l = reinterpret_cast<Vector<Lane>>((tile.lo.of[v] & bit) == 0);
      const auto h = reinterpret_cast<Vector<Lane>>((tile.hi.of[v] & bit) == 0);
      Vector<Lane> eq = (l ^ block.lo.of[v]) & (h ^ block.hi.of[v]);
      if constexpr (!plain) {
        const auto outside = reinterpret_cast<Vector<Lane>>((tile.inside.of[v] & bit) == 0);
        eq = (eq & block.known.of[v] & ~outside) | block.spare.of[v];
      }
      Vector<Lane> ph = along.ph.of[v] & 1;
      Vector<Lane> mh = along.mh.of[v] & 1;
      myers_step(eq, p.of[v], m.of[v], ph, mh);
      along.ph.of[v] = along.ph.of[v] >> 1 | (ph & top);
      along.mh.of[v] = along.mh.of[v] >> 1 | (mh & top);
    }
    bit += bit;
  }
  pv = p;
  mv = m;
  border = along;
}

class GroupScan {
 public:
  GroupScan(const ReadQueryView& reads, const PackedView& text, const WindowGroup& group, std::uint64_t* scratch,
            EndSink& sink)
      : reads_(reads),
        text_(text),
        group_(group),
        layout_(group),
        tiles_(reinterpret_cast<Tile*>(scratch)),
        borders_(reinterpret_cast<Border*>(tiles_ + layout_.tiles)),
        sink_(sink) {}

  void run() {
    for (std::uint32_t t = 0; t < layout_.tiles; ++t) load(t);
    for (std::uint32_t t = 0; t < layout_.rectangle; ++t) borders_[t] = Border{};
    for (std::uint32_t& score : scores_) score = kTile * layout_.blocks;
    for (std::uint32_t b = 0; b < layout_.blocks; ++b) {
      if (b != 0) move_borders();
      Block block;
      load(b, block);
      Lanes pv;
      Lanes mv{};
      for (Vector<Lane>& p : pv.of) p = ~Vector<Lane>{};
      for (std::uint32_t t = 0; t < layout_.rectangle; ++t) {
        const Tile& tile = tiles_[b + t];
        if (block.plain && tile.plain) {
          advance<true>(block, tile, pv, mv, borders_[t]);
        } else {
          advance<false>(block, tile, pv, mv, borders_[t]);
        }
      }
    }
    for (std::uint32_t lane = 0; lane < group_.count; ++lane) send(lane);
  }

 private:
  const QueryWindow& window(std::uint32_t lane) const { return group_.windows[group_.indices[lane]]; }

  void load(std::uint32_t t) {
    Tile& tile = tiles_[t];
    tile = Tile{};
    tile.plain = true;
    for (std::uint32_t lane = 0; lane < group_.count; ++lane) {
      const std::int64_t position = lane_begin(group_, window(lane), kTile * layout_.blocks) + std::int64_t{kTile} * t;
      tile.lo.lane(static_cast<int>(lane)) = text_positions(text_.lo, text_.positions, position);
      tile.hi.lane(static_cast<int>(lane)) = text_positions(text_.hi, text_.positions, position);
      tile.inside.lane(static_cast<int>(lane)) = ~before_text(position);
      tile.plain = tile.plain && position >= 0;
    }
  }

  void load(std::uint32_t b, Block& block) const {
    block = Block{};
    block.plain = true;
    for (std::uint32_t lane = 0; lane < group_.count; ++lane) {
      const LaneRows rows = lane_rows(reads_, reads_.queries[window(lane).query], layout_.blocks, b);
      block.lo.lane(static_cast<int>(lane)) = rows.lo;
      block.hi.lane(static_cast<int>(lane)) = rows.hi;
      block.known.lane(static_cast<int>(lane)) = rows.known;
      block.spare.lane(static_cast<int>(lane)) = rows.spare;
      block.plain = block.plain && rows.known == ~std::uint64_t{0};
    }
  }

  // Moves the borders to the next block's rectangle, one tile further to the right.
  void move_borders() {
    for (std::uint32_t lane = 0; lane < kWindows; ++lane) scores_[lane] += change(borders_[0], lane);
    for (std::uint32_t t = 0; t + 1 < layout_.rectangle; ++t) borders_[t] = borders_[t + 1];
    Border& last = borders_[layout_.rectangle - 1];
    for (Vector<Lane>& p : last.ph.of) p = ~Vector<Lane>{};
    for (Vector<Lane>& m : last.mh.of) m = Vector<Lane>{};
  }

  static std::uint32_t change(Border& border, std::uint32_t lane) {
    const int i = static_cast<int>(lane);
    return static_cast<std::uint32_t>(__builtin_popcountll(border.ph.lane(i)) -
                                      __builtin_popcountll(border.mh.lane(i)));
  }

  // Sends a lane's ends.
  void send(std::uint32_t lane) {
    const QueryWindow& window = this->window(lane);
    const std::uint32_t max_edits = reads_.queries[window.query].edits;
    const std::uint32_t first = kTile - 1 + group_.edits;  // the window's first position in the rectangle
    const std::uint32_t end = first + (window.end - window.first);
    std::uint32_t score = scores_[lane];
    for (std::uint32_t begin = 0; begin < end; begin += kTile) {
      Border& border = borders_[begin / kTile];
      const std::uint64_t ph = border.ph.lane(static_cast<int>(lane));
      const std::uint64_t mh = border.mh.lane(static_cast<int>(lane));
      if (score <= max_edits + static_cast<std::uint32_t>(__builtin_popcountll(mh))) {
        std::uint32_t edits = score;
        for (std::uint32_t i = 0; i < kTile && begin + i < end; ++i) {
          edits += static_cast<std::uint32_t>((ph >> i & 1) - (mh >> i & 1));
          if (edits <= max_edits && begin + i >= first) {
            sink_.end(group_.indices[lane], window.first + (begin + i - first), edits);
          }
        }
      }
      score += change(border, lane);
    }
  }

  const ReadQueryView& reads_;
  const PackedView& text_;
  const WindowGroup& group_;
  const ScratchLayout layout_;
  Tile* tiles_;
  Border* borders_;  // one for each tile of the rectangle
  EndSink& sink_;
  std::uint32_t scores_[kWindows];  // of the last row, at the position before the rectangle
};

void run(const ReadQueryView& reads, const PackedView& text, const WindowGroup& group, std::uint64_t* scratch,
         EndSink& sink) {
  GroupScan(reads, text, group, scratch, sink).run();
}

std::size_t scratch_words(const WindowGroup& group) {
  const ScratchLayout layout(group);
  return (layout.tiles * sizeof(Tile) + layout.rectangle * sizeof(Border)) / sizeof(std::uint64_t);
}

}  // namespace

WindowScan myers_windows() { return {run, scratch_words, kWindows}; }

}  // namespace basesweep::BASESWEEP_ISA
