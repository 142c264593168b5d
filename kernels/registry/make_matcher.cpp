#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "kernels/cuda/cuda.hpp"
#include "kernels/registry/assignment.hpp"
#include "kernels/registry/choose_device.hpp"
#include "kernels/registry/composite_matcher.hpp"
#include "kernels/registry/declined.hpp"
#include "kernels/registry/rooms.hpp"

namespace basesweep {
namespace {

double bases_of(const MatcherOptions& options) {
  return options.expected_bases ? static_cast<double>(*options.expected_bases) : kUsualBases;
}

Assignment assign(const PatternSet& patterns, Device device, const MatcherOptions& options) {
  return patterns.approximate() ? assign_approximate(patterns, device, bases_of(options), options.table_bytes)
                                : assign_exact(patterns, device, options.output);
}

// Seconds that the CPU is expected to take. Only `auto` has known costs, so they stand for any algorithm.
std::optional<double> expected_seconds(const PatternSet& patterns, const MatcherOptions& options) {
  if (options.device != Device::automatic || !options.expected_bases) return std::nullopt;
  const double seconds_per_base = assign(patterns, Device::cpu, options).seconds_per_base;
  return static_cast<double>(*options.expected_bases) * seconds_per_base / std::max(options.threads, 1);
}

std::unique_ptr<Matcher> make_one(Algorithm algorithm, Device device, const PatternSet& patterns,
                                  std::vector<std::uint32_t> queries, const MatcherOptions& options,
                                  const Tuning& tuning = {}) {
  const Room& room = room_of(algorithm);
  const RoomOptions given{.patterns = patterns,
                          .queries = std::move(queries),
                          .output = options.output,
                          .isa = options.isa,
                          .gpu = options.gpu,
                          .tuning = tuning,
                          .expected_bases = bases_of(options),
                          .table_bytes = options.table_bytes,
                          .log = options.log,
                          .name = room.name};
  return device == Device::gpu ? cuda::make_matcher(room, given) : room.make_cpu_matcher(given);
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
std::unique_ptr<Matcher> make_assigned(AutomaticAssignment chosen, const PatternSet& patterns,
                                       const MatcherOptions& options) {
  std::unique_ptr<Matcher> all;
  for (Share& share : chosen.assignment.shares) {
    options.log(fmt::format("algorithm: {} for {} patterns and strands ({})", to_string(share.algorithm),
                            share.queries.size(), share.reason));
    auto next = make_one(share.algorithm, chosen.device, patterns, std::move(share.queries), options);
    all = all == nullptr ? std::move(next) : compose(std::move(all), std::move(next));
  }
  return all;
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
  const Device device = choose_device(options.device, options.gpu, expected_seconds(patterns, options), options.log);
  return {device, assign(patterns, device, options)};
}

std::unique_ptr<Matcher> make_matcher(const PatternSet& patterns, const MatcherOptions& options) {
  return make_matcher(patterns, options, Tuning{});
}

std::unique_ptr<Matcher> make_matcher(const PatternSet& patterns, const MatcherOptions& options, const Tuning& tuning) {
  if (options.algorithm == Algorithm::automatic) {
    return make_assigned(assign_automatic(patterns, options), patterns, options);
  }
  if (const auto reason = decline_reason(options.algorithm, patterns)) throw Declined(*reason);
  const Device device = choose_device(options.device, options.gpu, expected_seconds(patterns, options), options.log,
                                      " as auto would match");
  return make_one(options.algorithm, device, patterns, all_queries(patterns), options, tuning);
}

}  // namespace basesweep
