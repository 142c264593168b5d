// The loop of a text's join with itself. Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use
// anything of the standard library that could be instantiated here.
#include "kernels/guides/buckets/compare.hpp"
#include "kernels/guides/buckets/scan.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using buckets::JoinComparison;
using buckets::JoinTaker;
using buckets::ListedSite;

constexpr std::uint32_t kMostMismatches = 8;
constexpr std::uint32_t kCounterBits = 11;  // what is added up between two flushes fits: at most kMostNear + 16 places

// Places of the entries of a vector by their mismatches, with one bit of all counts in a word.
class Counters {
 public:
  void add(std::uint32_t mismatches, Word entries) {
    used_[mismatches] = true;
    Word* const planes = planes_[mismatches];
    for (std::uint32_t bit = 0; any(entries); ++bit) {
      const Word next = planes[bit] & entries;
      planes[bit] ^= entries;
      entries = next;
    }
  }
  // Gives all counts to the taker, and clears them.
  void flush(std::uint32_t first_entry, const JoinTaker& taker) {
    for (std::uint32_t mismatches = 0; mismatches <= kMostMismatches; ++mismatches) {
      if (!used_[mismatches]) continue;
      used_[mismatches] = false;
      Word counted{};
      for (const Word& plane : planes_[mismatches]) counted |= plane;
      std::uint64_t lanes[kCounterBits][kLanes];
      for (std::uint32_t bit = 0; bit < kCounterBits; ++bit) {
        store_word(lanes[bit], planes_[mismatches][bit]);
        planes_[mismatches][bit] = Word{};
      }
      for_each_entry(counted, first_entry, [&](std::uint32_t entry) {
        const std::uint32_t at = entry - first_entry;
        std::uint32_t count = 0;
        for (std::uint32_t bit = 0; bit < kCounterBits; ++bit) {
          count |= static_cast<std::uint32_t>(lanes[bit][at / 64] >> (at % 64) & 1) << bit;
        }
        taker.count(taker.context, entry, mismatches, count);
      });
    }
  }

 private:
  Word planes_[kMostMismatches + 1][kCounterBits]{};
  bool used_[kMostMismatches + 1]{};
};

// By a number of mismatches, the entries of a vector for which such a place may be among the two nearest.
struct NearEntries {
  Word entries[kMostMismatches + 1];

  void set(const std::uint8_t* nearest) {
    for (std::uint32_t mismatches = 0; mismatches <= kMostMismatches; ++mismatches) {
      std::uint64_t lanes[kLanes];
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        std::uint64_t bits = 0;
        for (std::uint32_t i = 0; i < 64; ++i) {
          bits |= std::uint64_t{nearest[64 * lane + i] >= mismatches} << i;
        }
        lanes[lane] = bits;
      }
      entries[mismatches] = load_word(lanes);
    }
  }
};

// The entries that have more than all.known_mismatches in the columns of the other word.
template <unsigned bits>
Word unknown(const JoinComparison& all, const Differing& differing, const std::uint8_t* codes) {
  Count<bits> count(all.known_mismatches);
  Word more{};
  for (std::uint32_t column = 0; column < all.known_columns; ++column) {
    more |= count.add(0, load_word(reinterpret_cast<const std::uint64_t*>(differing.words[column]) + codes[column]));
  }
  return more;
}

// The entries whose count is `more` above the start for this `most`.
template <unsigned bits>
Word equal(const Count<bits>& count, std::uint32_t most, std::uint32_t more) {
  const std::uint32_t value = (1U << bits) - 1 - most + more;
  Word all = ~Word{};
  for (unsigned bit = 0; bit < bits; ++bit) {
    all &= (value >> bit & 1) != 0 ? count.planes[bit] : ~count.planes[bit];
  }
  return all;
}

template <unsigned bits, std::uint32_t steps, bool half>
class VectorJoin {
 public:
  VectorJoin(const JoinComparison& all, const JoinTaker& taker) : all_(all), taker_(taker) {}

  void compare(const Bucket& bucket, const NearGuides& near) {
    const std::uint32_t end = (bucket.end + 63) / 64;
    for (std::uint32_t word = bucket.begin / 64; word < end; word += kLanes) {
      differing_.set(all_, word, end);
      word_ = word;
      const std::uint32_t entry = word * 64;
      valid_ = lanes_between(bucket.begin > entry ? bucket.begin - entry : 0, bucket.end - entry);
      near_is_set_ = false;
      std::uint32_t i = 0;
      for (std::uint32_t in_word = 0; in_word <= all_.most_in_word; ++in_word) {
        const std::uint32_t most = all_.mismatches - in_word;
        const Count<bits> start(most);
        for (const std::uint32_t last = near.ends[in_word]; i < last;) {
          const std::uint32_t stop = last - i < kFound ? last : i + kFound;
          if (any(load_word(all_.many + word) & valid_)) {
            for (; i < stop; ++i) compare(near.at, i, in_word, most, start);
          } else {
            compare_few(near.at, i, stop, start);
            i = stop;
          }
        }
      }
      counters_.flush(entry, taker_);
    }
  }

 private:
  static constexpr std::uint32_t kAhead = 8;   // sites
  static constexpr std::uint32_t kFound = 64;  // sites at once

  // A site that fits entries of the vector.
  struct Found {
    Word entries;
    std::uint32_t at;
  };

  static constexpr std::size_t kListedStep = sizeof(ListedSite) + steps * kColumnStep;

  const std::uint8_t* listed(std::uint32_t at) const { return all_.listed + at * kListedStep; }
  const std::uint8_t* codes_of(std::uint32_t at) const { return listed(at) + sizeof(ListedSite); }
  ListedSite site_of(std::uint32_t at) const {
    ListedSite site;
    __builtin_memcpy(&site, listed(at), sizeof(site));
    return site;
  }

  // Compares the entries, none of which has many places, with sites [begin, end) of the list, and gives the places to
  // the taker. The processor would often guess wrong whether a site fits, so no branch asks: sites that fit are noted
  // first.
  void compare_few(const std::uint32_t* at, std::uint32_t begin, std::uint32_t end, const Count<bits>& start) {
    std::uint32_t found = 0;
    for (std::uint32_t i = begin; i < end; ++i) {
      __builtin_prefetch(listed(at[i + kAhead]));
      Count<bits> count = start;
      const Word fits = ~add_mismatches<bits, steps, half>(differing_, codes_of(at[i]), count) & valid_;
      found_[found] = {fits, at[i]};
      found += any(fits) ? 1 : 0;
    }
    for (std::uint32_t i = 0; i < found; ++i) {
      const ListedSite site = site_of(found_[i].at);
      for_each_entry(found_[i].entries, word_ * 64,
                     [&](std::uint32_t entry) { taker_.take(taker_.context, site, entry); });
    }
  }

  void compare(const std::uint32_t* ats, std::uint32_t i, std::uint32_t in_word, std::uint32_t most,
               const Count<bits>& start) {
    __builtin_prefetch(listed(ats[i + kAhead]));
    const std::uint32_t at = ats[i];
    const std::uint8_t* const codes = codes_of(at);
    Count<bits> count = start;
    Word fits = ~add_mismatches<bits, steps, half>(differing_, codes, count) & valid_;
    if (!any(fits)) return;
    const ListedSite site = site_of(at);
    // Words past the entries of a part are read, and are not valid.
    const Word many = load_word(all_.many + word_) & fits;
    if (any(many) && (site.bases.lo & kHasOther) == 0) {
      fits &= ~count_many(many, codes, count, in_word, most);
      if (!any(fits)) return;
    }
    for_each_entry(fits, word_ * 64, [&](std::uint32_t entry) { taker_.take(taker_.context, site, entry); });
    near_is_set_ = near_is_set_ && ++taken_ % kUsesOfNear != 0;
  }

  // Counts places of entries with many. Returns the entries that are done with.
  Word count_many(Word many, const std::uint8_t* codes, const Count<bits>& count, std::uint32_t in_word,
                  std::uint32_t most) {
    if (!near_is_set_) {
      near_.set(all_.nearest + std::size_t{word_} * 64);
      near_is_set_ = true;
    }
    Word done{};
    Word counted = many;
    if (all_.known_columns != 0) {
      counted &= unknown<bits>(all_, differing_, codes);
      done = many & ~counted;
    }
    for (std::uint32_t more = 0; more <= most && any(counted); ++more) {
      const Word own = counted & equal<bits>(count, most, more);
      const Word far = own & ~near_.entries[in_word + more];
      counted &= ~own;
      if (!any(far)) continue;
      counters_.add(in_word + more, far);
      done |= far;
    }
    return done;
  }

  // Places that are taken before it is looked up anew which may be among the nearest: in between, more than need be
  // are taken one by one.
  static constexpr std::uint32_t kUsesOfNear = 64;

  const JoinComparison& all_;
  const JoinTaker& taker_;
  Differing differing_;
  std::uint32_t word_ = 0;  // the first of the vector
  Word valid_{};
  Counters counters_;
  NearEntries near_;
  bool near_is_set_ = false;
  std::uint32_t taken_ = 0;
  Found found_[kFound + 1];
};

template <unsigned bits, std::uint32_t steps, bool half>
void join_vectors(const JoinComparison& all, const JoinTaker& taker) {
  VectorJoin<bits, steps, half> join(all, taker);
  for_each_bucket(all, [&](const Bucket& bucket, const NearGuides& near) { join.compare(bucket, near); });
}

}  // namespace

void buckets_join(const JoinComparison& all, const JoinTaker& taker) {
  with_columns(all, [&]<unsigned bits, std::uint32_t steps>() {
    // Words of 10 bases of usual guides leave 10 columns.
    if constexpr (bits == 3 && (steps == 3 || steps == 4)) {
      if (all.base_of[all.columns - 2] == kMaxColumns) return join_vectors<bits, steps, true>(all, taker);
    }
    join_vectors<bits, steps, false>(all, taker);
  });
}

}  // namespace basesweep::BASESWEEP_ISA
