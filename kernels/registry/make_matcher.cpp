#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "kernels/cuda/cuda.hpp"
#include "kernels/registry/assignment.hpp"
#include "kernels/registry/composite_matcher.hpp"
#include "kernels/registry/declined.hpp"
#include "kernels/registry/on_devices.hpp"
#include "kernels/registry/rooms.hpp"
#include "kernels/registry/tuned.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

double bases_of(const MatcherOptions& options) {
  return options.expected_bases ? static_cast<double>(*options.expected_bases) : kUsualBases;
}

Assignment assign(const PatternSet& patterns, Device device, const MatcherOptions& options) {
  if (patterns.approximate()) {
    return assign_approximate(patterns, device, bases_of(options), options.table_bytes, options.tables);
  }
  Assignment assigned = assign_exact(patterns, device, options.output);
  if (device == Device::gpu || options.text == nullptr) return assigned;
  return assign_by_text(std::move(assigned), patterns, *options.text, bases_of(options));
}

// CPU or one GPU.
struct MatcherDevice {
  Device device;
  int gpu = 0;
};

std::unique_ptr<Matcher> make_one(Algorithm algorithm, MatcherDevice place, const PatternSet& patterns,
                                  std::vector<std::uint32_t> queries, const MatcherOptions& options,
                                  const Tuning& tuning = {}) {
  const Room& room = room_of(algorithm);
  const RoomOptions given{.patterns = patterns,
                          .queries = std::move(queries),
                          .output = options.output,
                          .isa = options.isa,
                          .gpu = place.gpu,
                          .tuning = tuning,
                          .expected_bases = bases_of(options),
                          .table_bytes = options.table_bytes,
                          .tables = options.tables,
                          .threads = std::max(options.threads, 1),
                          .log = options.log,
                          .name = room.name};
  return place.device == Device::gpu ? cuda::make_matcher(room, given) : room.make_cpu_matcher(given);
}

std::vector<std::uint32_t> all_queries(const PatternSet& patterns) {
  std::vector<std::uint32_t> all(patterns.queries().size());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

std::size_t positions_of(const PatternSet& patterns) {
  std::size_t positions = 0;
  for (const Query& query : patterns.queries()) positions += query.sets.size();
  return positions;
}

// Makes a matcher for each share of the assignment; together they search the same batches.
std::unique_ptr<Matcher> make_assigned(Assignment assignment, MatcherDevice place, const PatternSet& patterns,
                                       const MatcherOptions& options) {
  std::unique_ptr<Matcher> all;
  for (Share& share : assignment.shares) {
    options.log(fmt::format("algorithm: {} for {} patterns and strands ({})", to_string(share.algorithm),
                            share.queries.size(), share.reason));
    auto next = make_one(share.algorithm, place, patterns, std::move(share.queries), options);
    all = all == nullptr ? std::move(next) : compose(std::move(all), std::move(next));
  }
  return all;
}

// With the algorithm that the options name, or as assigned.
std::unique_ptr<Matcher> make_at(MatcherDevice place, Assignment assignment, const PatternSet& patterns,
                                 const MatcherOptions& options, const Tuning& tuning) {
  if (options.algorithm == Algorithm::automatic) return make_assigned(std::move(assignment), place, patterns, options);
  return make_one(options.algorithm, place, patterns, all_queries(patterns), options, tuning);
}

// Only `auto` has known costs, so they stand for any algorithm; for one that is named they are left out where nobody
// asks for them.
Assignment assign_at(Device device, const PatternSet& patterns, const MatcherOptions& options) {
  if (options.algorithm != Algorithm::automatic && options.device != Device::automatic) return {};
  return assign(patterns, device, options);
}

// The search on either device. `on_cpu`: what assign_at() gives for the CPU.
DeviceSearch device_search(Assignment on_cpu, const PatternSet& patterns, const MatcherOptions& options,
                           const Tuning& tuning) {
  // Tables for more positions of patterns take the CPU about as long to build as a GPU to start.
  constexpr std::size_t kMaxPositions = 1U << 21;
  DeviceSearch search;
  search.cpu_seconds_per_base = on_cpu.seconds_per_base;
  search.cpu_late = options.expected_bases && positions_of(patterns) > kMaxPositions;
  if (options.algorithm != Algorithm::automatic) search.note = " as auto would match";
  search.make_cpu = [on_cpu = std::move(on_cpu), &patterns, options, tuning] {
    return make_at({Device::cpu}, on_cpu, patterns, options, tuning);
  };
  search.make_gpu = [&patterns, options, tuning](int gpu, const auto& log) -> GpuMatcher {
    MatcherOptions on_gpu = options;
    on_gpu.log = log;
    Assignment assignment = assign_at(Device::gpu, patterns, on_gpu);
    const double seconds = assignment.seconds_per_base;
    return {make_at({Device::gpu, gpu}, std::move(assignment), patterns, on_gpu, tuning), seconds};
  };
  return search;
}

}  // namespace

std::optional<std::string> decline_reason(Algorithm algorithm, const PatternSet& patterns) {
  const Room& room = room_of(algorithm);
  if (room.finds != patterns.finds()) {
    return fmt::format("algorithm {} is for {} patterns", room.name,
                       room.finds == Finds::starts ? "exact" : "approximate");
  }
  for (const Query& query : patterns.queries()) {
    if (const auto reason = room.decline(query)) {
      return fmt::format("algorithm {} cannot take pattern '{}': {}", room.name,
                         patterns.patterns()[query.pattern].name, *reason);
    }
  }
  if (const std::size_t positions = positions_of(patterns); positions > room.max_positions) {
    return fmt::format(
        "algorithm {} cannot take these patterns: they have {} bases on all strands, and it takes at most {}",
        room.name, positions, room.max_positions);
  }
  return std::nullopt;
}

AutomaticAssignment assign_automatic(const PatternSet& patterns, const MatcherOptions& options) {
  AutomaticAssignment chosen{assign(patterns, Device::cpu, options), std::nullopt};
  if (may_share(chosen.cpu.seconds_per_base, options)) {
    chosen.gpu = assign(patterns, Device::gpu, options);
  }
  return chosen;
}

std::unique_ptr<Matcher> make_matcher(const PatternSet& patterns, const MatcherOptions& options) {
  return make_matcher(patterns, options, Tuning{});
}

std::unique_ptr<Matcher> make_matcher(const PatternSet& patterns, const MatcherOptions& options, const Tuning& tuning) {
  if (options.algorithm != Algorithm::automatic) {
    if (const auto reason = decline_reason(options.algorithm, patterns)) throw Declined(*reason);
  }
  Assignment on_cpu;
  if (options.device != Device::gpu) on_cpu = assign_at(Device::cpu, patterns, options);
  return make_on_devices(device_search(std::move(on_cpu), patterns, options, tuning), options);
}

}  // namespace basesweep
