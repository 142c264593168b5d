// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/approximate/pigeonhole/scan.hpp"

#include "kernels/cpu/lanes.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using pigeonhole::GramPlace;
using pigeonhole::IndexView;

// The positions of text that are looked up at a time. A gram at the last of them still lies within 64 positions.
constexpr std::uint32_t kStep = 32;

// Bit i is set if some query has the gram at position i of lo and hi.
std::uint64_t probe(const IndexView& index, std::uint64_t lo, std::uint64_t hi) {
  const std::uint64_t low_mask = (1U << index.gram) - 1;
  const std::uint64_t high_mask = low_mask << index.gram;
  hi <<= index.gram;
  std::uint64_t found = 0;
#pragma GCC unroll 32
  for (int i = kStep - 1; i >= 0; --i) {
    const std::uint64_t key = (lo >> i & low_mask) | (hi >> i & high_mask);
    found = 2 * found + (index.bitmap[key / 32] >> (key % 32) & 1);
  }
  return found;
}

// Windows that wait to be searched side by side, one in each lane.
template <class Lane>
class Waiting {
 public:
  Waiting(const IndexView& index, const PackedView& text, OccurrenceSink& sink)
      : index_(index), text_(text), sink_(sink) {}

  void add(std::uint32_t slot, const VerifyWindow& window) {
    const VerifyQuery& query = index_.queries[slot];
    const EqBlock& block = index_.blocks[query.first_block];
    for (int code = 0; code < 4; ++code) rows_[code].lane(count_) = static_cast<Lane>(block.eq[code]);
    pv_.lane(count_) = static_cast<Lane>(~Lane{0} << query.spare_rows);
    score_.lane(count_) = static_cast<Lane>(query.length) - static_cast<Lane>(query.edits) - 1;
    slot_[count_] = slot;
    begin_[count_] = window.begin;
    if (window.end - window.begin > positions_) positions_ = window.end - window.begin;
    if (++count_ == kAllLanes<Lane>) search();
  }

  // Searches the windows that wait. Every lane goes on for as many positions as the longest window has; what it finds
  // past its own window are ends too.
  void search() {
    Vectors<Lane> mv{};
    Vectors<Lane> ends{};
    for (std::uint32_t done = 0; count_ != 0 && done < positions_; done += kTile) {
      const std::uint32_t left = positions_ - done;
      load(done);
      advance(left < kTile ? left : kTile, mv, ends);
      if (any(reinterpret_cast<Word>(ends.of[0] | ends.of[1]))) send(done, ends);
    }
    count_ = 0;
    positions_ = 0;
  }

 private:
  static constexpr std::uint32_t kTile = 8 * sizeof(Lane);  // positions, one for each bit

  void load(std::uint32_t done) {
    for (int lane = 0; lane < count_; ++lane) {
      const std::uint32_t at = begin_[lane] + done < text_.positions ? begin_[lane] + done : text_.positions;
      lo_.lane(lane) = static_cast<Lane>(positions_at(text_.lo, at));
      hi_.lane(lane) = static_cast<Lane>(positions_at(text_.hi, at));
    }
  }

  void advance(std::uint32_t positions, Vectors<Lane>& mv, Vectors<Lane>& ends) {
    EqTerms<Vector<Lane>> terms[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      terms[v].set(rows_[0].of[v], rows_[1].of[v], rows_[2].of[v], rows_[3].of[v]);
      ends.of[v] = Vector<Lane>{};
    }
    Vectors<Lane> pv = pv_;
    Vectors<Lane> score = score_;
    Vector<Lane> bit = Vector<Lane>{} + Lane{1};
    for (std::uint32_t i = 0; i < positions; ++i) {
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) {
        const auto l = reinterpret_cast<Vector<Lane>>((lo_.of[v] & bit) == 0);
        const auto h = reinterpret_cast<Vector<Lane>>((hi_.of[v] & bit) == 0);
        Vector<Lane> ph{};
        Vector<Lane> mh{};
        myers_step(terms[v].eq(l, h), pv.of[v], mv.of[v], ph, mh);
        score.of[v] += top_set<Lane>(mh) - top_set<Lane>(ph);
        ends.of[v] |= top_set<Lane>(score.of[v]) & bit;
      }
      bit += bit;
    }
    pv_ = pv;
    score_ = score;
  }

  void send(std::uint32_t done, Vectors<Lane>& ends) {
    for (int lane = 0; lane < count_; ++lane) {
      for (std::uint64_t bits = ends.lane(lane); bits != 0; bits &= bits - 1) {
        const std::uint32_t position = begin_[lane] + done + static_cast<std::uint32_t>(__builtin_ctzll(bits));
        if (position < text_.positions) sink_.send(position, index_.ids[slot_[lane]]);
      }
    }
  }

  const IndexView& index_;
  const PackedView& text_;
  OccurrenceSink& sink_;
  int count_ = 0;
  std::uint32_t positions_ = 0;  // positions of the longest window
  Vectors<Lane> rows_[4]{};      // the rows that hold the base of each code
  Vectors<Lane> pv_{};
  Vectors<Lane> score_{};  // of the last row, less k + 1
  Vectors<Lane> lo_{}, hi_{};
  std::uint32_t slot_[kAllLanes<Lane>];
  std::uint32_t begin_[kAllLanes<Lane>];
};

class Scan {
 public:
  Scan(const IndexView& index, const PackedView& text, std::uint64_t* scratch, OccurrenceSink& sink)
      : index_(index),
        text_(text),
        sink_(sink),
        searched_(scratch),
        short_(index, text, sink),
        middle_(index, text, sink) {}

  void run() {
    for (std::uint32_t slot = 0; slot < index_.query_count; ++slot) searched_[slot] = 0;
    for (std::uint64_t position = 0; position < text_.positions; position += kStep) {
      const auto at = static_cast<std::uint32_t>(position);
      const std::uint64_t lo = positions_at(text_.lo, at);
      const std::uint64_t hi = positions_at(text_.hi, at);
      for (std::uint64_t found = probe(index_, lo, hi); found != 0; found &= found - 1) {
        const auto i = static_cast<unsigned>(__builtin_ctzll(found));
        look_up(pigeonhole::key_of(lo >> i, hi >> i, index_.gram), at + i);
      }
    }
    short_.search();
    middle_.search();
  }

 private:
  void look_up(std::uint32_t key, std::uint32_t at) {
    for (std::uint32_t i = index_.starts[key]; i < index_.starts[key + 1]; ++i) {
      const GramPlace& o = index_.places[i];
      if (pigeonhole::seed_is_at(o, index_.checks, text_.lo, text_.hi, at)) search(o, at);
    }
  }

  // Searches the window around a seed, except for positions where all ends of the query have just been found.
  void search(const GramPlace& o, std::uint32_t at) {
    const VerifyQuery& query = index_.queries[o.slot];
    VerifyWindow window = pigeonhole::window_of(o, query, at, text_.positions);
    if (!leave_out_searched(searched_[o.slot], query, text_.positions, window)) return;
    if (query.length <= 32) {
      short_.add(o.slot, window);
    } else if (query.length <= 64) {
      middle_.add(o.slot, window);
    } else {
      pigeonhole::verify_alone(index_, o.slot, text_, window, sink_);
    }
  }

  const IndexView& index_;
  const PackedView& text_;
  OccurrenceSink& sink_;
  std::uint64_t* searched_;  // for each slot, the positions [high half, low half)
  Waiting<std::uint32_t> short_;
  Waiting<std::uint64_t> middle_;
};

}  // namespace

void pigeonhole_scan(const IndexView& index, const PackedView& text, std::uint64_t* scratch, OccurrenceSink& sink) {
  Scan(index, text, scratch, sink).run();
}

}  // namespace basesweep::BASESWEEP_ISA
