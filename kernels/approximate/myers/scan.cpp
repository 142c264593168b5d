// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/approximate/myers/scan.hpp"

#include "kernels/cpu/lanes.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

// The positions of a tile: as many as a lane has bits.
template <class Lane>
inline constexpr std::uint32_t kTilePositions = 8 * sizeof(Lane);

// The rows of a block in one column of the matrix, as vertical differences.
template <class Lane>
struct Column {
  Vectors<Lane> pv, mv;
};

// The planes of a tile: one position for each bit, one strip in each lane.
template <class Lane>
struct Text {
  Vectors<Lane> lo, hi;
};

// Horizontal differences over a tile, in the same form: of the row above a block before the block is computed, of its
// last row afterwards.
template <class Lane>
struct Border {
  Vectors<Lane> ph, mh;
};

template <class Lane>
struct LastRow {
  Vectors<Lane> score;  // less k + 1
  Vectors<Lane> ends;   // positions of the tile where the score was negative
};

// Moves one block of rows over one tile of positions.
template <class Lane, bool kFirst, bool kLast>
[[gnu::noinline]] void advance_block(const EqBlock& block, const Text<Lane>& text, Column<Lane>& column,
                                     Border<Lane>& border, LastRow<Lane>& last_row) {
  const auto rows = [&block](unsigned code) { return Vector<Lane>{} + static_cast<Lane>(block.eq[code]); };
  EqTerms<Vector<Lane>> terms;
  terms.set(rows(0), rows(1), rows(2), rows(3));
  const Vector<Lane> top = Vector<Lane>{} + (Lane{1} << (kTilePositions<Lane> - 1));
  Column<Lane> c = column;
  Border<Lane> along = border;
  LastRow<Lane> last = last_row;
  Vector<Lane> bit = Vector<Lane>{} + Lane{1};
  for (std::uint32_t i = 0; i < kTilePositions<Lane>; ++i) {
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

// One query over the whole text. Strip s has the tiles from s * strip_tiles on; its search begins `warm_tiles` earlier.
template <class Lane>
class QueryScan {
 public:
  QueryScan(const VerifyQuery& query, std::uint32_t id, const EqBlock* blocks, const PackedView& text,
            std::uint64_t* scratch)
      : query_(query),
        id_(id),
        blocks_(blocks + query.first_block),
        text_(text),
        columns_(reinterpret_cast<Column<Lane>*>(scratch)) {}

  void run(OccurrenceSink& sink) {
    const std::int64_t tiles = (std::int64_t{text_.positions} + kBits - 1) / kBits;
    const std::int64_t warm_tiles = (std::int64_t{longest_alignment(query_)} + kBits - 1) / kBits;
    std::int64_t strip_tiles = (tiles + kStrips - 1) / kStrips;
    if (strip_tiles < warm_tiles) strip_tiles = warm_tiles;  // so that only the first strip lacks text to its left
    last_tile_ = tiles;                                      // which is padding
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
  static constexpr std::int64_t kBits = kTilePositions<Lane>;

  // Sets a strip to the state left of its first position, where row i has the value i.
  void start(int strip) {
    for (std::uint32_t b = 0; b < query_.blocks; ++b) {
      columns_[b].pv.lane(strip) = b == 0 ? static_cast<Lane>(~Lane{0} << query_.spare_rows) : ~Lane{0};
      columns_[b].mv.lane(strip) = 0;
    }
    last_row_.score.lane(strip) = static_cast<Lane>(query_.length) - static_cast<Lane>(query_.edits) - 1;
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
    const std::uint32_t last = query_.blocks - 1;
    if (last == 0) return advance<true, true>(0);
    advance<true, false>(0);
    for (std::uint32_t b = 1; b < last; ++b) advance<false, false>(b);
    advance<false, true>(last);
  }

  template <bool kFirst, bool kLast>
  void advance(std::uint32_t b) {
    advance_block<Lane, kFirst, kLast>(blocks_[b], tile_, columns_[b], border_, last_row_);
  }

  void send(OccurrenceSink& sink) {
    if (!any(reinterpret_cast<Word>(last_row_.ends.of[0] | last_row_.ends.of[1]))) return;
    for (int s = 0; s < kStrips; ++s) {
      const std::uint64_t ends = last_row_.ends.lane(s);
      if (ends == 0 || tile_of_[s] >= last_tile_) continue;
      const auto position = static_cast<std::uint32_t>(tile_of_[s] * kBits);
      sink.word(position / 64 * 64, id_, ends << (position % 64));
    }
  }

  const VerifyQuery& query_;
  const std::uint32_t id_;
  const EqBlock* blocks_;
  const PackedView& text_;
  Column<Lane>* columns_;
  Text<Lane> tile_{};
  Border<Lane> border_{};
  LastRow<Lane> last_row_{};
  std::int64_t tile_of_[kStrips];  // the tile that each strip is at
  std::int64_t last_tile_ = 0;
};

}  // namespace

void myers_scan(const myers::IndexView& index, const PackedView& text, std::uint64_t* scratch, OccurrenceSink& sink) {
  for (std::uint32_t e = 0; e < index.query_count; ++e) {
    const VerifyQuery& query = index.queries[e];
    if (verify_word_bits(query.length) == 32) {
      QueryScan<std::uint32_t>(query, index.ids[e], index.blocks, text, scratch).run(sink);
    } else {
      QueryScan<std::uint64_t>(query, index.ids[e], index.blocks, text, scratch).run(sink);
    }
  }
}

}  // namespace basesweep::BASESWEEP_ISA
