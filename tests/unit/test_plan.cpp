// What `auto` takes: every entry once, and nothing that the algorithm declines.
#include "kernels/plan.hpp"

#include <algorithm>

#include "kernels/tuning.hpp"
#include "lib/dna.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/generate.hpp"

namespace {

using namespace basesweep;

PatternSet random_set(std::uint64_t seed, const std::vector<std::pair<std::size_t, std::size_t>>& counts_and_lengths,
                      const std::string& letters = "ACGT") {
  support::Random random(seed);
  std::vector<Pattern> patterns;
  for (const auto& [count, length] : counts_and_lengths) {
    for (std::size_t i = 0; i < count; ++i) {
      patterns.push_back({std::to_string(patterns.size()), support::random_letters(random, length, letters)});
    }
  }
  return {std::move(patterns), StrandChoice::plus, PalindromeChoice::once};
}

std::vector<Algorithm> taken(const PatternSet& set, Device device, Output output) {
  std::vector<Algorithm> algorithms;
  for (const PlanShare& share : plan_exact(set, device, output).shares) algorithms.push_back(share.algorithm);
  return algorithms;
}

}  // namespace

TEST_CASE("a plan has every entry once, with an algorithm that takes it, and tells why", "[plan]") {
  const PatternSet sets[] = {
      random_set(1, {{1, 1}}),
      random_set(2, {{1, 12}}),
      random_set(3, {{40, 3}, {200, 6}, {900, 7}, {4'000, 8}, {15'000, 9}, {300, 12}, {10, 5'000}, {2, 70'000}}),
      random_set(4, {{25'000, 8}}),
      random_set(5, {{30, 3}, {30, 9}, {30, 20}, {1, 9'000}}, "ACGTN"),
  };
  for (const PatternSet& set : sets) {
    for (const Device device : {Device::cpu, Device::gpu}) {
      for (const Output output : {Output::hits, Output::counts}) {
        std::vector<std::size_t> times(set.entries().size());
        for (const PlanShare& share : plan_exact(set, device, output).shares) {
          CHECK_FALSE(share.reason.empty());
          std::vector<Pattern> own;
          for (const std::uint32_t e : share.entries) {
            ++times.at(e);
            own.push_back(set.patterns()[set.entries()[e].pattern]);
          }
          const PatternSet part(std::move(own), StrandChoice::plus, PalindromeChoice::once);
          CHECK(decline_reason(share.algorithm, part).value_or("") == "");
        }
        CHECK(std::all_of(times.begin(), times.end(), [](std::size_t n) { return n == 1; }));
      }
    }
  }
}

TEST_CASE("a plan takes what was the fastest for the number, lengths, device and output", "[plan]") {
  using Algorithms = std::vector<Algorithm>;
  const PatternSet one = random_set(1, {{1, 12}});
  const PatternSet thousand = random_set(1, {{1'000, 12}});
  const PatternSet dense = random_set(1, {{8'000, 8}});
  CHECK(taken(one, Device::cpu, Output::hits) == Algorithms{Algorithm::planes});
  CHECK(taken(one, Device::gpu, Output::hits) == Algorithms{Algorithm::planes});
  CHECK(taken(thousand, Device::cpu, Output::hits) == Algorithms{Algorithm::qgrams});
  CHECK(taken(thousand, Device::gpu, Output::counts) == Algorithms{Algorithm::qgrams});
  CHECK(taken(dense, Device::cpu, Output::hits) == Algorithms{Algorithm::ac_dfa});
  CHECK(taken(dense, Device::gpu, Output::hits) == Algorithms{Algorithm::sog});
  CHECK(taken(dense, Device::gpu, Output::counts) == Algorithms{Algorithm::ac_dfa});
}
