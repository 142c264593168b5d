#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "kernels/plan.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

// An algorithm that was the fastest for so many entries of such lengths. Rates are Gbase/s, both with positions stored:
// CPU, one thread of a Zen 3 with AVX2; GPU, an NVIDIA H200; random text and patterns (docs/benchmarks.md). Seconds per
// base are of the CPU thread, rounded.
struct Measured {
  Device device;
  std::size_t least_length;  // of the entries
  std::size_t most_entries;
  Algorithm algorithm;
  double seconds_per_base;
  double seconds_per_base_entry;
  const char* measured;
};

// The first row for the device, the entries' class of lengths and their number counts. Classes run from one
// least_length to the next.
constexpr Measured kMeasured[] = {
    {Device::cpu, 16, 8, Algorithm::planes, 6e-11, 9e-12,
     "6 x 24: planes 8.5, qgrams 8.9, ac-dfa 2.2; 3 x 24: 10.5, 8.9, 2.2"},
    {Device::cpu, 16, kAny, Algorithm::qgrams, 1.2e-10, 2e-14, "1,000 x 24: qgrams 5.7, ac-dfa 1.5; 10,000: 1.5, 0.8"},
    {Device::cpu, 10, 16, Algorithm::planes, 6e-11, 9e-12, "10 x 12: planes 6.8, qgrams 4.7; 20 x 12: 4.1, 4.6"},
    {Device::cpu, 10, kAny, Algorithm::qgrams, 2.4e-10, 4e-14,
     "1,000 x 12: qgrams 2.7, ac-dfa 2.0; 10,000 x 12: 1.4, 1.1"},
    {Device::cpu, 8, 30, Algorithm::planes, 6e-11, 9e-12, "20 x 8: planes 4.4, qgrams 3.1; 40 x 8: 2.7, 2.9"},
    {Device::cpu, 8, 120, Algorithm::qgrams, 3.5e-10, 1e-12, "80 x 8: qgrams 2.3, ac-dfa 1.9, planes 1.6"},
    {Device::cpu, 8, kAny, Algorithm::ac_dfa, 5e-10, 5e-13, "160 x 8: ac-dfa 1.7, qgrams 1.6; 1,000 x 8: 1.0, 0.8"},
    {Device::cpu, 1, 30, Algorithm::planes, 6e-11, 1e-11,
     "20 x 6: planes 2.3, ac-dfa 1.6, qgrams 1.7; 20 x 4: 0.5, 0.4, 0.3"},
    {Device::cpu, 1, kAny, Algorithm::ac_dfa, 5e-10, 6e-12,
     "40 x 6: ac-dfa 1.3, planes 1.3, qgrams 1.1; 320 x 6: 0.4, 0.15, 0.3"},
    {Device::gpu, 10, 2, Algorithm::planes, 0, 0, "1 x 12: planes 8,700, qgrams 5,100; 3 x 12: 4,000, 5,900"},
    {Device::gpu, 10, kAny, Algorithm::qgrams, 0, 0, "1,000 x 12: qgrams 4,100, ac-dfa 1,400; 30,000 x 12: 1,900, 120"},
    {Device::gpu, 8, 1, Algorithm::planes, 0, 0, "1 x 8: planes 7,700, qgrams 5,700; 3 x 8: 3,700, 5,400"},
    {Device::gpu, 8, 20'000, Algorithm::qgrams, 0, 0, "1,000 x 8: qgrams 1,300, ac-dfa 140; 10,000 x 8: 90, 50"},
    {Device::gpu, 8, kAny, Algorithm::ac_dfa, 0, 0, "30,000 x 8: ac-dfa 32, qgrams 28"},
    {Device::gpu, 1, kAny, Algorithm::qgrams, 0, 0,
     "1 x 6: qgrams 5,300, planes 3,500; 1,000 x 6: qgrams 61, ac-dfa 58"},
};

std::size_t length_class(Device device, std::size_t length) {
  std::size_t best = 0;
  for (const Measured& row : kMeasured) {
    if (row.device == device && row.least_length <= length) best = std::max(best, row.least_length);
  }
  return best;
}

const Measured& fastest(Device device, std::size_t least_length, std::size_t entries) {
  return *std::find_if(std::begin(kMeasured), std::end(kMeasured), [&](const Measured& row) {
    return row.device == device && row.least_length == least_length && entries <= row.most_entries;
  });
}

}  // namespace

Plan plan_exact(const PatternSet& patterns, Device device) {
  // By classes of lengths, since a q-gram search is as good as the shortest entry lets it be; planes takes what has
  // IUPAC codes.
  std::map<std::size_t, std::vector<std::uint32_t>, std::greater<>> classes;
  std::map<Algorithm, PlanShare> shares;
  Plan plan;
  const auto add = [&](Algorithm algorithm, const std::vector<std::uint32_t>& entries, const std::string& reason) {
    PlanShare& share = shares[algorithm];
    share.algorithm = algorithm;
    share.entries.insert(share.entries.end(), entries.begin(), entries.end());
    share.reason += (share.reason.empty() ? "" : "; ") + reason;
  };
  std::vector<std::uint32_t> with_sets;
  for (std::uint32_t e = 0; e < patterns.entries().size(); ++e) {
    const Entry& entry = patterns.entries()[e];
    if (entry.iupac) {
      with_sets.push_back(e);
    } else {
      classes[length_class(device, entry.columns.size())].push_back(e);
    }
  }
  if (!with_sets.empty()) {
    add(Algorithm::planes, with_sets, fmt::format("{} with IUPAC codes, which no other takes", with_sets.size()));
    plan.seconds_per_base += 6e-11 + 1e-11 * static_cast<double>(with_sets.size());
  }
  for (const auto& [least_length, entries] : classes) {
    const Measured& row = fastest(device, least_length, entries.size());
    add(row.algorithm, entries,
        fmt::format("{} of {} bases or more; measured, Gbase/s: {}", entries.size(), least_length, row.measured));
    plan.seconds_per_base += row.seconds_per_base + row.seconds_per_base_entry * static_cast<double>(entries.size());
  }
  for (auto& [algorithm, share] : shares) {
    std::sort(share.entries.begin(), share.entries.end());
    plan.shares.push_back(std::move(share));
  }
  return plan;
}

}  // namespace basesweep
