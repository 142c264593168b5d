#include "kernels/exact/qgrams/cost.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "kernels/exact/qgrams/index.hpp"
#include "kernels/exact/qgrams/step.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::qgrams {
namespace {

struct Passed {
  double grams;   // the share of q-grams whose bit is set
  double starts;  // the share of starts whose q-grams all have their bits set
  double items;   // the queries that are compared, for each position
};

Passed passed_of(const Index& index, const TextSample& text) {
  const PlanesText planes{text.lo.data(), text.hi.data()};
  std::vector<std::uint64_t> set(text.positions / 64 + 1);  // a bit for each position
  for (std::uint32_t position = 0; position < text.positions; ++position) {
    const std::uint64_t bit =
        gram_bit(index.grams.data(), planes.lo_at(position), planes.hi_at(position), index.shape.q);
    set[position / 64] |= bit << position % 64;
  }
  std::uint64_t grams = 0;
  std::uint64_t starts = 0;
  std::uint64_t items = 0;
  for (std::uint32_t position = 0; position < text.positions; ++position) {
    const StartsRange range = items_for(index.starts.view(), planes.lo_at(position), planes.hi_at(position));
    items += range.end - range.begin;
  }
  for (std::uint32_t word = 0; word < text.positions / 64; ++word) {
    std::uint64_t all = set[word];
    for (std::uint32_t i = 1; i < index.shape.step; ++i) all &= set[word] >> i | set[word + 1] << (64 - i);
    grams += static_cast<std::uint64_t>(std::popcount(set[word]));
    starts += static_cast<std::uint64_t>(std::popcount(all));
  }
  return {static_cast<double>(grams) / text.positions, static_cast<double>(starts) / text.positions,
          static_cast<double>(items) / text.positions};
}

}  // namespace

// Fitted to 218 measurements on 11 texts (docs/benchmarks.md, "Texts"): 8 of 10 are within 12 %.
double nanoseconds(const SampledSearch& search) {
  const GramSteps shape = choose_shape(search.patterns, search.queries, kCpuCosts, {});
  const Index index(search.patterns, search.queries, shape);
  const Passed passed = passed_of(index, search.text);
  const double step = shape.step;
  const double neighbours = 2 * step - 2;
  const double large = std::max(0.0, std::log2(static_cast<double>(search.queries.size()) / 1000));
  return (1.64 + passed.grams * (8.9 + 1.32 * neighbours)) / step + (2.64 + 0.38 * large) * passed.starts +
         1.84 * passed.starts * (1 - passed.starts) + 0.66 * passed.items + 10.6 * search.hits;
}

}  // namespace basesweep::qgrams
