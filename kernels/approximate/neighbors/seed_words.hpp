// The words of all seeds, put apart by their keys. On the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/approximate/neighbors/index.hpp"
#include "kernels/approximate/neighbors/words.hpp"
#include "lib/base/parallel.hpp"

namespace basesweep::neighbors {

// Walks through the words of the seeds once and keeps them in parts of the table that fit into a processor's cache:
// a table is counted and filled several times sooner from these than word by word as the walk brings them.
class SeedWords {
 public:
  // A table with more words is made without this, to spare memory: a word takes 8 bytes.
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 27;

  SeedWords(const Seeds& seeds, int threads) : threads_(threads), shares_(static_cast<std::size_t>(threads)) {
    std::size_t shift = 0;
    while (seeds.keys() >> shift > kParts) ++shift;
    parallel_for(threads, shares_.size(), [&](std::size_t share) {
      std::vector<Words>& parts = shares_[share];
      parts.resize(kParts);
      const std::size_t begin = seeds.all.size() * share / shares_.size();
      const std::size_t end = seeds.all.size() * (share + 1) / shares_.size();
      for (std::size_t number = begin; number != end; ++number) {
        for_each_word(seeds.all[number], seeds.gram, [&](std::uint32_t key, std::uint32_t spent) {
          parts[key >> shift].push_back({key | spent << kKeyBits, static_cast<std::uint32_t>(number)});
        });
      }
    });
  }

  // Calls use(number of the seed, key, edits spent) with every word; those of a key in the order of the seeds, and
  // those of different keys perhaps side by side.
  template <class Use>
  void for_each(const Use& use) const {
    parallel_for(threads_, kParts, [&](std::size_t part) {
      for (const std::vector<Words>& parts : shares_) {
        for (const SeedWord& word : parts[part])
          use(word.seed, word.key_and_spent & ((1U << kKeyBits) - 1), word.key_and_spent >> kKeyBits);
      }
    });
  }

 private:
  static constexpr std::size_t kParts = 256;
  static constexpr std::uint32_t kKeyBits = 27;
  static_assert((kMaxTables << 2 * kMaxGram) <= 1U << kKeyBits);

  struct SeedWord {
    std::uint32_t key_and_spent;  // the low kKeyBits hold the key, the others the edits or mismatches, at most 31
    std::uint32_t seed;
  };
  using Words = std::vector<SeedWord>;

  int threads_;
  std::vector<std::vector<Words>> shares_;  // of each thread: the words of a stretch of the seeds, by part
};

}  // namespace basesweep::neighbors
