#include "kernels/approximate/neighbors/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "kernels/approximate/neighbors/plan.hpp"
#include "kernels/approximate/neighbors/seed_words.hpp"
#include "kernels/approximate/neighbors/stored.hpp"
#include "kernels/approximate/neighbors/words.hpp"
#include "lib/base/error.hpp"
#include "lib/base/parallel.hpp"

namespace basesweep::neighbors {
namespace {

PositionSets position_sets(const Query& query, const SeedWindow& window, std::uint32_t count, bool backward) {
  PositionSets sets = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    sets |= PositionSets{query.sets[backward ? window.end - 1 - i : window.begin + i]} << 4 * i;
  }
  return sets;
}

// The positions beside a gram that its entries hold.
struct NearSide {
  bool left;
  std::uint32_t begin, end;  // positions of the query, fewer than asked for where the query ends
};

NearSide near_side(const Query& query, const SeedWindow& window, std::uint32_t near) {
  const auto length = static_cast<std::uint32_t>(query.sets.size());
  if (near_is_left(query, window)) return {true, window.begin - std::min(window.begin, near), window.begin};
  return {false, window.end, window.end + std::min(length - window.end, near)};
}

// The planes of positions [begin, end) of a query, from bit `first` on, as entries with `rows` rows hold them. Adds the
// positions with several bases, which stand as A, to `ambiguous`.
std::uint32_t planes_of(const Query& query, const NearSide& side, std::uint32_t first, std::uint32_t rows,
                        std::uint32_t& ambiguous) {
  std::uint32_t planes = 0;
  for (std::uint32_t i = side.begin; i < side.end; ++i) {
    const BaseSet set = query.sets[i];
    if (!is_single_base(set)) {
      ++ambiguous;
      continue;
    }
    const std::uint32_t place = first + i - side.begin;
    const auto code = static_cast<std::uint32_t>(std::countr_zero(set));  // single_base() without branches
    planes |= (code & 1) << place | (code >> 1) << (rows + place);
  }
  return planes;
}

// A bit for each position of a gram that may not mismatch.
std::uint16_t exact_positions(const Query& query, const SeedWindow& window) {
  std::uint32_t exact = 0;
  for (std::uint32_t i = window.begin; i < window.end; ++i) {
    if (is_exact(query, i)) exact |= 1U << (i - window.begin);
  }
  return static_cast<std::uint16_t>(exact);
}

Seed seed_for_mismatches(const Query& query, std::uint32_t slot, const SeedWindow& window, std::uint32_t near,
                         std::uint8_t table) {
  const NearSide side = near_side(query, window, near);
  // Positions with several bases, and those past the query's ends, may all mismatch.
  std::uint32_t free = near - (side.end - side.begin);
  const std::uint32_t planes = planes_of(query, side, side.left ? free : 0, near, free);
  const std::uint32_t budget = query.limits.edits + 1 + free;
  return {position_sets(query, window, window.end - window.begin, false),
          slot,
          window.begin,
          planes | (side.left ? kLeftSide : 0),
          static_cast<std::uint16_t>(std::min<std::uint32_t>(budget, kMaxBudget + window.max)),
          static_cast<std::uint8_t>(window.max),
          0,
          false,
          table,
          exact_positions(query, window)};
}

// The near side of an entry for edits ends in front of the first position with several bases.
NearSide near_side_of_edits(const Query& query, const SeedWindow& window) {
  NearSide side = near_side(query, window, near_rows(query.limits.edits));
  const auto single = [&](std::uint32_t i) { return is_single_base(query.sets[i]); };
  if (side.left) {
    std::uint32_t begin = side.end;
    while (begin != side.begin && single(begin - 1)) --begin;
    side.begin = begin;
  } else {
    std::uint32_t end = side.begin;
    while (end != side.end && single(end)) ++end;
    side.end = end;
  }
  return side;
}

Seed seed_for_edits(const Query& query, std::uint32_t slot, const SeedWindow& window, std::uint32_t gram) {
  const NearSide side = near_side_of_edits(query, window);
  const std::uint32_t count = side.end - side.begin;
  std::uint32_t ambiguous = 0;
  const std::uint32_t planes = planes_of(query, side, kMaxNearOfEdits - count, kMaxNearOfEdits, ambiguous);
  const bool indels = query.limits.indels != 0;
  const bool backward = indels && !side.left;
  const std::uint32_t rows = indels ? std::min(window.end - window.begin, gram + window.max) : 0;
  return {position_sets(query, window, indels ? rows : gram, backward),
          slot,
          backward ? window.end - gram : window.begin,
          planes | count << kNearCountShift | (side.left ? kLeftSideOfEdits : 0),
          static_cast<std::uint16_t>(query.limits.edits + 1),
          static_cast<std::uint8_t>(window.max),
          static_cast<std::uint8_t>(rows),
          backward,
          0,
          indels ? std::uint16_t{0} : exact_positions(query, window)};
}

// The near positions that nine of ten seeds have. The others get some that may always mismatch.
std::uint32_t choose_near(const QueryShapes& shapes, const std::vector<SeedWindows>& windows) {
  std::uint64_t seeds[kMaxNear + 1] = {};  // by the positions beside them
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const auto& [example, queries, clamped] = shapes.all()[i];
    for (const SeedWindow& window : windows[i].windows) {
      const NearSide side = near_side(*example, window, kMaxNear);
      seeds[side.end - side.begin] += queries;
      all += queries;
    }
  }
  std::uint32_t near = 0;
  for (std::uint64_t fewer = seeds[0]; near < kMaxNear && fewer <= all / 10; fewer += seeds[near]) ++near;
  return near;
}

// The plan; throws if there is none.
const TablePlan& needed(const std::optional<TablePlan>& plan, const RoomOptions& options, std::uint64_t max_bytes) {
  if (plan) return *plan;
  throw Error(
      kExitFailure,
      fmt::format("algorithm neighbors: the table of {} patterns and strands takes more than {} bytes of memory",
                  options.queries.size(), max_bytes));
}

std::uint64_t max_table_bytes(const RoomOptions& options) {
  return options.table_bytes.value_or(default_table_bytes(Device::cpu));
}

}  // namespace

Seeds::Seeds(const RoomOptions& options, Device device, std::uint64_t max_bytes)
    : Seeds(options,
            needed(plan(options.patterns, options.queries, device, std::max(options.expected_bases, 1.0), max_bytes),
                   options, max_bytes)) {}

Seeds::Seeds(const RoomOptions& options, const TablePlan& plan)
    : gram(plan.gram), expected_entries(plan.entries), gated(plan.gated), verify(options.patterns, {}) {
  const PatternSet& patterns = options.patterns;
  const std::vector<std::uint32_t>& indices = options.queries;
  const QueryShapes shapes(patterns, indices);
  const Layout layout(shapes, gram, gated);
  const std::vector<SeedWindows>& windows = layout.windows;
  gates = layout.gates;
  const bool edits = shapes.edits();
  if (edits) {
    columns = 1;
    verify = VerifyIndex(patterns, indices);
  } else {
    near = choose_near(shapes, windows);
  }
  // Where the seeds and blocks of each query begin.
  std::vector<std::size_t> first_seed(indices.size());
  queries.resize(indices.size());
  std::size_t seeds = 0;
  std::uint32_t block_count = 0;
  for (std::uint32_t slot = 0; slot < indices.size(); ++slot) {
    const Query& query = patterns.queries()[indices[slot]];
    const auto length = static_cast<std::uint32_t>(query.sets.size());
    const bool indels = query.limits.indels != 0;
    queries[slot] = {indices[slot], length, query.limits.edits, block_count, indels};
    if (!indels) block_count += (length + kMatchBlockPositions - 1) / kMatchBlockPositions;
    first_seed[slot] = seeds;
    seeds += windows[shapes.of(slot)].windows.size();
  }
  all.resize(seeds);
  blocks.resize(block_count);
  fill_in(options, shapes, layout, first_seed);
  if (!edits) return;
  for (const Seed& seed : all) {
    if (seed.backward) before = std::max<std::uint32_t>(before, seed.max);
    const std::uint32_t count = seed.near >> kNearCountShift & 15;
    if (count != 0) columns = std::max(columns, std::min(kMaxColumns, count + queries[seed.slot].max));
  }
}

void Seeds::fill_in(const RoomOptions& options, const QueryShapes& shapes, const Layout& layout,
                    const std::vector<std::size_t>& first_seed) {
  const auto fill_in_query = [&](std::uint32_t slot) {
    const auto& [id, length, max, first_block, indels] = queries[slot];
    const Query& query = options.patterns.queries()[id];
    MatchBlock* block = blocks.data() + first_block;
    for (std::uint32_t begin = 0; begin < length && !indels; begin += kMatchBlockPositions) {
      *block++ = match_block(query.sets, begin, length);
    }
    const std::uint32_t shape = shapes.of(slot);
    const std::vector<SeedWindow>& windows = layout.windows[shape].windows;
    Seed* seed = all.data() + first_seed[slot];
    for (std::size_t i = 0; i < windows.size(); ++i) {
      *seed++ = shapes.edits() ? seed_for_edits(query, slot, windows[i], gram)
                               : seed_for_mismatches(query, slot, windows[i], near, layout.tables[shape][i]);
    }
  };
  constexpr std::size_t kQueriesAtOnce = 4096;
  parallel_for_parts(options.threads, queries.size(), kQueriesAtOnce, [&](std::size_t begin, std::size_t end) {
    for (; begin != end; ++begin) fill_in_query(static_cast<std::uint32_t>(begin));
  });
}

IndexView Seeds::numbers() const {
  IndexView view{};
  view.gram = gram;
  view.near = near;
  view.columns = columns;
  view.before = before;
  view.seed_count = static_cast<std::uint32_t>(all.size());
  view.tables = static_cast<std::uint32_t>(gates.size());
  std::copy(gates.begin(), gates.end(), view.gates);
  return view;
}

std::string describe_table(const Seeds& seeds, std::uint64_t entries, const char* what) {
  const auto tables = static_cast<std::uint32_t>(seeds.gates.size());
  return fmt::format("neighbors: {} of {} words of {} bases, {:.1f} MB{}", what, entries, seeds.gram,
                     static_cast<double>(table_bytes(seeds.gram, tables, entries)) * 1e-6,
                     seeds.gated ? ", looked up beside clamped bases" : "");
}

Index::Index(const RoomOptions& options) : Index(options, choose_table(options, max_table_bytes(options))) {}

Index::Index(const RoomOptions& options, const TableChoice& choice)
    : seeds(options, needed(choice.plan, options, max_table_bytes(options))) {
  if (choice.stored != nullptr) {
    if (const auto ready = ready_table(*choice.stored, seeds, options.threads)) {
      table = *ready;
      mark_keys_with_entries();
      options.log(describe_table(seeds, table.starts[seeds.keys()], "a stored table"));
      return;
    }
    options.log("neighbors: the stored table is not used, as it is not for these seeds");
  }
  constexpr std::uint64_t kFewEntries = 1U << 16;  // built in about a millisecond, so not worth keeping
  const bool kept =
      options.tables != nullptr && options.tables->keep != nullptr && seeds.expected_entries > kFewEntries;
  // With several threads, the entries of a key would be in a different order in each file.
  const std::uint32_t count = build(kept ? 1 : options.threads);
  table = {starts_.get(), entries_.get(), seed_of_.get()};
  mark_keys_with_entries();
  options.log(describe_table(seeds, count));
  if (kept) options.tables->keep(table_to_store(options, seeds, table));
}

void Index::mark_keys_with_entries() {
  constexpr std::size_t kBits = 64;
  const std::size_t keys = seeds.keys();  // at least 4^kMinGram
  if (table.starts[keys] > 2 * kMostPresent * static_cast<double>(keys)) return;
  HugeArray<std::uint64_t> present(keys / kBits);
  std::size_t count = 0;
  for (std::size_t word = 0; word < keys / kBits; ++word) {
    const std::uint32_t* const starts = table.starts + word * kBits;
    std::uint64_t bits = 0;
    for (std::size_t key = 0; key < kBits; ++key) bits |= std::uint64_t{starts[key] != starts[key + 1]} << key;
    present.get()[word] = bits;
    count += static_cast<std::size_t>(std::popcount(bits));
  }
  if (static_cast<double>(count) <= kMostPresent * static_cast<double>(keys)) present_ = std::move(present);
}

std::uint32_t Index::build(int threads) {
  constexpr std::size_t kSeedsAtOnce = 256;
  constexpr std::uint64_t kEntriesForThread = 1U << 18;
  const auto workers =
      static_cast<int>(std::min<std::uint64_t>(threads, seeds.expected_entries / kEntriesForThread + 1));
  if (seeds.expected_entries <= SeedWords::kMost) {
    const SeedWords words(seeds, workers);
    return fill([&words](const auto& use) { words.for_each(use); });
  }
  return fill([&](const auto& use) {
    parallel_for_parts(workers, seeds.all.size(), kSeedsAtOnce, [&](std::size_t begin, std::size_t end) {
      for (std::size_t number = begin; number != end; ++number) {
        for_each_word(seeds.all[number], seeds.gram, [&](std::uint32_t key, std::uint32_t spent) {
          use(static_cast<std::uint32_t>(number), key, spent);
        });
      }
    });
  });
}

// Counts the entries of each key, then fills them in. The order of the entries of a key is left open.
// `for_each_word_of_all`: calls a function with the number of the seed, the key and the edits spent of every word.
template <class ForEach>
std::uint32_t Index::fill(const ForEach& for_each_word_of_all) {
  const std::size_t keys = seeds.keys();
  starts_ = HugeArray<std::uint32_t>(keys + 1);
  for_each_word_of_all([&](std::uint32_t /*number*/, std::uint32_t key, std::uint32_t /*spent*/) {
    std::atomic_ref(starts_.get()[key]).fetch_add(1, std::memory_order_relaxed);
  });
  std::uint32_t end = 0;
  for (std::size_t key = 0; key <= keys; ++key) starts_.get()[key] = end += starts_.get()[key];
  entries_ = HugeArray<std::uint32_t>(end + std::size_t{kEntriesAtOnce});
  seed_of_ = HugeArray<std::uint32_t>(end + std::size_t{kEntriesAtOnce});
  for_each_word_of_all([&](std::uint32_t number, std::uint32_t key, std::uint32_t spent) {
    const std::uint32_t place = std::atomic_ref(starts_.get()[key]).fetch_sub(1, std::memory_order_relaxed) - 1;
    entries_.get()[place] = entry_of(seeds.all[number], spent, seeds.edits());
    seed_of_.get()[place] = number;
  });
  return end;
}

}  // namespace basesweep::neighbors
