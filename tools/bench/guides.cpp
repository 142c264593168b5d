// Measurements of `basesweep bench` in memory: CRISPR guides on random text.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "lib/guides/guide_finder.hpp"
#include "tools/bench/support.hpp"

namespace basesweep {
namespace {

struct Case {
  int count;
  std::uint32_t mismatches;
  std::uint32_t bulge;  // of DNA or RNA

  std::string name() const {
    return fmt::format("guides {} x 20 NGG m={}{}", count, mismatches, bulge == 0 ? "" : " with a bulge");
  }
};
constexpr std::array kCases{Case{100, 4, 0}, Case{10'000, 4, 0}, Case{1'000, 4, 1}};

bool wanted(const BenchOptions& o, const Case& c) { return c.name().find(o.only) != std::string::npos; }

GuideSet guides_of(const Case& c) {
  return {random_patterns(c.count, 20),
          {{"NGG"}},
          {.mismatches = c.mismatches, .dna_bulges = c.bulge, .rna_bulges = c.bulge}};
}

// One search on the calling thread. Returns the number of places.
std::uint64_t find_all(const GuideFinder& finder, const PackedBatch& batch) {
  std::uint64_t places = 0;
  finder.find(
      batch,
      [](std::size_t count, const std::function<void(std::size_t)>& work) {
        for (std::size_t i = 0; i < count; ++i) work(i);
      },
      [&places](std::span<const GuidePlace> found) { places += found.size(); });
  return places;
}

}  // namespace

bool any_guide_row(const BenchOptions& o) {
  return std::any_of(kCases.begin(), kCases.end(), [&o](const Case& c) { return wanted(o, c); });
}

void bench_guides(const BenchOptions& o, BenchRecord& record) {
  constexpr std::uint32_t kPositions = 1U << 22;
  record.begin("guides", fmt::format("CRISPR guides on the CPU, 1 thread, {}; {} random bases in memory, both strands, "
                                     "places found, median; rates count bases x guides",
                                     to_string(best_isa()), kPositions));
  const std::unique_ptr<PackedBatch> batch = random_batch(kPositions, 1);
  GuideFinderOptions finding;
  finding.device = Device::cpu;
  for (const Case& c : kCases) {
    if (!wanted(o, c)) continue;
    const GuideSet guides = guides_of(c);
    const std::unique_ptr<GuideFinder> finder = make_guide_finder(guides, finding);
    std::vector<double> times;
    std::uint64_t places = 0;
    for (int run = 0; run < (o.quick ? 3 : 5); ++run) {
      const auto start = BenchClock::now();
      places = find_all(*finder, *batch);
      times.push_back(seconds_since(start));
    }
    record.add({c.name(), "in memory", 1.0 * kPositions * c.count, median(std::move(times)),
                fmt::format("{} places", places)});
  }
}

}  // namespace basesweep
