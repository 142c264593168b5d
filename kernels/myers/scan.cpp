// Compiled once for each instruction set, with BASESWEEP_ISA naming it. Nothing of the standard library that could be
// instantiated here may be used: the linker might keep this copy of it for callers on older processors.
#include "kernels/myers/scan.hpp"

#include "kernels/lanes.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

// Columns of a tile: as many as a lane has bits.
template <class Lane>
inline constexpr std::uint32_t kTileColumns = 8 * sizeof(Lane);

// A block's state.
template <class Lane>
struct Column {
  Vectors<Lane> pv, mv;
};

// Of a tile, one column a bit, a strip a lane.
template <class Lane>
struct Text {
  Vectors<Lane> lo, hi;
};

// Horizontal differences, likewise: above a block before it is worked on, below it afterwards.
template <class Lane>
struct Border {
  Vectors<Lane> ph, mh;
};

template <class Lane>
struct LastRow {
  Vectors<Lane> score;  // less k + 1
  Vectors<Lane> ends;   // columns of the tile where the score was negative
};

// One block of rows over one tile of columns.
template <class Lane, bool kFirst, bool kLast>
[[gnu::noinline]] void advance_block(const EqBlock& block, const Text<Lane>& text, Column<Lane>& column,
                                     Border<Lane>& border, LastRow<Lane>& last_row) {
  const auto rows = [&block](unsigned code) { return Vector<Lane>{} + static_cast<Lane>(block.eq[code]); };
  EqTerms<Vector<Lane>> terms;
  terms.set(rows(0), rows(1), rows(2), rows(3));
  const Vector<Lane> top = Vector<Lane>{} + (Lane{1} << (kTileColumns<Lane> - 1));
  Column<Lane> c = column;
  Border<Lane> along = border;
  LastRow<Lane> last = last_row;
  Vector<Lane> bit = Vector<Lane>{} + Lane{1};
  for (std::uint32_t i = 0; i < kTileColumns<Lane>; ++i) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      const auto l = reinterpret_cast<Vector<Lane>>((text.lo.of[v] & bit) == 0);
      const auto h = reinterpret_cast<Vector<Lane>>((text.hi.of[v] & bit) == 0);
      Vector<Lane> ph{};
      Vector<Lane> mh{};
      if constexpr (!kFirst) {
        ph = along.ph.of[v] & 1;
        mh = along.mh.of[v] & 1;
        if constexpr (kLast) {
          along.ph.of[v] >>= 1;
          along.mh.of[v] >>= 1;
        }
      }
      myers_step(terms.eq(l, h), c.pv.of[v], c.mv.of[v], ph, mh);
      if constexpr (kLast) {
        last.score.of[v] += top_set<Lane>(mh) - top_set<Lane>(ph);
        last.ends.of[v] |= top_set<Lane>(last.score.of[v]) & bit;
      } else {
        along.ph.of[v] = along.ph.of[v] >> 1 | (ph & top);
        along.mh.of[v] = along.mh.of[v] >> 1 | (mh & top);
      }
    }
    bit += bit;
  }
  column = c;
  if constexpr (kLast) {
    last_row = last;
  } else {
    border = along;
  }
}

// One entry over the whole text: strip s is the tiles from s * strip_tiles on, and is begun `warm_tiles` before.
template <class Lane>
class EntryScan {
 public:
  EntryScan(const VerifyEntry& entry, std::uint32_t id, const EqBlock* blocks, const PackedView& text,
            std::uint64_t* scratch)
      : entry_(entry),
        id_(id),
        blocks_(blocks + entry.first_block),
        text_(text),
        columns_(reinterpret_cast<Column<Lane>*>(scratch)) {}

  void run(HitSink& sink) {
    const std::int64_t tiles = (std::int64_t{text_.columns} + kBits - 1) / kBits;
    const std::int64_t warm_tiles = (std::int64_t{longest_alignment(entry_)} + kBits - 1) / kBits;
    std::int64_t strip_tiles = (tiles + kStrips - 1) / kStrips;
    if (strip_tiles < warm_tiles) strip_tiles = warm_tiles;  // so that only the first strip lacks text to its left
    last_tile_ = tiles;                                      // padding
    for (int s = 0; s < kStrips; ++s) {
      tile_of_[s] = s * strip_tiles - warm_tiles;
      start(s);
    }
    for (std::int64_t i = -warm_tiles; i < strip_tiles; ++i) {
      if (i == 0) start(0);
      load();
      advance_tile();
      if (i >= 0) send(sink);
      for (std::int64_t& t : tile_of_) ++t;
    }
  }

 private:
  static constexpr int kStrips = kAllLanes<Lane>;
  static constexpr std::int64_t kBits = kTileColumns<Lane>;

  // The state left of a strip's first column: row i is i away.
  void start(int strip) {
    for (std::uint32_t b = 0; b < entry_.blocks; ++b) {
      columns_[b].pv.lane(strip) = b == 0 ? static_cast<Lane>(~Lane{0} << entry_.spare_rows) : ~Lane{0};
      columns_[b].mv.lane(strip) = 0;
    }
    last_row_.score.lane(strip) = static_cast<Lane>(entry_.length) - static_cast<Lane>(entry_.edits) - 1;
  }

  void load() {
    const char* lo = reinterpret_cast<const char*>(text_.lo);
    const char* hi = reinterpret_cast<const char*>(text_.hi);
    for (int s = 0; s < kStrips; ++s) {
      const std::int64_t inside = tile_of_[s] < 0 ? 0 : tile_of_[s] < last_tile_ ? tile_of_[s] : last_tile_;
      __builtin_memcpy(&tile_.lo.lane(s), lo + inside * sizeof(Lane), sizeof(Lane));
      __builtin_memcpy(&tile_.hi.lane(s), hi + inside * sizeof(Lane), sizeof(Lane));
    }
  }

  void advance_tile() {
    for (Vector<Lane>& ends : last_row_.ends.of) ends = Vector<Lane>{};
    const std::uint32_t last = entry_.blocks - 1;
    if (last == 0) return advance<true, true>(0);
    advance<true, false>(0);
    for (std::uint32_t b = 1; b < last; ++b) advance<false, false>(b);
    advance<false, true>(last);
  }

  template <bool kFirst, bool kLast>
  void advance(std::uint32_t b) {
    advance_block<Lane, kFirst, kLast>(blocks_[b], tile_, columns_[b], border_, last_row_);
  }

  void send(HitSink& sink) {
    if (!any(reinterpret_cast<Word>(last_row_.ends.of[0] | last_row_.ends.of[1]))) return;
    for (int s = 0; s < kStrips; ++s) {
      const std::uint64_t ends = last_row_.ends.lane(s);
      if (ends == 0 || tile_of_[s] >= last_tile_) continue;
      const auto column = static_cast<std::uint32_t>(tile_of_[s] * kBits);
      sink.word(column / 64 * 64, id_, ends << (column % 64));
    }
  }

  const VerifyEntry& entry_;
  const std::uint32_t id_;
  const EqBlock* blocks_;
  const PackedView& text_;
  Column<Lane>* columns_;
  Text<Lane> tile_{};
  Border<Lane> border_{};
  LastRow<Lane> last_row_{};
  std::int64_t tile_of_[kStrips];  // that each strip is at
  std::int64_t last_tile_ = 0;
};

}  // namespace

void myers_scan(const myers::IndexView& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink) {
  for (std::uint32_t e = 0; e < index.entry_count; ++e) {
    const VerifyEntry& entry = index.entries[e];
    if (verify_word_bits(entry.length) == 32) {
      EntryScan<std::uint32_t>(entry, index.ids[e], index.blocks, text, scratch).run(sink);
    } else {
      EntryScan<std::uint64_t>(entry, index.ids[e], index.blocks, text, scratch).run(sink);
    }
  }
}

}  // namespace basesweep::BASESWEEP_ISA
