// Finds words among many.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lib/counting/packed_read.hpp"

namespace basesweep {

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
    filter_shift_ = shift_ - kFilterBits;
    begins_.assign((std::size_t{1} << bits) + 2, 0);
    filter_.assign(std::size_t{1} << (bits + kFilterBits > 6 ? bits + kFilterBits - 6 : 0), 0);
    std::vector<std::uint32_t> buckets(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t hash = hash_of(key_of(i));
      buckets[i] = static_cast<std::uint32_t>(hash >> shift_);
      ++begins_[buckets[i] + 2];
      const std::uint64_t bit = hash >> filter_shift_;
      filter_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
    for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    numbers_.resize(count);
    for (std::size_t i = 0; i < count; ++i) numbers_[begins_[buckets[i] + 1]++] = static_cast<std::uint32_t>(i);
  }

  template <class Word>
  std::span<const std::uint32_t> candidates(Word key) const {
    const std::uint64_t hash = hash_of(key);
    const std::uint64_t bit = hash >> filter_shift_;
    if ((filter_[bit / 64] >> (bit % 64) & 1) == 0) return {};
    const std::size_t bucket = hash >> shift_;
    return {numbers_.data() + begins_[bucket], begins_[bucket + 1] - begins_[bucket]};
  }

 private:
  // The filter has 2^kFilterBits bits for each bucket, so that most keys which are not there are refused by one look
  // at memory that stays in the cache.
  static constexpr int kFilterBits = 3;

  // Every bit of the word changes the high bits, and only these are used.
  static std::uint64_t hash_of(ShortWord word) { return word * 0x9e3779b97f4a7c15U; }
  static std::uint64_t hash_of(LongWord word) {
    const std::uint64_t high = hash_of(static_cast<ShortWord>(word >> 64));
    return hash_of(static_cast<ShortWord>(word) ^ high ^ high >> 32);
  }

  std::vector<std::uint64_t> filter_;
  std::vector<std::uint32_t> begins_;   // of each bucket in numbers_
  std::vector<std::uint32_t> numbers_;  // by bucket, in their own order in each
  int shift_ = 0;
  int filter_shift_ = 0;
};

}  // namespace basesweep
