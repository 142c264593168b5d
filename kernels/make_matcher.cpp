// The registry: which room takes which patterns on which device.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "kernels/choose_device.hpp"
#include "kernels/cuda/cuda.hpp"
#include "kernels/declined.hpp"
#include "kernels/plan.hpp"
#include "kernels/room.hpp"
#include "lib/fields.hpp"

namespace basesweep {

namespace {

// What make_matcher() knows of an algorithm.
struct Registered {
  const char* name;
  bool approximate;
  std::optional<std::string> (*decline)(const Entry& entry);
  std::unique_ptr<Matcher> (*make_on_cpu)(const RoomOptions& options);
  std::size_t most_columns = std::numeric_limits<std::size_t>::max();  // of all patterns and strands together
};

// An automaton has a state for nearly every column of its patterns and takes up to 100 bytes each to build.
constexpr std::size_t kMostAutomatonColumns = std::size_t{1} << 26;

Registered registered(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::automatic: return {"auto", false, nullptr, nullptr};
    case Algorithm::planes: return {"planes", false, planes::decline, planes::make_cpu_matcher};
    case Algorithm::drk2s: return {"drk2s", false, drk2s::decline, drk2s::make_cpu_matcher};
    case Algorithm::ac_dfa: return {"ac-dfa", false, ac_dfa::decline, ac_dfa::make_cpu_matcher, kMostAutomatonColumns};
    case Algorithm::ac_nfa: return {"ac-nfa", false, ac_nfa::decline, ac_nfa::make_cpu_matcher, kMostAutomatonColumns};
    case Algorithm::set_horspool:
      return {"set-horspool", false, set_horspool::decline, set_horspool::make_cpu_matcher, kMostAutomatonColumns};
    case Algorithm::sbom: return {"sbom", false, sbom::decline, sbom::make_cpu_matcher, kMostAutomatonColumns};
    case Algorithm::wu_manber: return {"wu-manber", false, wu_manber::decline, wu_manber::make_cpu_matcher};
    case Algorithm::sog: return {"sog", false, sog::decline, sog::make_cpu_matcher};
    case Algorithm::crk: return {"crk", false, crk::decline, crk::make_cpu_matcher};
    case Algorithm::drk: return {"drk", false, drk::decline, drk::make_cpu_matcher};
    case Algorithm::drk_wom32: return {"drk-wom32", false, drk_wom32::decline, drk_wom32::make_cpu_matcher};
    case Algorithm::drk_wom64: return {"drk-wom64", false, drk_wom64::decline, drk_wom64::make_cpu_matcher};
    case Algorithm::hrk: return {"hrk", false, hrk::decline, hrk::make_cpu_matcher};
    case Algorithm::qgrams: return {"qgrams", false, qgrams::decline, qgrams::make_cpu_matcher};
    case Algorithm::hmm: return {"hmm", true, hmm::decline, hmm::make_cpu_matcher};
    case Algorithm::myers: return {"myers", true, myers::decline, myers::make_cpu_matcher};
    case Algorithm::bitsliced: return {"bitsliced", true, bitsliced::decline, bitsliced::make_cpu_matcher};
    case Algorithm::pigeonhole: return {"pigeonhole", true, pigeonhole::decline, pigeonhole::make_cpu_matcher};
    case Algorithm::hamming: return {"hamming", true, hamming::decline, hamming::make_cpu_matcher};
  }
  return {"", false, nullptr, nullptr};
}

}  // namespace

const char* to_string(Algorithm algorithm) { return registered(algorithm).name; }

const char* to_string(Device device) {
  switch (device) {
    case Device::automatic: return "auto";
    case Device::cpu: return "cpu";
    case Device::gpu: return "gpu";
  }
  return "";
}

std::optional<std::pair<Device, int>> device_named(const std::string& text) {
  for (const Device device : {Device::automatic, Device::cpu, Device::gpu}) {
    if (text == to_string(device)) return std::pair{device, 0};
  }
  constexpr std::size_t kMostDigits = 4;
  std::string_view number = text;
  int gpu = 0;
  if (take_to(number, ':') != "gpu" || number.size() > kMostDigits || number.starts_with('-') ||
      !parse_number(number, gpu)) {
    return std::nullopt;
  }
  return std::pair{Device::gpu, gpu};
}

namespace {

// All that have a name, which the compiler asks to_string for.
std::vector<Algorithm> algorithms_of(bool approximate) {
  std::vector<Algorithm> algorithms;
  for (int i = static_cast<int>(Algorithm::automatic) + 1; *to_string(static_cast<Algorithm>(i)) != '\0'; ++i) {
    if (registered(static_cast<Algorithm>(i)).approximate == approximate)
      algorithms.push_back(static_cast<Algorithm>(i));
  }
  return algorithms;
}

// Two matchers on the same batches, one after the other; their hits are merged.
class CompositeMatcher final : public Matcher {
 public:
  CompositeMatcher(std::unique_ptr<Matcher> first, std::unique_ptr<Matcher> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  void submit(const PackedBatch& batch, Done done) override {
    first_->submit(batch, [this, &batch, done](MatchResult&& first, std::exception_ptr error) {
      if (error) return done({}, error);
      try {
        second_->submit(batch, [done, kept = std::move(first)](MatchResult&& second, std::exception_ptr second_error) {
          MatchResult both;
          if (!second_error) {
            try {
              both = merge(kept, second);
            } catch (...) {
              second_error = std::current_exception();
            }
          }
          done(std::move(both), second_error);
        });
      } catch (...) {
        done({}, std::current_exception());
      }
    });
  }

  std::string describe() const override { return first_->describe() + " + " + second_->describe(); }
  std::pmr::memory_resource* memory() override { return first_->memory(); }
  std::uint32_t batch_columns() const override { return first_->batch_columns(); }
  int slots() const override { return first_->slots(); }

 private:
  static MatchResult merge(const MatchResult& a, const MatchResult& b) {
    MatchResult both;
    both.hits.reserve(a.hits.size() + b.hits.size());
    std::merge(a.hits.begin(), a.hits.end(), b.hits.begin(), b.hits.end(), std::back_inserter(both.hits));
    both.counts = a.counts;
    for (std::size_t i = 0; i < b.counts.size(); ++i) both.counts[i] += b.counts[i];
    return both;
  }

  std::unique_ptr<Matcher> first_;
  std::unique_ptr<Matcher> second_;
};

Plan plan(const PatternSet& patterns, Device device, Output output) {
  return patterns.approximate() ? plan_approximate(patterns, device) : plan_exact(patterns, device, output);
}

// Of `auto`, whatever algorithm is asked for: no other's costs are known.
std::optional<double> expected_seconds(const PatternSet& patterns, const MatcherOptions& options) {
  if (options.device != Device::automatic || !options.expected_bases) return std::nullopt;
  const double seconds_per_base = plan(patterns, Device::cpu, options.output).seconds_per_base;
  return static_cast<double>(*options.expected_bases) * seconds_per_base / std::max(options.threads, 1);
}

std::unique_ptr<Matcher> make_one(Algorithm algorithm, Device device, const PatternSet& patterns,
                                  std::vector<std::uint32_t> entries, const MatcherOptions& options,
                                  const Tuning& tuning = {}) {
  const RoomOptions room{patterns, std::move(entries), options.output, options.isa, options.gpu, tuning};
  return device == Device::gpu ? cuda::make_matcher(algorithm, room) : registered(algorithm).make_on_cpu(room);
}

std::vector<std::uint32_t> all_entries(const PatternSet& patterns) {
  std::vector<std::uint32_t> all(patterns.entries().size());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

std::size_t columns_of(const PatternSet& patterns) {
  std::size_t columns = 0;
  for (const Entry& entry : patterns.entries()) columns += entry.columns.size();
  return columns;
}

// A matcher for each share of the plan, on the same batches.
std::unique_ptr<Matcher> make_planned(AutomaticPlan planned, const PatternSet& patterns,
                                      const MatcherOptions& options) {
  std::unique_ptr<Matcher> matcher;
  for (PlanShare& share : planned.plan.shares) {
    options.log(fmt::format("algorithm: {} for {} patterns and strands ({})", to_string(share.algorithm),
                            share.entries.size(), share.reason));
    auto next = make_one(share.algorithm, planned.device, patterns, std::move(share.entries), options);
    matcher =
        matcher == nullptr ? std::move(next) : std::make_unique<CompositeMatcher>(std::move(matcher), std::move(next));
  }
  return matcher;
}

}  // namespace

const std::vector<Algorithm>& exact_algorithms() {
  static const std::vector<Algorithm> algorithms = algorithms_of(false);
  return algorithms;
}

const std::vector<Algorithm>& approximate_algorithms() {
  static const std::vector<Algorithm> algorithms = algorithms_of(true);
  return algorithms;
}

std::optional<std::string> decline_reason(Algorithm algorithm, const PatternSet& patterns) {
  const Registered room = registered(algorithm);
  if (room.approximate != patterns.approximate()) {
    return fmt::format("algorithm {} is for {} patterns", room.name, patterns.approximate() ? "exact" : "approximate");
  }
  for (const Entry& entry : patterns.entries()) {
    if (const auto reason = room.decline(entry)) {
      return fmt::format("algorithm {} cannot take pattern '{}': {}", room.name,
                         patterns.patterns()[entry.pattern].name, *reason);
    }
  }
  if (const std::size_t columns = columns_of(patterns); columns > room.most_columns) {
    return fmt::format(
        "algorithm {} cannot take these patterns: they have {} bases on all strands, and it takes {} at most",
        room.name, columns, room.most_columns);
  }
  return std::nullopt;
}

AutomaticPlan plan_automatic(const PatternSet& patterns, const MatcherOptions& options) {
  const Device device = choose_device(options.device, options.gpu, expected_seconds(patterns, options), options.log);
  return {device, plan(patterns, device, options.output)};
}

std::unique_ptr<Matcher> make_matcher(const PatternSet& patterns, const MatcherOptions& options) {
  return make_matcher(patterns, options, Tuning{});
}

std::unique_ptr<Matcher> make_matcher(const PatternSet& patterns, const MatcherOptions& options, const Tuning& tuning) {
  if (options.algorithm == Algorithm::automatic) {
    return make_planned(plan_automatic(patterns, options), patterns, options);
  }
  if (const auto reason = decline_reason(options.algorithm, patterns)) throw Declined(*reason);
  const Device device = choose_device(options.device, options.gpu, expected_seconds(patterns, options), options.log,
                                      " as auto would match");
  return make_one(options.algorithm, device, patterns, all_entries(patterns), options, tuning);
}

}  // namespace basesweep
