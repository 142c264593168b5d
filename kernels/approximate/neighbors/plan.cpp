#include "kernels/approximate/neighbors/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "lib/base/memory.hpp"

namespace basesweep::neighbors {
namespace {

// Seconds, fitted to the rows in README.md.
struct Costs {
  double look_up[kMaxGram + 1];  // of the gram at a position, by gram; a larger table is farther from the processor
  double bit[kMaxGram + 1];      // the same of the bit that says whether it has entries; 0: there are no bits
  double gate;                   // of a position, for each table that has one
  double list;                   // at a position whose gram has entries
  double entry;                  // for each entry of a position, for mismatches
  double entry_of_edits;         // the same for edits
  double verified_base;          // of a query that may have indels, for each base of text around a seed and each word
  double build, build_of_edits;  // once for each entry of the table
  double key;                    // once for each of its keys
};

constexpr Costs kCpuCosts{.look_up = {0, 0, 0, 0, 4e-9, 4e-9, 4e-9, 4e-9, 4e-9, 5e-9, 7e-9, 1e-8, 1.4e-8},
                          .bit = {0, 0, 0, 0, 2e-9, 2e-9, 2e-9, 2e-9, 2e-9, 2e-9, 2e-9, 3.5e-9, 6e-9},
                          .gate = 4e-10,
                          .list = 1e-8,
                          .entry = 3.3e-9,
                          .entry_of_edits = 1.1e-8,
                          .verified_base = 1e-8,
                          .build = 6e-8,
                          .build_of_edits = 1.3e-7,
                          .key = 9e-9};
constexpr Costs kGpuCosts{.look_up = {0, 0, 0, 0, 8e-12, 8e-12, 8e-12, 8e-12, 8e-12, 8e-12, 9e-12, 1.5e-11, 3e-11},
                          .bit = {},
                          .gate = 1e-12,
                          .list = 3e-12,
                          .entry = 2.2e-12,
                          .entry_of_edits = 1.5e-11,
                          .verified_base = 7.7e-12,
                          .build = 5e-10,
                          .build_of_edits = 5e-10,
                          .key = 1e-11};

const Costs& costs_on(Device device) { return device == Device::gpu ? kGpuCosts : kCpuCosts; }

double build_of(const Query& query, const Costs& costs) {
  return query.limits.indels != 0 ? costs.build_of_edits : costs.build;
}

// Returns the cost of a position whose gram has `list` entries on average.
double look_up(const Costs& costs, std::uint32_t gram, double list) {
  const double present = 1 - std::exp(-list);
  const double found = costs.list * present;
  if (costs.bit[gram] == 0 || present > kMostPresent) return costs.look_up[gram] + found;
  return costs.bit[gram] + present * costs.look_up[gram] + found;
}

// Of a seed of the query that is found: the text around it, as far as edits can reach, is aligned to the query.
double verification(const Query& query, const Costs& costs) {
  constexpr double kWord = 64;
  const auto length = static_cast<double>(query.sets.size());
  return costs.verified_base * (length + 2.0 * query.limits.edits) * std::ceil(length / kWord);
}

// Whether two queries without IUPAC codes have the same shape.
bool plainly_alike(const Query& a, const Query& b) {
  return !a.iupac && !b.iupac && a.sets.size() == b.sets.size() && a.limits.edits == b.limits.edits &&
         (a.limits.indels != 0) == (b.limits.indels != 0) && a.limits.clamp_left == b.limits.clamp_left &&
         a.limits.clamp_right == b.limits.clamp_right;
}

std::string describe_shape(const Query& query) {
  std::string shape(query.sets.size(), '1');
  if (query.iupac) {
    std::transform(query.sets.begin(), query.sets.end(), shape.begin(),
                   [](BaseSet set) { return static_cast<char>('0' + std::popcount(set)); });
  }
  const Limits& limits = query.limits;
  return shape + fmt::format(" {} {} {} {}", limits.edits, limits.indels != 0, limits.clamp_left, limits.clamp_right);
}

// Infinite if the gram is longer than the query.
double entries_of(const Query& query, std::uint32_t gram) {
  const SeedWindows chosen = seed_windows(query, gram);
  return chosen.windows.empty() ? std::numeric_limits<double>::infinity() : chosen.entries;
}

// The gate of a window's gram: the clamped positions beside it, those that few bases match first. None if it would let
// most grams through.
Gate gate_of(const QueryShapes::QueryShape& shape, const SeedWindow& window) {
  constexpr double kMaxPart = 0.25;
  Gate gate;
  for (int bases = 1; bases <= 3; ++bases) {
    for (std::uint32_t i = 0; i < shape.clamped.size() && gate.count < kMaxGateBases; ++i) {
      if ((i >= window.begin && i < window.end) || std::popcount(shape.clamped[i]) != bases) continue;
      gate.offsets[gate.count] = static_cast<std::int32_t>(i) - static_cast<std::int32_t>(window.begin);
      gate.sets[gate.count++] = shape.clamped[i];
    }
  }
  return part_looked_up(gate) <= kMaxPart ? gate : Gate{};
}

}  // namespace

double part_looked_up(const Gate& gate) {
  double part = 1;
  for (std::uint32_t i = 0; i < gate.count; ++i) part *= std::popcount(gate.sets[i]) / 4.0;
  return part;
}

std::optional<std::string> unfit(const Query& query) {
  constexpr std::uint32_t kMaxIupacLength = 256;
  if (query.sets.size() > kMaxVerifyLength) return fmt::format("is longer than {} bases", kMaxVerifyLength);
  if (query.sets.size() < kMinGram) return fmt::format("is shorter than {} bases", kMinGram);
  if (query.iupac && query.sets.size() > kMaxIupacLength) {
    return fmt::format("has IUPAC codes and is longer than {} bases", kMaxIupacLength);
  }
  // There are no more words than this. Most sets end here; windows of every query with codes would take seconds to
  // choose.
  constexpr std::uint32_t kShortestWords = 1U << 2 * kMinGram;
  if (query.limits.indels == 0 && most_windows(query, kMinGram) * kShortestWords <= kMaxQueryEntries)
    return std::nullopt;
  for (std::uint32_t gram = kMinGram; gram <= std::min<std::size_t>(kMaxGram, query.sets.size()); ++gram) {
    if (entries_of(query, gram) <= static_cast<double>(kMaxQueryEntries)) return std::nullopt;
  }
  return fmt::format("has seeds that stand for more than {} words", kMaxQueryEntries);
}

QueryShapes::QueryShapes(const PatternSet& patterns, const std::vector<std::uint32_t>& queries) {
  std::map<std::string, std::uint32_t> known;
  const Query* last = nullptr;  // of the query before
  of_.reserve(queries.size());
  for (const std::uint32_t index : queries) {
    const Query& query = patterns.queries()[index];
    std::uint32_t shape = of_.empty() ? 0 : of_.back();
    if (last == nullptr || !plainly_alike(*last, query)) {
      const auto [place, is_new] = known.try_emplace(describe_shape(query), static_cast<std::uint32_t>(all_.size()));
      if (is_new) all_.push_back({&query, 0, std::vector<BaseSet>(query.sets.size(), kAnyBase)});
      shape = place->second;
    }
    last = &query;
    all_[shape].add(query);
    of_.push_back(shape);
  }
}

void QueryShapes::QueryShape::add(const Query& query) {
  if (has_exact_positions(query)) {
    for (std::uint32_t i = 0; i < clamped.size(); ++i) {
      if (is_exact(query, i)) clamped[i] = (queries == 0 ? 0 : clamped[i]) | query.sets[i];
    }
  }
  ++queries;
}

bool QueryShapes::edits() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](const QueryShape& shape) { return shape.example->limits.indels != 0; });
}

Layout::Layout(const QueryShapes& shapes, std::uint32_t gram, bool gated) {
  gated = gated && !shapes.edits();
  std::vector<std::pair<Gate, double>> known;  // gates, and the entries whose comparison they spare
  const auto place_of = [&](const Gate& gate) {
    return std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.first == gate; });
  };
  const auto gate_at = [&](const QueryShapes::QueryShape& shape, const SeedWindow& window) {
    return gated ? gate_of(shape, window) : Gate{};
  };
  for (const QueryShapes::QueryShape& shape : shapes.all()) {
    windows.push_back(
        seed_windows(*shape.example, gram, gated ? std::span(shape.clamped) : std::span<const BaseSet>{}));
    for (const SeedWindow& window : windows.back().windows) {
      const Gate gate = gate_at(shape, window);
      auto place = place_of(gate);
      if (place == known.end()) place = known.insert(place, {gate, 0});
      place->second += (1 - part_looked_up(gate)) * window.words * static_cast<double>(shape.queries);
    }
  }
  // The table without a gate, if there is one, comes first, and takes the seeds for which no table is left.
  std::stable_sort(known.begin(), known.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  const bool ungated = place_of(Gate{}) != known.end() || known.size() > kMaxTables || known.empty();
  if (ungated) gates.emplace_back();
  for (const auto& [gate, spared] : known) {
    if (gate.count != 0 && gates.size() < kMaxTables) gates.push_back(gate);
  }
  for (std::size_t i = 0; i < windows.size(); ++i) {
    std::vector<std::uint8_t>& own = tables.emplace_back();
    for (const SeedWindow& window : windows[i].windows) {
      const auto place = std::find(gates.begin(), gates.end(), gate_at(shapes.all()[i], window));
      own.push_back(static_cast<std::uint8_t>(place == gates.end() ? 0 : place - gates.begin()));
    }
  }
}

std::uint64_t table_bytes(std::uint32_t gram, std::uint32_t tables, std::uint64_t entries) {
  return sizeof(std::uint32_t) * (2 * entries + (std::uint64_t{tables} << 2 * gram));
}

std::uint64_t default_table_bytes(Device device) {
  constexpr std::uint64_t kMin = std::uint64_t{1} << 28;
  constexpr std::uint64_t kMax = std::uint64_t{1} << 34;
  return device == Device::gpu ? kMax : std::clamp(lately_available_memory_bytes() / 2, kMin, kMax);
}

namespace {

// How the queries of these shapes would be searched with one gram; nothing if there are too many entries.
std::optional<TablePlan> plan_with(const QueryShapes& shapes, std::uint32_t gram, bool gated, Device device,
                                   double expected_bases) {
  constexpr double kMaxEntries = 4e9;  // they are numbered in 32 bits
  const Costs& costs = costs_on(device);
  const Layout layout(shapes, gram, gated);
  std::vector<double> entries(layout.gates.size());
  double all = 0;
  double building = 0;   // seconds
  double verifying = 0;  // seconds, if all seeds were found once
  for (std::size_t i = 0; i < layout.windows.size(); ++i) {
    const auto queries = static_cast<double>(shapes.all()[i].queries);
    const std::vector<SeedWindow>& windows = layout.windows[i].windows;
    if (windows.empty()) return std::nullopt;
    for (std::size_t w = 0; w < windows.size(); ++w) entries[layout.tables[i][w]] += windows[w].words * queries;
    all += layout.windows[i].entries * queries;
    building += build_of(*shapes.all()[i].example, costs) * layout.windows[i].entries * queries;
    verifying += layout.windows[i].passing * queries * verification(*shapes.all()[i].example, costs);
  }
  if (all > kMaxEntries) return std::nullopt;
  const double keys = std::pow(4.0, gram);
  const double entry = shapes.edits() ? costs.entry_of_edits : costs.entry;
  double seconds = verifying / keys + building / expected_bases;
  for (std::size_t t = 0; t < entries.size(); ++t) {
    const double list = entries[t] / keys;
    seconds += part_looked_up(layout.gates[t]) * (look_up(costs, gram, list) + entry * list);
    seconds += costs.key * keys / expected_bases + (layout.gates[t].count != 0 ? costs.gate : 0);
  }
  return TablePlan{gram, static_cast<std::uint64_t>(all), seconds, layout.gated(),
                   static_cast<std::uint32_t>(layout.gates.size())};
}

}  // namespace

std::optional<TablePlan> plan(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, Device device,
                              double expected_bases, std::uint64_t max_bytes) {
  const QueryShapes shapes(patterns, queries);
  const bool clamps = std::any_of(shapes.all().begin(), shapes.all().end(), [](const QueryShapes::QueryShape& shape) {
    return has_exact_positions(*shape.example);
  });
  std::optional<TablePlan> best;
  for (std::uint32_t gram = kMinGram; gram <= kMaxGram; ++gram) {
    for (const bool gated : {false, true}) {
      if (gated && !clamps) continue;
      const std::optional<TablePlan> one = plan_with(shapes, gram, gated, device, expected_bases);
      if (!one || table_bytes(gram, one->tables, one->entries) > max_bytes) continue;
      if (!best || one->seconds_per_base < best->seconds_per_base) best = one;
    }
  }
  return best;
}

std::optional<TablePlan> plan_with_table(const PatternSet& patterns, const std::vector<std::uint32_t>& queries,
                                         std::uint32_t gram, bool gated) {
  const QueryShapes shapes(patterns, queries);
  const auto is_unfit = [](const QueryShapes::QueryShape& shape) { return unfit(*shape.example).has_value(); };
  if (std::any_of(shapes.all().begin(), shapes.all().end(), is_unfit)) return std::nullopt;
  return plan_with(shapes, gram, gated, Device::cpu, std::numeric_limits<double>::infinity());
}

std::vector<double> seconds_per_base_of_each(const PatternSet& patterns, const std::vector<std::uint32_t>& queries,
                                             const TablePlan& plan, Device device, double expected_bases) {
  const Costs& costs = costs_on(device);
  const QueryShapes shapes(patterns, queries);
  const Layout layout(shapes, plan.gram, plan.gated);
  const double keys = std::pow(4.0, plan.gram);
  std::vector<double> of_shape;
  for (std::size_t i = 0; i < layout.windows.size(); ++i) {
    const SeedWindows& chosen = layout.windows[i];
    const double entry = shapes.all()[i].example->limits.indels != 0 ? costs.entry_of_edits : costs.entry;
    const double found = costs.list + (costs.bit[plan.gram] != 0 ? costs.look_up[plan.gram] : 0) + entry;
    double seconds = chosen.windows.empty()
                         ? std::numeric_limits<double>::infinity()
                         : verification(*shapes.all()[i].example, costs) * chosen.passing / keys +
                               build_of(*shapes.all()[i].example, costs) / expected_bases * chosen.entries;
    for (std::size_t w = 0; w < chosen.windows.size(); ++w) {
      seconds += part_looked_up(layout.gates[layout.tables[i][w]]) * found * chosen.windows[w].words / keys;
    }
    of_shape.push_back(seconds);
  }
  std::vector<double> all;
  all.reserve(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) all.push_back(of_shape[shapes.of(i)]);
  return all;
}

}  // namespace basesweep::neighbors
