#include "tools/bench/support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "kernels/registry/tuned.hpp"

namespace basesweep {

double seconds_since(BenchClock::time_point begin) {
  return std::chrono::duration<double>(BenchClock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

std::unique_ptr<PackedBatch> random_batch(std::uint32_t positions, std::uint64_t seed, bool two_letters) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> lo(positions / 64);
  std::vector<std::uint64_t> hi(positions / 64);
  for (std::uint64_t& word : lo) word = random();
  if (!two_letters) {
    for (std::uint64_t& word : hi) word = random();
  }
  auto batch = std::make_unique<PackedBatch>(positions, kMaxBenchLength, std::pmr::get_default_resource());
  batch->begin_segment("random", 0, 0, 0);
  batch->append(lo.data(), hi.data(), 0, positions);
  batch->finish(0, positions);
  return batch;
}

std::vector<Pattern> random_patterns(int count, int length) {
  std::mt19937 random(7);
  std::vector<Pattern> patterns;
  for (int i = 0; i < count; ++i) {
    Pattern pattern{fmt::format("m{}", i), ""};
    for (int c = 0; c < length; ++c) pattern.sequence += base_letter(random() % 4);
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

CoreTiming time_on_core(const PatternSet& patterns, const MatcherOptions& options, const Tuning& tuning,
                        const PackedBatch& batch, int min_runs, double min_seconds) {
  const std::unique_ptr<Matcher> matcher = make_matcher(patterns, options, tuning);
  return time_matcher(*matcher, batch, min_runs, min_seconds);
}

CoreTiming time_matcher(Matcher& matcher, const PackedBatch& batch, int min_runs, double min_seconds) {
  MatchResult found;
  std::vector<double> times;
  const auto begin = BenchClock::now();
  while (times.size() < static_cast<std::size_t>(min_runs) || seconds_since(begin) < min_seconds) {
    const auto start = BenchClock::now();
    matcher.submit(batch, [&found](MatchResult&& result, const std::exception_ptr& error) {
      if (error) std::rethrow_exception(error);
      found = std::move(result);
    });
    times.push_back(seconds_since(start));
  }
  const std::uint64_t counted = std::accumulate(found.counts.begin(), found.counts.end(), std::uint64_t{0});
  return {median(std::move(times)), found.occurrences.size() + counted, std::move(found.counts)};
}

}  // namespace basesweep
