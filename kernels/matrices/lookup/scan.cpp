// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/matrices/lookup/scan.hpp"

#include "kernels/cpu/survivors.hpp"
#include "kernels/matrices/lookup/bytes.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using lookup::kBlockPositions;
using lookup::kBlockWords;

constexpr int kVectors = 4;  // that a table is loaded for
constexpr std::uint32_t kGroupPositions = kVectors * kBytes;

// The pair codes of positions from a multiple of 64 on, one a byte.
void make_codes(const std::uint64_t* lo, const std::uint64_t* hi, std::uint8_t* codes) {
  for (std::uint32_t word = 0; word < lookup::kCodePositions / 64; ++word) {
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

// Sets the bits of places whose deficits sum up to less than kDead. Returns whether there is one.
bool filter(const lookup::LookupQuery& query, const lookup::Pair* pairs, const std::uint8_t* codes,
            std::uint64_t* found) {
  std::uint64_t any = 0;
  for (std::uint32_t begin = 0; begin < kBlockPositions; begin += kGroupPositions) {
    Bytes sums[kVectors] = {};
    for (std::uint32_t p = 0; p < query.checked; ++p) add_pair(pairs[p], codes + begin, sums);
    if (query.checked != query.pairs && all_dead(sums)) {
      for (std::uint32_t word = 0; word < kGroupPositions / 64; ++word) found[begin / 64 + word] = 0;
      continue;
    }
    for (std::uint32_t p = query.checked; p < query.pairs; ++p) add_pair(pairs[p], codes + begin, sums);
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

}  // namespace

void lookup_scan(const lookup::IndexView& index, const PackedView& text, std::uint64_t* scratch, OccurrenceSink& sink) {
  auto* const codes = reinterpret_cast<std::uint8_t*>(scratch);
  std::uint64_t* const survivors = scratch + lookup::kCodePositions / 8;
  std::uint64_t* const survivor_query = survivors + std::size_t{index.query_count} * kBlockWords;
  for (std::uint64_t position = text.own_begin / 64 * 64; position < text.own_end; position += kBlockPositions) {
    make_codes(text.lo + position / 64, text.hi + position / 64, codes);
    std::uint32_t count = 0;
    for (std::uint32_t q = 0; q < index.query_count; ++q) {
      const lookup::LookupQuery& query = index.queries[q];
      const lookup::Pair* const pairs = index.pairs + query.first_pair;
      std::uint64_t* const found = survivors + std::size_t{count} * kBlockWords;
      if (filter(query, pairs, codes, found) && verify(query, pairs, codes, found))
        survivor_query[count++] = query.query;
    }
    send_survivors(survivors, survivor_query, count, kBlockWords, position, text.own_end, sink);
  }
}

}  // namespace basesweep::BASESWEEP_ISA
