// Candidates for reads. A query with k edits is cut into k + 1 seeds; one of them has no edit, so every alignment holds
// an exact occurrence of a seed (pigeonhole principle). Occurrences are looked up in an index of the reference's
// q-grams. For the CPU and for CUDA threads.
#pragma once

#include <cstdint>

#include "kernels/text.hpp"
#include "kernels/windows.hpp"
#include "lib/base/host_device.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::seeds {

inline constexpr std::uint32_t kMinGram = 4;
inline constexpr std::uint32_t kMaxGram = 14;

// The positions of the reference, sorted by the key of the q-gram that starts there. Key x has the positions[i] with i
// in [starts[x], starts[x + 1]). The CPU leaves out positions that hold no base, since no seed matches there.
struct IndexView {
  const std::uint32_t* starts;     // [4^gram + 1]
  const std::uint32_t* positions;  // [starts[4^gram]]
  std::uint32_t gram;              // q
};

// The `count` (1 to 16) lowest positions of lo and hi as a number in base 4. The first position is its highest digit,
// so q-grams that begin with the same bases have neighbouring keys.
BASESWEEP_HD std::uint32_t key_of(std::uint32_t lo, std::uint32_t hi, std::uint32_t count) {
  // Spreads 16 bits to every second bit.
  const auto spread = [](std::uint32_t x) {
    x = (x | x << 8) & 0x00FF00FF;
    x = (x | x << 4) & 0x0F0F0F0F;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
  };
  const auto reverse = [count](std::uint32_t x) {
    x = (x & 0x5555) << 1 | (x >> 1 & 0x5555);
    x = (x & 0x3333) << 2 | (x >> 2 & 0x3333);
    x = (x & 0x0F0F) << 4 | (x >> 4 & 0x0F0F);
    x = (x & 0x00FF) << 8 | (x >> 8 & 0x00FF);
    return x >> (16 - count);
  };
  return spread(reverse(lo & 0xFFFF)) | spread(reverse(hi & 0xFFFF)) << 1;
}

// The lowest `count` (0 to 64) bits.
BASESWEEP_HD std::uint64_t low_bits(std::uint32_t count) { return count == 0 ? 0 : ~std::uint64_t{0} >> (64 - count); }

// Positions [begin, end) of a query.
struct Seed {
  std::uint32_t begin;
  std::uint32_t end;
  BASESWEEP_HD std::uint32_t length() const { return end - begin; }
};

// Seed `i` of a query that is cut into `seeds` of them, at most edits + 1. They have nearly the same length; none is
// empty.
BASESWEEP_HD Seed seed_of(const ReadQuery& query, std::uint32_t i, std::uint32_t seeds) {
  return {i * query.length / seeds, (i + 1) * query.length / seeds};
}

// The errors that seed `i` of `seeds` may have. Each seed's errors and one more are edits + 1 in all, so an alignment
// cannot have more errors than that in every seed.
BASESWEEP_HD std::uint32_t errors_of(const ReadQuery& query, std::uint32_t i, std::uint32_t seeds) {
  const std::uint32_t shares = query.edits + 1U;
  return shares / seeds - 1 + (i + shares % seeds >= seeds ? 1 : 0);
}

// Keys [first, end) of the q-grams that a seed may begin with.
struct Keys {
  std::uint32_t first;
  std::uint32_t end;
};

// Empty if the seed has a letter that is no base, since that matches nothing. A seed shorter than a q-gram has the keys
// of all q-grams that begin with it; a longer one has the key of the q-gram that it begins with, see occurs().
BASESWEEP_HD Keys keys_of(const ReadQueryView& reads, const ReadQuery& query, const Seed& seed, std::uint32_t gram) {
  const std::uint32_t at = spare_positions(query) + seed.begin;
  for (std::uint32_t done = 0; done < seed.length(); done += 64) {
    const std::uint32_t left = seed.length() - done;
    const std::uint64_t mask = low_bits(left < 64 ? left : 64);
    if ((~positions_at(reads.known + query.first_word, at + done) & mask) != 0) return {0, 0};
  }
  const std::uint32_t count = seed.length() < gram ? seed.length() : gram;
  const auto lo = static_cast<std::uint32_t>(positions_at(reads.lo + query.first_word, at));
  const auto hi = static_cast<std::uint32_t>(positions_at(reads.hi + query.first_word, at));
  const std::uint32_t rest = 2 * (gram - count);
  const std::uint32_t key = key_of(lo, hi, count);
  return {key << rest, (key + 1) << rest};
}

// The places [first, last) of the index at which a seed may occur.
struct Bucket {
  std::uint32_t first;
  std::uint32_t last;
};

BASESWEEP_HD Bucket bucket_of(const ReadQueryView& reads, const ReadQuery& query, const Seed& seed,
                              const IndexView& index) {
  const Keys keys = keys_of(reads, query, seed, index.gram);
  return {index.starts[keys.first], index.starts[keys.end]};
}

// For a seed whose q-gram occurs at `position` of the text: true if the rest of the seed follows there.
BASESWEEP_HD bool occurs(const ReadQueryView& reads, const ReadQuery& query, const Seed& seed, const PackedView& text,
                         std::uint32_t gram, std::uint32_t position) {
  const std::uint32_t at = spare_positions(query) + seed.begin;
  for (std::uint32_t done = gram; done < seed.length(); done += 64) {
    if (std::uint64_t{position} + done >= text.positions) return false;
    const std::uint32_t left = seed.length() - done;
    const std::uint64_t differs =
        (positions_at(reads.lo + query.first_word, at + done) ^ positions_at(text.lo, position + done)) |
        (positions_at(reads.hi + query.first_word, at + done) ^ positions_at(text.hi, position + done));
    if ((differs & low_bits(left < 64 ? left : 64)) != 0) return false;
  }
  return true;
}

// Positions [first, end) in which alignments end that hold the seed at `position` without edit. Empty (first = end) if
// none can be in the text. `positions`: of the text.
struct Ends {
  std::uint32_t first;
  std::uint32_t end;
};
BASESWEEP_HD Ends ends_of(const ReadQuery& query, const Seed& seed, std::uint32_t position, std::uint32_t positions) {
  const std::int64_t last = std::int64_t{position} - seed.begin + query.length - 1;  // without indels
  const std::int64_t first = last - query.edits < 0 ? 0 : last - query.edits;
  const std::int64_t end = last + query.edits + 1 > positions ? positions : last + query.edits + 1;
  return first < end ? Ends{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end)} : Ends{0, 0};
}

}  // namespace basesweep::seeds
