#include "kernels/approximate/pigeonhole/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace basesweep::pigeonhole {
namespace {

using BaseSets = std::span<const BaseSet>;

struct Range {
  std::uint32_t begin, end;  // positions of a query
};

std::uint32_t seeds_of(const Query& query) { return query.limits.edits + 1; }

std::uint32_t min_seed(const Query& query) { return static_cast<std::uint32_t>(query.sets.size()) / seeds_of(query); }

Range seed_at(const Query& query, std::uint32_t seed) {
  const std::uint64_t length = query.sets.size();
  return {static_cast<std::uint32_t>(length * seed / seeds_of(query)),
          static_cast<std::uint32_t>(length * (seed + 1) / seeds_of(query))};
}

// The number of words of single bases that the positions stand for.
double words_of(const BaseSets& sets, Range range) {
  double words = 1;
  for (std::uint32_t c = range.begin; c < range.end; ++c) words *= std::popcount(sets[c]);
  return words;
}

// The `gram` consecutive positions of a seed that stand for the fewest words; the first of equals.
Range gram_in(const BaseSets& sets, Range seed, std::uint32_t gram) {
  Range best{seed.begin, seed.begin + gram};
  double fewest = words_of(sets, best);
  for (std::uint32_t begin = seed.begin + 1; begin + gram <= seed.end && fewest > 1; ++begin) {
    const Range range{begin, begin + gram};
    if (const double words = words_of(sets, range); words < fewest) {
      best = range;
      fewest = words;
    }
  }
  return best;
}

// The keys of all words of single bases that the positions stand for.
std::vector<std::uint32_t> keys_of(const BaseSets& sets, Range range) {
  const std::uint32_t gram = range.end - range.begin;
  std::vector<std::uint32_t> keys{0};
  for (std::uint32_t i = 0; i < gram; ++i) {
    std::vector<std::uint32_t> longer;
    for (std::uint32_t code = 0; code < 4; ++code) {
      if ((sets[range.begin + i] >> code & 1) == 0) continue;
      for (const std::uint32_t key : keys) longer.push_back(key | (code & 1) << i | (code >> 1) << (gram + i));
    }
    keys = std::move(longer);
  }
  return keys;
}

std::uint32_t gram_for(const PatternSet& patterns, const std::vector<std::uint32_t>& queries) {
  std::uint32_t gram = kMaxGram;
  for (const std::uint32_t e : queries) gram = std::min(gram, min_seed(patterns.queries()[e]));
  return gram;
}

}  // namespace

std::optional<std::string> unfit(const Query& query) {
  if (query.sets.size() > kMaxVerifyLength) return fmt::format("is longer than {} bases", kMaxVerifyLength);
  if (min_seed(query) < kMinSeed) {
    return fmt::format("has {} bases, but {} edits need {} seeds of at least {} bases", query.sets.size(),
                       query.limits.edits, seeds_of(query), kMinSeed);
  }
  if (!query.iupac) return std::nullopt;
  double keys = 0;
  for (std::uint32_t p = 0; p < seeds_of(query); ++p) {
    const Range gram = gram_in(query.sets, seed_at(query, p), std::min(kMaxGram, min_seed(query)));
    keys += words_of(query.sets, gram);
  }
  if (keys > kMaxKeys) return fmt::format("has IUPAC codes that stand for more than {} words", kMaxKeys);
  return std::nullopt;
}

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& indices)
    : ids(indices), verify(patterns, indices), gram(gram_for(patterns, indices)) {
  struct Keyed {
    std::uint32_t key;
    GramPlace place;
  };
  std::vector<Keyed> all;
  for (std::uint32_t slot = 0; slot < ids.size(); ++slot) {
    const Query& query = patterns.queries()[ids[slot]];
    for (std::uint32_t p = 0; p < seeds_of(query); ++p) {
      const Range seed = seed_at(query, p);
      const Range range = gram_in(query.sets, seed, gram);
      GramPlace place{slot, range.begin, kNoCheck, range.begin - seed.begin};
      if (seed.end - seed.begin > gram) {
        place.check = static_cast<std::uint32_t>(checks.size());
        checks.push_back(match_block(query.sets, seed.begin, seed.end));
      }
      for (const std::uint32_t key : keys_of(query.sets, range)) all.push_back({key, place});
    }
  }
  const std::size_t keys = std::size_t{1} << 2 * gram;
  bitmap.resize(keys / 32);
  starts.resize(keys + 1);
  for (const Keyed& k : all) {
    bitmap[k.key / 32] |= 1U << (k.key % 32);
    ++starts[k.key + 1];
  }
  for (std::size_t key = 0; key < keys; ++key) starts[key + 1] += starts[key];
  places.resize(all.size());
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
  for (const Keyed& k : all) places[next[k.key]++] = k.place;
}

}  // namespace basesweep::pigeonhole
