#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/registry/assignment.hpp"
#include "kernels/registry/rooms.hpp"
#include "kernels/tables/starts.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

// An algorithm is taken instead of another only where it is expected to need less than this share of its time.
constexpr double kClearlyLess = 0.95;
// The look at the sample takes about a microsecond a query. In less text than this for each query it would not pay, and
// larger sets were not measured.
constexpr double kBasesPerQuery = 2'000;
constexpr std::size_t kMaxQueries = 1U << 16;

// The occurrences of all queries at a position of the text.
double hits_in(const TextSample& text, const Starts& starts) {
  const PlanesText planes{text.lo.data(), text.hi.data()};
  std::uint64_t hits = 0;
  // Queries may reach past the end of the sample, so the last stretch is left out.
  const std::uint32_t end = text.positions - TextSample::kStretch;
  const StartsView view = starts.view();
  for (std::uint32_t position = 0; position < end; ++position) {
    for_each_start(view, planes, position, [&hits](std::uint32_t) { ++hits; });
  }
  return static_cast<double>(hits) / end;
}

bool takes(const Room& room, const PatternSet& patterns, const std::vector<std::uint32_t>& queries) {
  std::size_t positions = 0;
  for (const std::uint32_t e : queries) {
    if (room.decline(patterns.queries()[e])) return false;
    positions += patterns.queries()[e].sets.size();
  }
  return positions <= room.max_positions;
}

struct Expected {
  const Room* room;
  double nanoseconds;  // for a position
};

// Algorithms that take all these queries, the fastest first.
std::vector<Expected> expected_for_all(const SampledSearch& search) {
  std::vector<Expected> all;
  for (const Room* room : rooms()) {
    if (room->nanoseconds == nullptr || !takes(*room, search.patterns, search.queries)) continue;
    all.push_back({room, room->nanoseconds(search)});
  }
  std::sort(all.begin(), all.end(), [](const Expected& a, const Expected& b) { return a.nanoseconds < b.nanoseconds; });
  return all;
}

// The expected time of all shares of an assignment, without queries that have IUPAC codes.
double nanoseconds_of(const Assignment& assigned, const SampledSearch& search, const std::vector<Expected>& for_all) {
  double sum = 0;
  for (const Share& share : assigned.shares) {
    std::vector<std::uint32_t> plain;
    for (const std::uint32_t e : share.queries) {
      if (!search.patterns.queries()[e].iupac) plain.push_back(e);
    }
    if (plain.empty()) continue;
    if (plain.size() == search.queries.size()) {
      const auto same = std::find_if(for_all.begin(), for_all.end(),
                                     [&share](const Expected& one) { return one.room->algorithm == share.algorithm; });
      if (same != for_all.end()) return same->nanoseconds;
    }
    const Room& room = room_of(share.algorithm);
    if (room.nanoseconds == nullptr) continue;
    sum += room.nanoseconds(SampledSearch{search.patterns, plain, search.text, search.hits, search.bases});
  }
  return sum;
}

// "qgrams 0.61, ac-dfa 1.98", in Gbase/s.
std::string rates(const std::vector<Expected>& all) {
  std::string text;
  for (const Expected& one : all) {
    if (one.nanoseconds == HUGE_VAL) continue;
    text += fmt::format("{}{} {:.2g}", text.empty() ? "" : ", ", one.room->name, 1 / one.nanoseconds);
  }
  return text;
}

}  // namespace

Assignment assign_by_text(Assignment assigned, const PatternSet& patterns, const TextSample& text,
                          double expected_bases) {
  std::vector<std::uint32_t> plain;
  std::vector<std::uint32_t> with_sets;
  for (std::uint32_t e = 0; e < patterns.queries().size(); ++e) {
    (patterns.queries()[e].iupac ? with_sets : plain).push_back(e);
  }
  if (plain.empty() || plain.size() > kMaxQueries) return assigned;
  if (expected_bases < kBasesPerQuery * static_cast<double>(plain.size())) return assigned;
  const SampledSearch search{patterns, plain, text, hits_in(text, Starts(patterns, plain)), expected_bases};
  const std::vector<Expected> for_all = expected_for_all(search);
  const Expected& best = for_all.front();
  if (best.nanoseconds >= kClearlyLess * nanoseconds_of(assigned, search, for_all)) return assigned;

  Assignment chosen;
  chosen.seconds_per_base = best.nanoseconds * 1e-9;
  if (!with_sets.empty()) {
    chosen.seconds_per_base += seconds_with_iupac(with_sets.size());
    chosen.shares.push_back(share_with_iupac(std::move(with_sets)));
  }
  if (chosen.shares.empty() || best.room->algorithm != Algorithm::planes) {
    chosen.shares.push_back({best.room->algorithm, {}, ""});
  }
  Share& share = chosen.shares.back();
  share.queries.insert(share.queries.end(), plain.begin(), plain.end());
  std::sort(share.queries.begin(), share.queries.end());
  share.reason += fmt::format("{}{} by the text that comes first; expected there, Gbase/s: {}",
                              share.reason.empty() ? "" : "; ", plain.size(), rates(for_all));
  return chosen;
}

}  // namespace basesweep
