// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/approximate/hamming/scan.hpp"

#include "kernels/approximate/hamming/step.hpp"
#include "kernels/cpu/survivors.hpp"
#include "kernels/cpu/word.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using hamming::kBlockWords;

constexpr int kVectors = 2;  // vectors that are counted side by side

struct Logic {
  using Word = BASESWEEP_ISA::Word;
  static Word add(Word& sum, Word a, Word b) { return add_bits(sum, a, b); }
};

// The planes of a block and of the halo before it: the text's own, or copies where words before the first or past the
// last would be read.
struct BlockPlanes {
  const std::uint64_t* lo;
  const std::uint64_t* hi;
};

BlockPlanes planes_at(const hamming::IndexView& index, const PackedView& text, std::uint64_t position,
                      std::uint64_t* copies) {
  const std::int64_t words = index.row_words;
  const std::int64_t first = static_cast<std::int64_t>(position / 64) - index.halo_words;
  const std::int64_t end = (std::int64_t{text.positions} + 63) / 64;
  if (first >= 0 && first + words <= end) return {text.lo + first, text.hi + first};
  for (std::int64_t w = 0; w < words; ++w) {
    const bool there = first + w >= 0 && first + w < end;
    copies[w] = there ? text.lo[first + w] : 0;
    copies[words + w] = there ? text.hi[first + w] : 0;
  }
  return {copies, copies + words};
}

Word ones_if(unsigned bit) { return (bit & 1) != 0 ? ~Word{} : Word{}; }

// Makes the unshifted row of a set: ones where the base is not in the set.
void make_set_row(BaseSet set, const BlockPlanes& planes, std::size_t words, std::uint64_t* row) {
  // The set as a polynomial over the two bits of a base: six instructions for any set.
  const unsigned a = ~set;
  const unsigned c = a >> 1;
  const unsigned t = a >> 2;
  const unsigned g = a >> 3;
  const Word by_none = ones_if(a);
  const Word by_lo = ones_if(a ^ c);
  const Word by_hi = ones_if(a ^ t);
  const Word by_both = ones_if(a ^ c ^ t ^ g);
  for (std::size_t w = 0; w < words; w += kLanes) {
    const Word lo = load_word(planes.lo + w);
    const Word hi = load_word(planes.hi + w);
    store_word(row + w, (by_none ^ (lo & by_lo)) ^ (hi & (by_hi ^ (lo & by_both))));
  }
}

void make_rows(const hamming::IndexView& index, const BlockPlanes& planes, std::uint64_t* rows) {
  const std::size_t words = index.row_words;
  for (std::uint32_t s = 0; s < index.set_count; ++s) {
    make_set_row(index.sets[s], planes, words, rows + s * words);
  }
  for (std::uint32_t r = index.set_count; r < index.row_count; ++r) {
    const hamming::Row row = index.rows[r];
    for (std::size_t w = 0; w < words; w += kLanes) {
      const std::uint64_t* from = rows + row.set * words + w;
      store_word(rows + r * words + w, load_word(from) >> row.shift | load_word(from + 1) << (64 - row.shift));
    }
  }
}

Word load_bytes(const char* p) {
  Word word;
  __builtin_memcpy(&word, p, sizeof word);
  return word;
}

// Finds the positions of a block where the query ends with at most k mismatches. Returns whether there are any.
template <int Planes>
bool count_block(const hamming::CountedQuery& query, const std::uint32_t* offsets, const std::uint64_t* rows,
                 std::uint64_t* found) {
  using Counters = hamming::Counters<Logic, Planes>;
  bool any_found = false;
  for (std::uint32_t w = 0; w < kBlockWords; w += kVectors * kLanes) {
    const char* here = reinterpret_cast<const char*>(rows + w);
    Counters counters[kVectors];
    for (Counters& c : counters) c.clear(query.first_count);
    bool left = true;
    for (std::uint32_t q = 0; q < query.quads && left; ++q) {
      const std::uint32_t* quad = offsets + std::size_t{q} * hamming::kQuad;
      for (int v = 0; v < kVectors; ++v) {
        const char* p = here + v * kWordBytes;
        counters[v].add(load_bytes(p + quad[0]), load_bytes(p + quad[1]), load_bytes(p + quad[2]),
                        load_bytes(p + quad[3]));
      }
      if (q + 1 >= query.blind_quads) left = any(~(counters[0].over & counters[1].over));
    }
    any_found |= left;
    for (int v = 0; v < kVectors; ++v) store_word(found + w + v * kLanes, ~counters[v].over);
  }
  return any_found;
}

// Drops the ends at the block's first `count` positions: the query would begin before the text there.
void drop_first(std::uint64_t* found, std::uint64_t count) {
  for (std::uint32_t w = 0; w < kBlockWords && count != 0; ++w) {
    const unsigned bits = count < 64 ? static_cast<unsigned>(count) : 64;
    found[w] = bits == 64 ? 0 : found[w] >> bits << bits;
    count -= bits;
  }
}

}  // namespace

void hamming_scan(const hamming::IndexView& index, const PackedView& text, std::uint64_t* scratch,
                  OccurrenceSink& sink) {
  std::uint64_t* rows = scratch;
  std::uint64_t* copies = rows + std::size_t{index.row_words} * index.row_count;
  std::uint64_t* found = copies + std::size_t{index.row_words} * 2;
  std::uint64_t* found_query = found + std::size_t{index.query_count} * kBlockWords;

  for (std::uint64_t position = text.own_begin / 64 * 64; position < text.own_end;
       position += hamming::kBlockPositions) {
    make_rows(index, planes_at(index, text, position, copies), rows);
    std::uint32_t count = 0;
    for (std::uint32_t e = 0; e < index.query_count; ++e) {
      const hamming::CountedQuery& query = index.queries[e];
      std::uint64_t* here = found + std::size_t{count} * kBlockWords;
      const bool any_found = hamming::with_planes(query.planes, [&]<int Planes>() {
        return count_block<Planes>(query, index.offsets + query.offsets, rows, here);
      });
      if (!any_found) continue;
      if (position + 1 < query.length) drop_first(here, query.length - 1 - position);
      found_query[count++] = query.query;
    }
    send_survivors(found, found_query, count, kBlockWords, position, text.own_end, sink);
  }
}

}  // namespace basesweep::BASESWEEP_ISA
