// How many bases the words of a guide have, and how many of its mismatches lie in each.
//
// The two words are [0, q) and [q, 2 q) from the border on. The m mismatches of a place are dealt to them and to what
// is beyond: one word has at most budgets[0] of them, or the other at most budgets[1], and both together m - 1 (Navarro
// and Raffinot, Flexible Pattern Matching in Strings, 2002, section 6.5.1).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace basesweep::buckets {

struct Split {
  std::uint32_t q = 0;                // 0: there is one bucket, with all sites
  std::array<int, 2> budgets{0, -1};  // below 0: the word is not needed
};

inline constexpr std::uint32_t kMaxWord = 10;  // q at most

// The sites of a batch, and the guides of one length that are searched for in it.
struct Load {
  double sites;
  double guides;
  std::uint32_t length;      // of a guide
  std::uint32_t mismatches;  // at most
};

struct Choice {
  Split split;
  double seconds;  // of one CPU thread
};

// The cheapest split among those with words of `least` to `most` bases.
Choice choose_split(const Load& load, std::uint32_t least = 0, std::uint32_t most = kMaxWord);

// How many words differ from one of q bases in at most `budget` of them.
double near_words(std::uint32_t q, int budget);

// The XOR differences of a word of q bases from those that differ from it in at most some bases.
struct Differences {
  std::vector<std::uint32_t> keys;  // by rising number of bases that differ
  std::vector<std::uint32_t> ends;  // of those that differ in no base, in one, in two ...
};
Differences differences(std::uint32_t q, std::uint32_t budget);

}  // namespace basesweep::buckets
