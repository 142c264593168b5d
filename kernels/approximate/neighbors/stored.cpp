#include "kernels/approximate/neighbors/stored.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

#include "lib/base/parallel.hpp"

namespace basesweep::neighbors {
namespace {

// Number of the layout of entries and arrays. Another one makes older tables useless, but not wrong.
constexpr std::uint64_t kLayout = 3;

// The numbers of a key, and the arrays.
enum KeyPart : std::size_t { kLayoutNumber, kGram, kGated, kSeeds, kKeyParts };
enum ArrayPart : std::size_t { kStarts, kEntries, kSeedOf, kArrayParts };

struct Digest {
  std::uint64_t value;

  void add(std::uint64_t number) {
    value = (value ^ number) * 0x9e3779b97f4a7c15;
    value ^= value >> 32;
  }
  void add(const Seed& seed) {
    add(seed.sets);
    add(std::uint64_t{seed.slot} << 32 | seed.offset);
    add(std::uint64_t{seed.near} << 32 | std::uint64_t{seed.budget} << 16 | std::uint64_t{seed.max} << 8 | seed.rows);
    add(std::uint64_t{seed.exact} << 16 | std::uint64_t{seed.table} << 8 | (seed.backward ? 1 : 0));
  }
};

// A digest of all that the entries of a table come from. Tables of other seeds have another one, but for chance.
std::uint64_t digest_of(const Seeds& seeds, int threads) {
  constexpr std::size_t kSeedsAtOnce = 1U << 14;
  std::vector<Digest> parts((seeds.all.size() + kSeedsAtOnce - 1) / kSeedsAtOnce, Digest{0});
  parallel_for_parts(threads, seeds.all.size(), kSeedsAtOnce, [&](std::size_t begin, std::size_t end) {
    Digest part{begin};
    for (std::size_t i = begin; i != end; ++i) part.add(seeds.all[i]);
    parts[begin / kSeedsAtOnce] = part;
  });
  Digest digest{seeds.all.size()};
  digest.add(seeds.near);
  digest.add(seeds.columns);
  digest.add(seeds.before);
  for (const Gate& gate : seeds.gates) {
    digest.add(gate.count);
    for (std::uint32_t i = 0; i < gate.count; ++i) {
      digest.add(std::uint64_t{static_cast<std::uint32_t>(gate.offsets[i])} << 32 | gate.sets[i]);
    }
  }
  for (const Digest& part : parts) digest.add(part.value);
  return digest.value;
}

std::span<const std::uint32_t> numbers(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / sizeof(std::uint32_t)};
}

bool all_below(std::span<const std::uint32_t> all, std::size_t limit, int threads) {
  constexpr std::size_t kNumbersAtOnce = std::size_t{1} << 18;
  std::atomic<bool> below = true;
  parallel_for_parts(threads, all.size(), kNumbersAtOnce, [&](std::size_t begin, std::size_t end) {
    std::uint32_t highest = 0;
    for (; begin != end; ++begin) highest = std::max(highest, all[begin]);
    if (highest >= limit) below = false;
  });
  return below;
}

bool has_parts(const StoredTable& stored) {
  return stored.key.size() == kKeyParts && stored.arrays.size() == kArrayParts &&
         stored.key[kLayoutNumber] == kLayout && stored.key[kGram] >= kMinGram && stored.key[kGram] <= kMaxGram;
}

}  // namespace

StoredTable table_to_store(const RoomOptions& options, const Seeds& seeds, const TableView& table) {
  const std::size_t keys = seeds.keys();
  const std::size_t entries = table.starts[keys] + std::size_t{kEntriesAtOnce};
  return {.room = options.name,
          .key = {kLayout, seeds.gram, seeds.gated ? 1U : 0U, digest_of(seeds, options.threads)},
          .queries = options.queries,
          .arrays = {std::as_bytes(std::span(table.starts, keys + 1)), std::as_bytes(std::span(table.entries, entries)),
                     std::as_bytes(std::span(table.seed_of, entries))}};
}

std::optional<TableView> ready_table(const StoredTable& stored, const Seeds& seeds, int threads) {
  if (!has_parts(stored) || stored.key[kGram] != seeds.gram || stored.key[kSeeds] != digest_of(seeds, threads))
    return {};
  const auto starts = numbers(stored.arrays[kStarts]);
  const auto entries = numbers(stored.arrays[kEntries]);
  const auto seed_of = numbers(stored.arrays[kSeedOf]);
  const std::size_t keys = seeds.keys();
  if (starts.size() != keys + 1 || seed_of.size() != entries.size()) return {};
  if (std::uint64_t{starts.back()} + kEntriesAtOnce != entries.size()) return {};
  if (!std::is_sorted(starts.begin(), starts.end())) return {};
  if (!all_below(seed_of, seeds.all.size(), threads)) return {};
  return TableView{starts.data(), entries.data(), seed_of.data()};
}

std::optional<StoredPlan> stored_plan(const PatternSet& patterns, const StoredTables* tables) {
  const StoredTable* const table = tables == nullptr ? nullptr : tables->of("neighbors");
  if (table == nullptr || table->queries.empty() || !has_parts(*table)) return std::nullopt;
  StoredPlan stored{table, table->queries, {}};
  for (std::size_t i = 0; i < stored.queries.size(); ++i) {
    if (stored.queries[i] >= patterns.queries().size() || (i != 0 && stored.queries[i] <= stored.queries[i - 1])) {
      return std::nullopt;
    }
  }
  const auto plan =
      plan_with_table(patterns, stored.queries, static_cast<std::uint32_t>(table->key[kGram]), table->key[kGated] != 0);
  if (!plan) return std::nullopt;
  stored.plan = *plan;
  return stored;
}

TableChoice choose_table(const RoomOptions& options, std::uint64_t max_bytes) {
  const double bases = std::max(options.expected_bases, 1.0);
  const std::optional<StoredPlan> stored = stored_plan(options.patterns, options.tables);
  const bool same = stored && stored->queries == options.queries;
  if (same && stored->plan.seconds_per_base * bases < kSecondsToWeigh) return {stored->plan, stored->table};
  const std::optional<TablePlan> built = plan(options.patterns, options.queries, Device::cpu, bases, max_bytes);
  if (same && (!built || stored->plan.seconds_per_base <= built->seconds_per_base)) {
    return {stored->plan, stored->table};
  }
  if (options.tables != nullptr && options.tables->of(options.name) != nullptr) {
    options.log(same ? "neighbors: the stored table is not used, as another one is faster for so much text"
                     : "neighbors: the stored table is not used, as it is for other patterns");
  }
  return {built, nullptr};
}

}  // namespace basesweep::neighbors
