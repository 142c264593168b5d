#include "kernels/approximate/neighbors/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "kernels/approximate/neighbors/plan.hpp"
#include "kernels/approximate/neighbors/words.hpp"
#include "lib/base/error.hpp"
#include "lib/base/parallel.hpp"

namespace basesweep::neighbors {
namespace {

// The positions beside a gram that its entries hold.
struct NearSide {
  bool left;
  std::uint32_t begin, end;  // positions of the query, fewer than asked for where the query ends
};

NearSide near_side(const Query& query, std::uint32_t begin, std::uint32_t gram, std::uint32_t near) {
  const auto length = static_cast<std::uint32_t>(query.sets.size());
  const std::uint32_t behind = length - begin - gram;
  if (begin > behind) return {true, begin - std::min(begin, near), begin};
  return {false, begin + gram, begin + gram + std::min(behind, near)};
}

GramSets gram_sets(const Query& query, std::uint32_t begin, std::uint32_t gram) {
  GramSets sets = 0;
  for (std::uint32_t i = 0; i < gram; ++i) sets |= GramSets{query.sets[begin + i]} << 4 * i;
  return sets;
}

Seed make_seed(const Query& query, std::uint32_t slot, const SeedWindow& window, std::uint32_t gram,
               std::uint32_t near) {
  const NearSide side = near_side(query, window.begin, gram, near);
  const std::uint32_t first = side.left ? near - (side.end - side.begin) : 0;  // place of side.begin in the entry
  // Positions with several bases, and those past the query's ends, stand as A. They may all mismatch.
  std::uint32_t free = near - (side.end - side.begin);
  std::uint32_t planes = 0;
  for (std::uint32_t i = side.begin; i < side.end; ++i) {
    const BaseSet set = query.sets[i];
    if (!is_single_base(set)) {
      ++free;
      continue;
    }
    const std::uint32_t place = first + i - side.begin;
    planes |= (single_base(set) & 1) << place | (single_base(set) >> 1) << (near + place);
  }
  const std::uint32_t budget = query.limits.edits + 1 + free;
  return {gram_sets(query, window.begin, gram),
          slot,
          window.begin,
          planes | (side.left ? kLeftSide : 0),
          static_cast<std::uint16_t>(window.max),
          static_cast<std::uint16_t>(std::min<std::uint32_t>(budget, kMaxBudget + window.max))};
}

// The near positions that nine of ten seeds have. The others get some that may always mismatch.
std::uint32_t choose_near(const Shapes& shapes, const std::vector<SeedWindows>& windows, std::uint32_t gram) {
  std::uint64_t seeds[kMaxNear + 1] = {};  // by the positions beside them
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const auto& [example, queries] = shapes.all()[i];
    for (const SeedWindow& window : windows[i].windows) {
      const NearSide side = near_side(*example, window.begin, gram, kMaxNear);
      seeds[side.end - side.begin] += queries;
      all += queries;
    }
  }
  std::uint32_t near = 0;
  for (std::uint64_t fewer = seeds[0]; near < kMaxNear && fewer <= all / 10; fewer += seeds[near]) ++near;
  return near;
}

}  // namespace

Seeds::Seeds(const RoomOptions& options, Device device) {
  const PatternSet& patterns = options.patterns;
  const std::vector<std::uint32_t>& indices = options.queries;
  const std::optional<Plan> chosen = plan(patterns, indices, device, std::max(options.expected_bases, 1.0));
  if (!chosen) {
    throw Error(kExitFailure, fmt::format("neighbors: the table of {} queries would have more than {} entries",
                                          indices.size(), max_entries(device)));
  }
  gram = chosen->gram;
  entries = chosen->entries;
  const Shapes shapes(patterns, indices);
  std::vector<SeedWindows> windows;  // by shape
  for (const Shapes::Shape& shape : shapes.all()) windows.push_back(seed_windows(*shape.example, gram));
  near = choose_near(shapes, windows, gram);
  for (const std::uint32_t id : indices) {
    const Query& query = patterns.queries()[id];
    const auto slot = static_cast<std::uint32_t>(queries.size());
    const auto length = static_cast<std::uint32_t>(query.sets.size());
    queries.push_back({id, length, query.limits.edits, static_cast<std::uint32_t>(blocks.size())});
    for (std::uint32_t begin = 0; begin < length; begin += kMatchBlockPositions) {
      blocks.push_back(match_block(query.sets, begin, length));
    }
    for (const SeedWindow& window : windows[shapes.of(slot)].windows) {
      all.push_back(make_seed(query, slot, window, gram, near));
    }
  }
}

// Counts the entries of each key, then fills them in. The order of the entries of a key is left open.
Index::Index(const RoomOptions& options)
    : seeds(options, Device::cpu),
      starts((std::size_t{1} << 2 * seeds.gram) + 1),
      entries(seeds.entries + kEntriesAtOnce),
      seed_of(seeds.entries + kEntriesAtOnce) {
  const std::size_t keys = std::size_t{1} << 2 * seeds.gram;
  constexpr std::size_t kSeedsAtOnce = 256;
  constexpr std::uint64_t kEntriesForThread = 1U << 18;
  const auto threads = static_cast<int>(std::min<std::uint64_t>(std::max(1U, std::thread::hardware_concurrency()),
                                                                seeds.entries / kEntriesForThread + 1));
  const auto for_each_seed = [&](const auto& use) {
    parallel_for(threads, (seeds.all.size() + kSeedsAtOnce - 1) / kSeedsAtOnce, [&](std::size_t part) {
      const std::size_t end = std::min(seeds.all.size(), (part + 1) * kSeedsAtOnce);
      for (std::size_t i = part * kSeedsAtOnce; i < end; ++i) use(static_cast<std::uint32_t>(i), seeds.all[i]);
    });
  };
  for_each_seed([&](std::uint32_t /*number*/, const Seed& seed) {
    for_each_neighbor(seed.sets, seeds.gram, seed.max, [&](std::uint32_t key, std::uint32_t /*mismatches*/) {
      std::atomic_ref(starts.get()[key]).fetch_add(1, std::memory_order_relaxed);
    });
  });
  std::uint32_t end = 0;
  for (std::size_t key = 0; key <= keys; ++key) starts.get()[key] = end += starts.get()[key];
  for_each_seed([&](std::uint32_t number, const Seed& seed) {
    for_each_neighbor(seed.sets, seeds.gram, seed.max, [&](std::uint32_t key, std::uint32_t mismatches) {
      const std::uint32_t place = std::atomic_ref(starts.get()[key]).fetch_sub(1, std::memory_order_relaxed) - 1;
      entries.get()[place] = entry_of(seed, mismatches);
      seed_of.get()[place] = number;
    });
  });
}

}  // namespace basesweep::neighbors
