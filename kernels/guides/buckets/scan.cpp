// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/guides/buckets/scan.hpp"

#include "kernels/cpu/transpose.hpp"
#include "kernels/cpu/word.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using buckets::Bucket;
using buckets::Comparison;
using buckets::EntryTaker;
using buckets::kColumnStep;
using buckets::kMaxColumns;
using buckets::kNoCode;

constexpr std::uint32_t kMostNear = 1024;
constexpr std::uint32_t kWrittenAtOnce = 4;
constexpr std::uint32_t kMostInWord = 10;

// Guides near a bucket, by the number of mismatches that they have in its word.
struct NearGuides {
  std::uint32_t at[kMostNear + 16];  // indices into Comparison::guides
  std::uint32_t ends[kMostInWord + 1];
};

// Bits 64 i + [begin, end), of lane i.
Word lanes_between(std::uint32_t begin, std::uint32_t end) {
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
};

// The sites that have too many mismatches with a guide.
template <unsigned bits, std::uint32_t steps>
inline Word too_many(const Count<bits>& start, const Differing& differing, const std::uint8_t* codes) {
  Count<bits> count = start;
  Word more{};
#pragma GCC unroll 8
  for (std::uint32_t step = 0; step < steps; ++step) {
    const auto own = [&](std::uint32_t i) {
      const std::uint32_t column = step * kColumnStep + i;
      return load_word(reinterpret_cast<const std::uint64_t*>(differing.words[column]) + codes[column]);
    };
    const Word two = add_bits(count.planes[0], own(0), own(1));
    const Word other_two = add_bits(count.planes[0], own(2), own(3));
    Word carry = add_bits(count.planes[1], two, other_two);
    for (unsigned bit = 2; bit < bits; ++bit) {
      const Word next = count.planes[bit] & carry;
      count.planes[bit] ^= carry;
      carry = next;
    }
    more |= carry;
  }
  return more;
}

void take_all(Word fits, std::uint32_t first_entry, std::uint32_t guide, const EntryTaker& taker) {
  std::uint64_t lanes[kLanes];
  store_word(lanes, fits);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    for (std::uint64_t bits = lanes[lane]; bits != 0; bits &= bits - 1) {
      taker.take(taker.context, guide, first_entry + 64 * lane + static_cast<std::uint32_t>(__builtin_ctzll(bits)));
    }
  }
}

template <unsigned bits, std::uint32_t steps>
void compare_bucket(const Comparison& all, const Bucket& bucket, const NearGuides& near, const EntryTaker& taker) {
  constexpr std::uint32_t kAhead = 8;  // guides
  constexpr std::uint32_t kColumns = steps * kColumnStep;
  Differing differing;
  const std::uint32_t end = (bucket.end + 63) / 64;
  for (std::uint32_t word = bucket.begin / 64; word < end; word += kLanes) {
    differing.set(all, word, end);
    const std::uint32_t entry = word * 64;
    const std::uint32_t skipped = bucket.begin > entry ? bucket.begin - entry : 0;
    const Word valid = lanes_between(skipped, bucket.end - entry);
    std::uint32_t i = 0;
    for (std::uint32_t in_word = 0; in_word <= all.most_in_word; ++in_word) {
      const Count<bits> start(all.mismatches - in_word);
      for (; i < near.ends[in_word]; ++i) {
        __builtin_prefetch(all.codes + std::size_t{near.at[i + kAhead]} * kColumns);
        const std::uint32_t at = near.at[i];
        const Word fits = ~too_many<bits, steps>(start, differing, all.codes + std::size_t{at} * kColumns) & valid;
        if (any(fits)) take_all(fits, entry, all.guides[at], taker);
      }
    }
  }
}

template <unsigned bits, std::uint32_t steps>
void compare_all(const Comparison& all, const EntryTaker& taker) {
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
            compare_bucket<bits, steps>(all, bucket, near, taker);
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
    if (count != 0) compare_bucket<bits, steps>(all, bucket, near, taker);
  }
}

template <unsigned bits>
void compare_columns(const Comparison& all, const EntryTaker& taker) {
  switch (all.columns / kColumnStep) {
    case 1: return compare_all<bits, 1>(all, taker);
    case 2: return compare_all<bits, 2>(all, taker);
    case 3: return compare_all<bits, 3>(all, taker);
    case 4: return compare_all<bits, 4>(all, taker);
    case 5: return compare_all<bits, 5>(all, taker);
    case 6: return compare_all<bits, 6>(all, taker);
    case 7: return compare_all<bits, 7>(all, taker);
    default: return compare_all<bits, 8>(all, taker);
  }
}

}  // namespace

void buckets_compare(const Comparison& all, const EntryTaker& taker) {
  if (all.mismatches < 8) return compare_columns<3>(all, taker);
  compare_columns<5>(all, taker);
}

void buckets_make_planes(const SiteBases* sites, std::uint32_t count, std::uint32_t bases, std::uint64_t* planes) {
  std::uint64_t rows[64];
  for (std::uint32_t i = 0; i < count; ++i) {
    rows[i] = sites[i].lo | std::uint64_t{sites[i].hi} << 32;
  }
  for (std::uint32_t i = count; i < 64; ++i) rows[i] = 0;
  transpose(rows);
  for (std::uint32_t base = 0; base < bases; ++base) {
    planes[base] = rows[base];
    planes[bases + base] = rows[32 + base];
  }
}

}  // namespace basesweep::BASESWEEP_ISA
