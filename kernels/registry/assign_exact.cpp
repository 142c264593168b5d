#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "kernels/registry/assignment.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
constexpr std::optional<Output> kEither;
constexpr double kIupacQuery = 1e-11;  // seconds per base and query with IUPAC codes

// An algorithm that was the fastest for this number of queries of these lengths. Rates are in Gbase/s, for one strand,
// on random text and patterns, with positions stored unless the row says counts (docs/benchmarks.md). GPU: an NVIDIA
// H200. CPU: one thread of a Zen 3 with AVX2; from 64 bases on, one thread of a Xeon with AVX-512 that searches 100 Mb
// as `motif` does, since a batch that is searched again and again would keep the needed part of wu-manber's table in
// the cache.
//
// Seconds per base are rounded. In CPU rows they are those of one thread; the seconds per query of wu-manber were
// measured beside another search, which takes the cache from its table. GPU rows have 0 unless their algorithm takes
// queries of any length.
//
// A row that says "rates of length 8" was not measured for its own length and goes by those rates. sbom is never taken,
// though it can be faster for one query of 1,000: on repetitive text its time has no good bound.
struct Measured {
  Device device;
  std::optional<Output> output;  // the output that the row is for; nothing: both
  std::size_t min_length;        // the shortest queries' length
  std::size_t max_queries;
  Algorithm algorithm;
  double seconds_per_base;
  double seconds_per_base_query;
  const char* measured;
};

// The first row that fits the device, the queries' class of lengths and their number applies. Classes of lengths run
// from a row's min_length to the next greater one.
constexpr Measured kMeasured[] = {
    {Device::cpu, kEither, 200, kAny, Algorithm::wu_manber, 5.5e-11, 7e-14,
     "1 x 200: wu-manber 19, planes 19; 1 x 1,000: 22, 18; 1,000 x 1,000: 8.9, qgrams 6.0; 10,000 x 200: 1.7, 1.6"},
    {Device::cpu, kEither, 100, 2, Algorithm::planes, 6e-11, 9e-12,
     "2 x 100: planes 13.3, wu-manber 9.9, qgrams 9.0; 3 x 100: 12.1, 12.1, 9.0"},
    {Device::cpu, kEither, 100, kAny, Algorithm::wu_manber, 1.2e-10, 6e-14,
     "10 x 100: wu-manber 9.0, qgrams 9.0; 100: 10.1, 8.6; 1,000: 5.8, 6.1; 10,000: 2.2, 1.6"},
    {Device::cpu, kEither, 64, 6, Algorithm::planes, 6e-11, 9e-12,
     "6 x 64: planes 10.6, qgrams 9.3, wu-manber 7.5; 10 x 64: 8.2, 9.0, 6.7"},
    {Device::cpu, kEither, 64, 4'000, Algorithm::qgrams, 1.1e-10, 5e-14,
     "1,000 x 64: qgrams 6.0, wu-manber 4.6; 3,000: 3.7, 3.5; 4,000: 3.1, 3.1"},
    {Device::cpu, kEither, 64, kAny, Algorithm::wu_manber, 2.5e-10, 4.5e-14, "10,000 x 64: wu-manber 1.7, qgrams 1.6"},
    {Device::cpu, kEither, 16, 8, Algorithm::planes, 6e-11, 9e-12,
     "6 x 24: planes 8.5, qgrams 8.9, ac-dfa 2.2; 3 x 24: 10.5, 8.9, 2.2"},
    {Device::cpu, kEither, 16, kAny, Algorithm::qgrams, 1.2e-10, 5e-14,
     "1,000 x 24: qgrams 5.7, ac-dfa 1.5; 10,000: 1.5, 0.8"},
    {Device::cpu, kEither, 10, 16, Algorithm::planes, 6e-11, 9e-12,
     "10 x 12: planes 6.8, qgrams 4.7; 20 x 12: 4.1, 4.6"},
    {Device::cpu, kEither, 10, kAny, Algorithm::qgrams, 2.4e-10, 4e-14,
     "1,000 x 12: qgrams 2.7, ac-dfa 2.0; 10,000 x 12: 1.4, 1.1"},
    {Device::cpu, kEither, 8, 30, Algorithm::planes, 6e-11, 9e-12, "20 x 8: planes 4.4, qgrams 3.1; 40 x 8: 2.7, 2.9"},
    {Device::cpu, kEither, 8, 120, Algorithm::qgrams, 3.5e-10, 1e-12, "80 x 8: qgrams 2.3, ac-dfa 1.9, planes 1.6"},
    {Device::cpu, kEither, 8, kAny, Algorithm::ac_dfa, 5e-10, 5e-13,
     "160 x 8: ac-dfa 1.7, qgrams 1.6; 1,000 x 8: 1.0, 0.8"},
    {Device::cpu, kEither, 1, 30, Algorithm::planes, 6e-11, 1e-11,
     "20 x 6: planes 2.3, ac-dfa 1.6, qgrams 1.7; 20 x 4: 0.5, 0.4, 0.3"},
    {Device::cpu, kEither, 1, kAny, Algorithm::ac_dfa, 5e-10, 6e-12,
     "40 x 6: ac-dfa 1.3, planes 1.3, qgrams 1.1; 320 x 6: 0.4, 0.15, 0.3"},
    {Device::gpu, kEither, 64, 2, Algorithm::planes, 1e-13, 7e-14,
     "rates of length 10: 1 x 12: planes 8,700, qgrams 5,100"},
    {Device::gpu, kEither, 64, 5'500, Algorithm::qgrams, 1.5e-13, 1e-17,
     "1,000 x 100: qgrams 7,440, wu-manber 5,170; 3,000 x 64: 5,840, 4,420; 5,000 x 100: 4,540, 4,410"},
    {Device::gpu, kEither, 64, kAny, Algorithm::wu_manber, 2.3e-13, 0,
     "10,000 x 64: wu-manber 4,330, qgrams 3,010; 30,000 x 64: 3,740, 2,380; 100,000 x 100: 4,200, 910"},
    {Device::gpu, kEither, 10, 2, Algorithm::planes, 1e-13, 7e-14,
     "1 x 12: planes 8,700, qgrams 5,100; 3 x 12: 4,000, 5,900"},
    {Device::gpu, kEither, 10, kAny, Algorithm::qgrams, 1.5e-13, 1e-17,
     "1,000 x 12: qgrams 4,100, ac-dfa 1,400; 30,000 x 12: 1,900, 120"},
    {Device::gpu, kEither, 9, 1, Algorithm::planes, 1e-13, 7e-14,
     "rates of length 8: 1 x 8: planes 7,700, qgrams 5,700"},
    {Device::gpu, Output::occurrences, 9, 14'000, Algorithm::qgrams, 1.5e-13, 1e-17, "8,000 x 9: qgrams 560, sog 300"},
    {Device::gpu, Output::occurrences, 9, kAny, Algorithm::sog, 0, 0, "30,000 x 9: sog 140, qgrams 110"},
    {Device::gpu, Output::counts, 9, kAny, Algorithm::qgrams, 1.5e-13, 1e-17, "1,000 x 12: qgrams 4,100, ac-dfa 1,400"},
    {Device::gpu, kEither, 8, 1, Algorithm::planes, 1e-13, 7e-14,
     "1 x 8: planes 7,700, qgrams 5,700; 3 x 8: 3,700, 5,400"},
    {Device::gpu, Output::occurrences, 8, 3'500, Algorithm::qgrams, 1.5e-13, 1e-17,
     "1,000 x 8: qgrams 1,500, sog 770, ac-dfa 130; 3,000: 400, 340; 4,000: 270, 300"},
    {Device::gpu, Output::occurrences, 8, 20'000, Algorithm::sog, 0, 0,
     "8,000 x 8: sog 200, qgrams 110, ac-dfa 55; 16,000: 58, 52; 24,000: 33, 37, 36 (2^28 hits stored)"},
    {Device::gpu, Output::occurrences, 8, kAny, Algorithm::ac_dfa, 0, 0,
     "30,000 x 8: ac-dfa 32, qgrams 31, sog 27 (2^28 hits stored)"},
    {Device::gpu, Output::counts, 8, 4'500, Algorithm::qgrams, 1.5e-13, 1e-17,
     "counts, 1,000 x 8: qgrams 3,080, ac-dfa 1,730; 4,000: 1,460, 1,410"},
    {Device::gpu, Output::counts, 8, 18'000, Algorithm::ac_dfa, 0, 0,
     "counts, 8,000 x 8: ac-dfa 1,270, qgrams 860, ac-nfa 430; 12,000: 920, 640, 400; 16,000: 730, 310, 400"},
    {Device::gpu, Output::counts, 8, kAny, Algorithm::ac_nfa, 0, 0,
     "rates of fewer: counts, 16,000 x 8: ac-nfa 400, qgrams 310; ac-dfa's table is too large for shared memory"},
    {Device::gpu, kEither, 7, 800, Algorithm::qgrams, 1.5e-13, 1e-17, "500 x 7: qgrams 780, sog 460; 1,000: 330, 370"},
    {Device::gpu, Output::occurrences, 7, kAny, Algorithm::sog, 0, 0, "4,000 x 7: sog 87, qgrams 61, ac-dfa 59"},
    {Device::gpu, Output::counts, 7, kAny, Algorithm::ac_dfa, 0, 0,
     "rates of length 8: counts, 8,000 x 8: ac-dfa 1,270, qgrams 860, ac-nfa 430"},
    {Device::gpu, kEither, 1, 150, Algorithm::qgrams, 1.5e-13, 1e-17,
     "1 x 6: qgrams 5,300, planes 3,500; 100 x 6: qgrams 950, sog 590; 20 x 5: 1,340, 860"},
    {Device::gpu, Output::occurrences, 1, kAny, Algorithm::sog, 0, 0,
     "250 x 6: sog 450, qgrams 350, ac-dfa 65; 200 x 5: 140, 71, 61"},
    {Device::gpu, Output::counts, 1, kAny, Algorithm::ac_dfa, 0, 0,
     "rates of length 8: counts, 8,000 x 8: ac-dfa 1,270, qgrams 860, ac-nfa 430"},
};

std::size_t length_class(Device device, std::size_t length) {
  std::size_t best = 0;
  for (const Measured& row : kMeasured) {
    if (row.device == device && row.min_length <= length) best = std::max(best, row.min_length);
  }
  return best;
}

const Measured& fastest(Device device, Output output, std::size_t min_length, std::size_t queries) {
  return *std::find_if(std::begin(kMeasured), std::end(kMeasured), [&](const Measured& row) {
    return row.device == device && row.output.value_or(output) == output && row.min_length == min_length &&
           queries <= row.max_queries;
  });
}

// An algorithm that shorter queries are assigned to already, and what one more query of any length costs there.
struct Taken {
  Algorithm algorithm;
  double seconds_per_base_query;
};

bool takes_any_length(Algorithm algorithm) {
  return algorithm == Algorithm::planes || algorithm == Algorithm::qgrams || algorithm == Algorithm::wu_manber;
}

// The one with the least cost, or null.
const Taken* least(const std::vector<Taken>& taken) {
  const auto found = std::min_element(taken.begin(), taken.end(), [](const Taken& a, const Taken& b) {
    return a.seconds_per_base_query < b.seconds_per_base_query;
  });
  return found == taken.end() ? nullptr : &*found;
}

}  // namespace

Share share_with_iupac(std::vector<std::uint32_t> queries) {
  const std::string reason = fmt::format("{} with IUPAC codes, which no other takes", queries.size());
  return {Algorithm::planes, std::move(queries), reason};
}

double seconds_with_iupac(std::size_t queries) { return 6e-11 + kIupacQuery * static_cast<double>(queries); }

Assignment assign_exact(const PatternSet& patterns, Device device, Output output) {
  // Queries are assigned by classes of lengths, since the shortest query limits how good a q-gram search is. planes
  // takes queries with IUPAC codes. A class joins the search of shorter queries if a search of its own would cost more.
  std::map<std::size_t, std::vector<std::uint32_t>> classes;
  std::map<Algorithm, Share> shares;
  std::vector<Taken> taken;
  Assignment assignment;
  const auto add = [&](Algorithm algorithm, const std::vector<std::uint32_t>& queries, const std::string& reason) {
    Share& share = shares[algorithm];
    share.algorithm = algorithm;
    share.queries.insert(share.queries.end(), queries.begin(), queries.end());
    share.reason += (share.reason.empty() ? "" : "; ") + reason;
  };
  std::vector<std::uint32_t> with_sets;
  for (std::uint32_t e = 0; e < patterns.queries().size(); ++e) {
    const Query& query = patterns.queries()[e];
    if (query.iupac) {
      with_sets.push_back(e);
    } else {
      classes[length_class(device, query.sets.size())].push_back(e);
    }
  }
  if (!with_sets.empty()) {
    assignment.seconds_per_base += seconds_with_iupac(with_sets.size());
    shares[Algorithm::planes] = share_with_iupac(with_sets);
    taken.push_back({Algorithm::planes, kIupacQuery});
  }
  for (const auto& [min_length, queries] : classes) {
    const auto count = static_cast<double>(queries.size());
    const Measured& row = fastest(device, output, min_length, queries.size());
    const double alone = row.seconds_per_base + row.seconds_per_base_query * count;
    const std::string which = fmt::format("{} of {} bases or more", queries.size(), min_length);
    if (const Taken* beside = least(taken); beside != nullptr && beside->seconds_per_base_query * count < alone) {
      add(beside->algorithm, queries, which + ", which cost less beside the others than in a search of their own");
      assignment.seconds_per_base += beside->seconds_per_base_query * count;
      continue;
    }
    add(row.algorithm, queries, fmt::format("{}; measured, Gbase/s: {}", which, row.measured));
    assignment.seconds_per_base += alone;
    if (takes_any_length(row.algorithm)) taken.push_back({row.algorithm, row.seconds_per_base_query});
  }
  for (auto& [algorithm, share] : shares) {
    std::sort(share.queries.begin(), share.queries.end());
    assignment.shares.push_back(std::move(share));
  }
  return assignment;
}

}  // namespace basesweep
