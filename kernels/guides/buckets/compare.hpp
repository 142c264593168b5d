// The loops that scan.cpp and join_scan.cpp share. Include it only in sources that are compiled for each instruction
// set.
#pragma once

#include "kernels/cpu/word.hpp"
#include "kernels/guides/buckets/scan.hpp"

namespace basesweep::BASESWEEP_ISA {

using buckets::Bucket;
using buckets::Comparison;
using buckets::kColumnStep;
using buckets::kMaxColumns;
using buckets::kNoCode;

inline constexpr std::uint32_t kMostNear = 1024;
inline constexpr std::uint32_t kWrittenAtOnce = 4;
inline constexpr std::uint32_t kMostInWord = 10;

// Guides near a bucket, by the number of mismatches that they have in its word.
struct NearGuides {
  std::uint32_t at[kMostNear + 16];  // indices into Comparison::guides
  std::uint32_t ends[kMostInWord + 1];
};

// Bits 64 i + [begin, end), of lane i.
inline Word lanes_between(std::uint32_t begin, std::uint32_t end) {
  std::uint64_t lanes[kLanes];
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const auto below = [lane](std::uint32_t bit) {
      return bit <= 64 * lane        ? 0
             : bit >= 64 * lane + 64 ? ~std::uint64_t{0}
                                     : (std::uint64_t{1} << (bit - 64 * lane)) - 1;
    };
    lanes[lane] = below(end) & ~below(begin);
  }
  return load_word(lanes);
}

// Of each column and each code, the sites that differ from it.
struct Differing {
  Word words[kMaxColumns][kNoCode + 1];

  // Of the sites of a vector from word `first` on. Words from `end` on are not read.
  void set(const Comparison& all, std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t column = 0; column < all.columns; ++column) {
      const std::uint32_t base = all.base_of[column];
      Word lo{};
      Word hi{};
      if (base != kMaxColumns) {
        for (std::uint32_t lane = 0; lane < kLanes && first + lane < end; ++lane) {
          const std::uint64_t* const planes = all.planes + std::size_t{first + lane} * 2 * all.bases;
          lo[lane] = planes[base];
          hi[lane] = planes[all.bases + base];
        }
      }
      Word(&own)[kNoCode + 1] = words[column];
      own[0] = lo | hi;
      own[1] = ~lo | hi;
      own[2] = lo | ~hi;
      own[3] = ~lo | ~hi;
      own[kNoCode] = Word{};
    }
  }
};

// Counts of mismatches in `bits` planes, from 2^bits - 1 - most on, so that what has more than `most` overflows.
template <unsigned bits>
struct Count {
  Word planes[bits];

  explicit Count(std::uint32_t most) {
    const std::uint32_t start = (1U << bits) - 1 - most;
    for (unsigned bit = 0; bit < bits; ++bit) planes[bit] = Word{} - std::uint64_t{start >> bit & 1};
  }

  // Adds 2^first at the places of `carry`. Returns those that overflow.
  Word add(unsigned first, Word carry) {
    for (unsigned bit = first; bit < bits; ++bit) {
      const Word next = planes[bit] & carry;
      planes[bit] ^= carry;
      carry = next;
    }
    return carry;
  }
};

// Adds the mismatches of a guide to the counts. Returns the sites that have too many. With `half`, the last two columns
// stand for no base.
template <unsigned bits, std::uint32_t steps, bool half = false>
inline Word add_mismatches(const Differing& differing, const std::uint8_t* codes, Count<bits>& count) {
  Word more{};
  const auto own = [&](std::uint32_t column) {
    return load_word(reinterpret_cast<const std::uint64_t*>(differing.words[column]) + codes[column]);
  };
  constexpr std::uint32_t kWhole = half ? steps - 1 : steps;
#pragma GCC unroll 8
  for (std::uint32_t step = 0; step < kWhole; ++step) {
    const std::uint32_t column = step * kColumnStep;
    const Word two = add_bits(count.planes[0], own(column), own(column + 1));
    const Word other_two = add_bits(count.planes[0], own(column + 2), own(column + 3));
    more |= count.add(2, add_bits(count.planes[1], two, other_two));
  }
  if constexpr (half) {
    more |= count.add(1, add_bits(count.planes[0], own(kWhole * kColumnStep), own(kWhole * kColumnStep + 1)));
  }
  return more;
}

// Calls take(entry) for the entries of a vector; `first_entry`: its first.
template <class Take>
inline void for_each_entry(Word entries, std::uint32_t first_entry, const Take& take) {
  std::uint64_t lanes[kLanes];
  store_word(lanes, entries);
  std::uint32_t used = 0;  // lanes; most vectors have one, and no branch asks each lane
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) used |= std::uint32_t{lanes[lane] != 0} << lane;
  for (; used != 0; used &= used - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(used));
    for (std::uint64_t bits = lanes[lane]; bits != 0; bits &= bits - 1) {
      take(first_entry + 64 * lane + static_cast<std::uint32_t>(__builtin_ctzll(bits)));
    }
  }
}

// Calls compare(bucket, near) for each bucket and guides near it, several times if there are many.
template <class Compare>
inline void for_each_bucket(const Comparison& all, const Compare& compare) {
  NearGuides near{};
  for (std::size_t b = 0; b < all.bucket_count; ++b) {
    const Bucket& bucket = all.buckets[b];
    std::uint32_t count = 0;
    std::uint32_t d = 0;
    for (std::uint32_t in_word = 0; in_word <= all.most_in_word; ++in_word) {
      for (; d < all.ends[in_word]; ++d) {
        const std::uint32_t key = bucket.key ^ all.differences[d];
        const std::uint32_t end = all.key_begins[key + 1];
        for (std::uint32_t at = all.key_begins[key]; at < end;) {
          if (count >= kMostNear) {
            for (std::uint32_t i = in_word; i <= all.most_in_word; ++i) near.ends[i] = count;
            compare(bucket, near);
            for (std::uint32_t i = 0; i < in_word; ++i) near.ends[i] = 0;
            count = 0;
          }
          // Most keys have few guides: four are written at once, so that no branch depends on how many there are.
          for (std::uint32_t i = 0; i < kWrittenAtOnce; ++i) near.at[count + i] = at + i;
          const std::uint32_t taken = end - at < kWrittenAtOnce ? end - at : kWrittenAtOnce;
          count += taken;
          at += taken;
        }
      }
      near.ends[in_word] = count;
    }
    if (count != 0) compare(bucket, near);
  }
}

// Calls use.template operator()<bits, steps>() for the counters and columns of a comparison.
template <unsigned bits, class Use>
inline void with_columns(const Comparison& all, const Use& use) {
  switch (all.columns / kColumnStep) {
    case 1: return use.template operator()<bits, 1>();
    case 2: return use.template operator()<bits, 2>();
    case 3: return use.template operator()<bits, 3>();
    case 4: return use.template operator()<bits, 4>();
    case 5: return use.template operator()<bits, 5>();
    case 6: return use.template operator()<bits, 6>();
    case 7: return use.template operator()<bits, 7>();
    default: return use.template operator()<bits, 8>();
  }
}
template <class Use>
inline void with_columns(const Comparison& all, const Use& use) {
  if (all.mismatches < 8) return with_columns<3>(all, use);
  with_columns<5>(all, use);
}

}  // namespace basesweep::BASESWEEP_ISA
