// The index of `neighbors`: a table of the grams that text has where a seed of a query occurs with few mismatches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/cpu/huge_array.hpp"
#include "kernels/room.hpp"
#include "lib/search/device.hpp"
#include "lib/search/match_block.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep::neighbors {

inline constexpr std::uint32_t kMinGram = 4;
inline constexpr std::uint32_t kMaxGram = 12;
inline constexpr std::uint32_t kMaxNear = 13;            // positions
inline constexpr std::uint64_t kMaxQueryEntries = 4096;  // of a query that the room takes, with the best gram for it
inline constexpr std::uint32_t kEntriesAtOnce = 16;      // past the last entry, this many can be read

// The base sets of a gram's positions, four bits each, those of the first position lowest.
using GramSets = std::uint64_t;

// A gram of a query, which stands for one of its seeds.
struct Seed {
  GramSets sets;
  std::uint32_t slot;    // index in Index::queries
  std::uint32_t offset;  // positions of the query in front of the gram
  std::uint32_t near;    // what all entries of the gram have in common: their planes and kLeftSide
  std::uint16_t max;     // mismatches that the gram may have
  std::uint16_t budget;  // entry_of() subtracts the mismatches of the gram
};

// An entry of the table says which bases of the query lie beside the gram. Compared with the text there, they tell most
// false finds, so that nothing else is read for these.
//
//     bits 0 ... near - 1          the low code bits of the bases, the first base lowest
//     bits near ... 2 near - 1     their high code bits
//     bit 26 (kLeftSide)           they lie in front of the gram, else behind it
//     bits 28 ... 31               1 + the mismatches that they may have; 0: there is no entry, and nothing passes
inline constexpr std::uint32_t kLeftSide = 1U << 26;
inline constexpr std::uint32_t kBudgetShift = 28;
inline constexpr std::uint32_t kMaxBudget = 15;  // more than all near positions together

BASESWEEP_HD std::uint32_t entry_of(const Seed& seed, std::uint32_t gram_mismatches) {
  const std::uint32_t budget = seed.budget - gram_mismatches;
  return seed.near | (budget < kMaxBudget ? budget : kMaxBudget) << kBudgetShift;
}

struct SearchedQuery {
  std::uint32_t id;  // index in the PatternSet
  std::uint32_t length;
  std::uint32_t max;  // mismatches
  std::uint32_t first_block;
};

// The index as plain pointers, for scans and kernels. The key of a gram is qgram() of kernels/text.hpp.
struct IndexView {
  const std::uint32_t* starts;   // the entries of a key: [starts[key], starts[key + 1])
  const std::uint32_t* entries;  // kEntriesAtOnce more can be read past the last one
  const std::uint32_t* seed_of;  // for each entry, index in `seeds`
  const Seed* seeds;
  const SearchedQuery* queries;
  const MatchBlock* blocks;
  std::uint32_t gram;  // positions
  std::uint32_t near;  // positions
};

// Why a query cannot be taken, or nothing.
std::optional<std::string> unfit(const Query& query);

// How the room would search some queries.
struct Plan {
  std::uint32_t gram = kMinGram;
  std::uint64_t entries = 0;
  double seconds_per_base = 0;  // expected for random text, on one CPU thread or on a GPU
};

// The plan with the lowest expected cost among those with at most max_entries(device) entries; nothing if there is
// none. unfit() must be empty for each query. `expected_bases` of text pay for the table.
std::optional<Plan> plan(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, Device device,
                         double expected_bases);

// The most that one query adds to the cost of a plan with this gram; infinite if the gram is longer than the query.
double seconds_per_base(const Query& query, std::uint32_t gram, Device device, double expected_bases);

// The most entries of a table.
std::uint64_t max_entries(Device device);

// The seeds of the queries. unfit() must be empty for each.
struct Seeds {
  Seeds(const RoomOptions& options, Device device);

  std::uint32_t gram;
  std::uint64_t entries;
  std::uint32_t near = 0;
  std::vector<Seed> all;
  std::vector<SearchedQuery> queries;
  std::vector<MatchBlock> blocks;
};

// The seeds and their table, for the CPU.
struct Index {
  explicit Index(const RoomOptions& options);

  IndexView view() const {
    return {starts.get(),         entries.get(),       seed_of.get(), seeds.all.data(),
            seeds.queries.data(), seeds.blocks.data(), seeds.gram,    seeds.near};
  }

  Seeds seeds;
  HugeArray<std::uint32_t> starts;
  HugeArray<std::uint32_t> entries;
  HugeArray<std::uint32_t> seed_of;
};

}  // namespace basesweep::neighbors
