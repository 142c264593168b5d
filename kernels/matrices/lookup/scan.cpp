// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/matrices/lookup/scan.hpp"

#include "kernels/cpu/survivors.hpp"
#include "kernels/matrices/lookup/bytes.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using lookup::kBlockPositions;
using lookup::kBlockWords;

constexpr int kVectors = 4;  // that a table is loaded for
constexpr std::uint32_t kGroupPositions = kVectors * kBytes;

// The pair codes of positions from a multiple of 64 on, one a byte. `words`: of the planes, up to the text's end and
// one behind it; codes behind these words are 0.
void make_codes(const std::uint64_t* lo, const std::uint64_t* hi, std::uint64_t words, std::uint8_t* codes) {
  constexpr std::uint32_t kWords = lookup::kCodePositions / 64;
  const std::uint32_t count = words < kWords ? static_cast<std::uint32_t>(words) : kWords;
  for (std::uint32_t word = count; word < kWords; ++word) {
    for (int i = 0; i < 64; i += kBytes) store_bytes(codes + 64 * word + i, Bytes{});
  }
  for (std::uint32_t word = 0; word < count; ++word) {
    const std::uint64_t next_lo = lo[word] >> 1 | lo[word + 1] << 63;
    const std::uint64_t next_hi = hi[word] >> 1 | hi[word + 1] << 63;
    for (int i = 0; i < 64; i += kBytes, codes += kBytes) {
      const Bytes first = bytes_or(where(lo[word] >> i, 1), where(hi[word] >> i, 2));
      store_bytes(codes, bytes_or(first, bytes_or(where(next_lo >> i, 4), where(next_hi >> i, 8))));
    }
  }
}

void add_pair(const lookup::Pair& pair, const std::uint8_t* codes, Bytes* sums) {
  const Bytes table = load_table(pair.deficits);
  for (int v = 0; v < kVectors; ++v) {
    sums[v] = add_saturated(sums[v], look_up(table, load_bytes(codes + pair.offset + v * kBytes)));
  }
}

// Sets the bits of a block's places whose deficits sum up to less than kDead. Returns whether there is one. kChecked:
// LookupQuery::checked, so that the compiler keeps the tables of these pairs in registers; 0: that many are too many.
template <std::uint32_t kChecked>
bool filter_block(const lookup::LookupQuery& query, const lookup::Pair* pairs, const std::uint8_t* codes,
                  std::uint64_t* found) {
  std::uint64_t any = 0;
  const std::uint32_t checked = kChecked == 0 ? query.checked : kChecked;
  for (std::uint32_t begin = 0; begin < kBlockPositions; begin += kGroupPositions) {
    Bytes sums[kVectors] = {};
#pragma GCC unroll 8
    for (std::uint32_t p = 0; p < checked; ++p) add_pair(pairs[p], codes + begin, sums);
    if (checked != query.pairs && all_dead(sums)) {
      for (std::uint32_t word = 0; word < kGroupPositions / 64; ++word) found[begin / 64 + word] = 0;
      continue;
    }
    for (std::uint32_t p = checked; p < query.pairs; ++p) add_pair(pairs[p], codes + begin, sums);
    any |= put_alive(sums, found + begin / 64);
  }
  return any != 0;
}

// Clears the bits of places whose score is below the threshold. Returns whether any is left.
bool verify(const lookup::LookupQuery& query, const lookup::Pair* pairs, const std::uint8_t* codes,
            std::uint64_t* found) {
  std::uint64_t any = 0;
  for (std::uint32_t word = 0; word < kBlockWords; ++word) {
    for (std::uint64_t bits = found[word]; bits != 0; bits &= bits - 1) {
      const std::uint8_t* const place = codes + 64 * word + __builtin_ctzll(bits);
      std::int32_t score = 0;
      for (std::uint32_t p = 0; p < query.pairs; ++p) score += pairs[p].scores[place[pairs[p].offset]];
      if (score < query.threshold) found[word] &= ~(bits & -bits);
    }
    any |= found[word];
  }
  return any != 0;
}

// Where the blocks' survivors are kept: of each block the words of queries, and which queries these are.
struct Survivors {
  std::uint64_t* words[lookup::kBlocks];
  std::uint64_t* queries[lookup::kBlocks];
  std::uint32_t count[lookup::kBlocks];
};

template <std::uint32_t kChecked>
void search(const lookup::LookupQuery& query, const lookup::Pair* pairs, const std::uint8_t* codes, Survivors& to) {
  for (std::uint32_t block = 0; block < lookup::kBlocks; ++block, codes += kBlockPositions) {
    std::uint64_t* const found = to.words[block] + std::size_t{to.count[block]} * kBlockWords;
    if (filter_block<kChecked>(query, pairs, codes, found) && verify(query, pairs, codes, found)) {
      to.queries[block][to.count[block]++] = query.query;
    }
  }
}

}  // namespace

void lookup_scan(const lookup::IndexView& index, const PackedView& text, std::uint64_t* scratch, OccurrenceSink& sink) {
  auto* const codes = reinterpret_cast<std::uint8_t*>(scratch);
  scratch += lookup::kCodePositions / 8;
  Survivors survivors;
  for (std::uint32_t block = 0; block < lookup::kBlocks; ++block) {
    survivors.words[block] = scratch;
    survivors.queries[block] = scratch + std::size_t{index.query_count} * kBlockWords;
    scratch += std::size_t{index.query_count} * (kBlockWords + 1);
  }
  std::uint64_t position = text.own_begin / 64 * 64;
  while (position < text.own_end) {
    make_codes(text.lo + position / 64, text.hi + position / 64, (text.positions - position + 63) / 64 + 1, codes);
    for (std::uint32_t& count : survivors.count) count = 0;
    for (std::uint32_t q = 0; q < index.query_count; ++q) {
      const lookup::LookupQuery& query = index.queries[q];
      const lookup::Pair* const pairs = index.pairs + query.first_pair;
      switch (query.checked) {
        case 1: search<1>(query, pairs, codes, survivors); break;
        case 2: search<2>(query, pairs, codes, survivors); break;
        case 3: search<3>(query, pairs, codes, survivors); break;
        case 4: search<4>(query, pairs, codes, survivors); break;
        case 5: search<5>(query, pairs, codes, survivors); break;
        case 6: search<6>(query, pairs, codes, survivors); break;
        default: search<0>(query, pairs, codes, survivors);
      }
    }
    for (std::uint32_t block = 0; block < lookup::kBlocks; ++block, position += kBlockPositions) {
      send_survivors(survivors.words[block], survivors.queries[block], survivors.count[block], kBlockWords, position,
                     text.own_end, sink);
    }
  }
}

}  // namespace basesweep::BASESWEEP_ISA
