// Finds words among many.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lib/counting/packed_read.hpp"

namespace basesweep {

// Every bit of the word changes the high bits, so use only these.
inline std::uint64_t hash_of(ShortWord word) { return word * 0x9e3779b97f4a7c15U; }
inline std::uint64_t hash_of(LongWord word) {
  const std::uint64_t high = hash_of(static_cast<ShortWord>(word >> 64));
  return hash_of(static_cast<ShortWord>(word) ^ high ^ high >> 32);
}

// Bits by the hash of words, 2^kBits for each bucket, so that most words which are not there are refused by one look at
// memory that stays in the cache.
class WordFilter {
 public:
  WordFilter() = default;
  // `buckets`: their number is 2^buckets.
  explicit WordFilter(int buckets)
      : bits_(std::size_t{1} << (buckets + kBits > 6 ? buckets + kBits - 6 : 0), 0), shift_(64 - buckets - kBits) {}
  void add(std::uint64_t hash) { bits_[(hash >> shift_) / 64] |= std::uint64_t{1} << (hash >> shift_) % 64; }
  // 0 if no word with this hash is there; else 1.
  std::uint64_t may_have(std::uint64_t hash) const {
    const std::uint64_t bit = hash >> shift_;
    return bits_[bit / 64] >> (bit % 64) & 1;
  }

 private:
  static constexpr int kBits = 3;
  std::vector<std::uint64_t> bits_;
  int shift_ = 0;
};

// A hash table of words that are all different, each with a number of the caller. A slot holds both, so that a word is
// found by one look at memory.
template <class Word>
class WordTable {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  // numbers[i] is the number of words[i], and is not kNone.
  WordTable(std::span<const Word> words, std::span<const std::uint32_t> numbers)
      : filter_(std::bit_width(2 * words.size())),
        slots_(std::size_t{1} << std::bit_width(2 * words.size())),
        shift_(64 - std::bit_width(2 * words.size())) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::uint64_t hash = hash_of(words[i]);
      filter_.add(hash);
      std::size_t slot = hash >> shift_;
      while (slots_[slot].number != kNone) slot = next(slot);
      slots_[slot] = {words[i], numbers[i]};
    }
  }

  // 0 if the word is not there; else 1, mostly because it is.
  std::uint64_t may_have(Word word) const { return filter_.may_have(hash_of(word)); }
  // Has the memory come that find() looks at.
  void prefetch(Word word) const { __builtin_prefetch(slots_.data() + (hash_of(word) >> shift_)); }
  // The number of the word, or kNone.
  std::uint32_t find(Word word) const {
    std::size_t slot = hash_of(word) >> shift_;
    while (slots_[slot].word != word && slots_[slot].number != kNone) slot = next(slot);
    return slots_[slot].number;
  }

 private:
  struct Slot {
    Word word = 0;
    std::uint32_t number = kNone;  // kNone: there is no word
  };
  std::size_t next(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }

  WordFilter filter_;
  std::vector<Slot> slots_;
  int shift_;
};

// A hash table of words, each with the number that it has in the list it was made of. A word may be there many times.
// The table does not keep the words: it returns the numbers of all that may be equal to a key.
class WordIndex {
 public:
  WordIndex() = default;

  // `key_of(i)`: the word with number i, of `count`.
  template <class KeyOf>
  WordIndex(std::size_t count, KeyOf key_of) {
    const int bits = std::bit_width(2 * count);
    shift_ = 64 - bits;
    filter_ = WordFilter(bits);
    begins_.assign((std::size_t{1} << bits) + 2, 0);
    std::vector<std::uint32_t> buckets(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t hash = hash_of(key_of(i));
      buckets[i] = static_cast<std::uint32_t>(hash >> shift_);
      ++begins_[buckets[i] + 2];
      filter_.add(hash);
    }
    for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    numbers_.resize(count);
    for (std::size_t i = 0; i < count; ++i) numbers_[begins_[buckets[i] + 1]++] = static_cast<std::uint32_t>(i);
  }

  template <class Word>
  std::span<const std::uint32_t> candidates(Word key) const {
    const std::uint64_t hash = hash_of(key);
    if (filter_.may_have(hash) == 0) return {};
    const std::size_t bucket = hash >> shift_;
    return {numbers_.data() + begins_[bucket], begins_[bucket + 1] - begins_[bucket]};
  }

 private:
  WordFilter filter_;
  std::vector<std::uint32_t> begins_;   // of each bucket in numbers_
  std::vector<std::uint32_t> numbers_;  // by bucket, in their own order in each
  int shift_ = 0;
};

}  // namespace basesweep
