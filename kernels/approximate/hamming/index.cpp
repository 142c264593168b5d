#include "kernels/approximate/hamming/index.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "kernels/approximate/hamming/step.hpp"

namespace basesweep::hamming {
namespace {

// Share of tiles of random text that may have a position left when it is first asked whether one is; a wrong guess
// costs as much as four positions of a pattern.
constexpr double kMaxLeft = 0.05;

// Without the processor's instruction, which not every one has, popcount() is a call.
int bases_in(BaseSet set) {
  constexpr char kBases[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  return kBases[set];
}

// The positions of a pattern that can mismatch; those that mismatch most often come first.
std::vector<std::uint32_t> picky_first(std::span<const BaseSet> sets) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t c = 0; c < sets.size(); ++c) {
    if (sets[c] != kAnyBase) order.push_back(c);
  }
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return bases_in(sets[a]) < bases_in(sets[b]); };
  if (!std::is_sorted(order.begin(), order.end(), before)) std::stable_sort(order.begin(), order.end(), before);
  return order;
}

std::uint32_t blind_quads(std::span<const BaseSet> sets, const std::vector<std::uint32_t>& order, std::uint32_t k) {
  std::vector<double> share(k + 1);  // share[n] is the share of text positions with n mismatches so far
  share[0] = 1;
  for (std::uint32_t done = 0; done < order.size(); ++done) {
    const double left = std::accumulate(share.begin(), share.end(), 0.0);
    if (done % kQuad == 0 && left * kTilePositions < kMaxLeft) return done / kQuad;
    const double match = bases_in(sets[order[done]]) / 4.0;
    for (std::uint32_t n = k; n != 0; --n) share[n] = share[n] * match + share[n - 1] * (1 - match);
    share[0] *= match;
  }
  return static_cast<std::uint32_t>((order.size() + kQuad - 1) / kQuad);
}

}  // namespace

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& which) {
  std::size_t longest = 1;
  for (const std::uint32_t e : which) longest = std::max(longest, patterns.queries()[e].sets.size());
  halo_words = static_cast<std::uint32_t>((longest - 1 + 63) / 64);
  row_words = (kBlockWords + halo_words + 1 + 7) / 8 * 8;  // one more, because shifted rows read the next word

  // The place of position c of a pattern, counted from the first position of the halo, when its last position is the
  // block's first.
  const auto place = [&](std::span<const BaseSet> query_sets, std::uint32_t c) {
    return static_cast<std::uint32_t>(halo_words * 64 - (query_sets.size() - 1) + c);
  };
  std::map<BaseSet, std::uint32_t> set_numbers;
  std::map<std::pair<BaseSet, std::uint32_t>, std::uint32_t> row_numbers;  // by set and shift
  const auto add_row = [&](BaseSet set, std::uint32_t shift) {
    const auto [at, is_new] = row_numbers.emplace(std::pair(set, shift), static_cast<std::uint32_t>(rows.size()));
    if (is_new) rows.push_back({set_numbers[set], shift});
  };
  const auto add_set = [&](BaseSet set) {
    if (!set_numbers.emplace(set, static_cast<std::uint32_t>(sets.size())).second) return;
    sets.push_back(set);
    add_row(set, 0);
  };
  add_set(kAnyBase);
  for (const std::uint32_t e : which) {
    for (const BaseSet set : patterns.queries()[e].sets) add_set(set);
  }
  for (const std::uint32_t e : which) {
    const std::span<const BaseSet> query_sets = patterns.queries()[e].sets;
    for (const std::uint32_t c : picky_first(query_sets)) add_row(query_sets[c], place(query_sets, c) % 8);
  }
  for (const std::uint32_t e : which) {
    const std::span<const BaseSet> query_sets = patterns.queries()[e].sets;
    const std::uint32_t k = patterns.queries()[e].limits.edits;
    const std::vector<std::uint32_t> order = picky_first(query_sets);
    const auto quads = static_cast<std::uint32_t>((order.size() + kQuad - 1) / kQuad);
    queries.push_back({e, static_cast<std::uint32_t>(query_sets.size()), planes_for(k), first_count(k),
                       static_cast<std::uint32_t>(offsets.size()), quads, blind_quads(query_sets, order, k)});
    for (const std::uint32_t c : order) {
      const std::uint32_t at = place(query_sets, c);
      offsets.push_back(row_numbers[{query_sets[c], at % 8}] * row_words * 8 + at / 8);
    }
    offsets.resize(queries.back().offsets + std::size_t{quads} * kQuad);
  }
}

}  // namespace basesweep::hamming
