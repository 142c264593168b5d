#include "kernels/guides/buckets/join.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/guides/buckets/index.hpp"
#include "kernels/guides/buckets/pair.hpp"
#include "kernels/guides/buckets/site_lists.hpp"
#include "kernels/guides/buckets/split.hpp"
#include "lib/guides/shape.hpp"

namespace basesweep::buckets {
namespace {

// The mismatches of a place among the nearest, as JoinComparison has them.
std::uint8_t class_of(std::uint64_t near) {
  return near == SiteTotals::kNone ? 0xff : static_cast<std::uint8_t>(near >> 32);
}

// What take_pair() and count_places() need for one word.
struct Pairs {
  const TextSites& sites;
  const JoinLimits& limits;
  const PairWeights& weights;
  const SiteLists& lists;
  const Index& guides;                      // of the sites that are guides, or of all
  const std::vector<std::uint32_t>& guide;  // the numbers of the sites of `guides`; empty: as they are
  std::uint32_t first_site;                 // of the totals
  SiteTotals* totals;
  // Pairs that differ in at most `found` of the first `known` bases were found by another word; 0: none.
  std::uint32_t known;
  std::uint32_t found;
  // As in JoinComparison, for each entry.
  std::uint64_t* many;
  std::uint8_t* nearest;

  SiteTotals& totals_of(std::uint32_t entry, std::uint32_t& site) const {
    const std::uint32_t index = guides.site[entry];
    site = guide.empty() ? index : guide[index];
    return totals[site - first_site];
  }
};

void mark_if_many(const Pairs& all, std::uint32_t entry, const SiteTotals& totals) {
  if (totals.places() > all.limits.most_scored) all.many[entry / 64] |= std::uint64_t{1} << (entry % 64);
}

void add_place(const Pairs& all, std::uint32_t site, std::uint32_t entry, std::uint32_t other, SiteBases guide,
               SiteBases bases, std::uint32_t differences, SiteTotals& totals) {
  const std::uint32_t mismatches = count_ones(differences);
  ++totals.counts[mismatches];
  const std::uint64_t near = nearness(mismatches, site);
  if (near < totals.nearest[1]) {
    totals.nearest[1] = std::max(near, totals.nearest[0]);
    totals.nearest[0] = std::min(near, totals.nearest[0]);
    all.nearest[entry] = class_of(totals.nearest[1]);
  }
  mark_if_many(all, entry, totals);
  if (!all.limits.scored || totals.places() > all.limits.most_scored) return;
  const std::uint32_t cfd = cfd_of_pair(all.weights, guide, bases, other, differences);
  totals.mit += mit_score(all.weights, differences);
  totals.cfd += cfd;
  if (mismatches == 0) totals.exact_cfd = std::max(totals.exact_cfd, cfd);
}

void take_pair(void* context, std::uint32_t listed, std::uint32_t entry) {
  const Pairs& all = *static_cast<const Pairs*>(context);
  std::uint32_t guide = 0;
  SiteTotals& totals = all.totals_of(entry, guide);
  const SiteBases own = all.sites.bases()[guide];
  if ((own.lo & kIsGuide) == 0) return;
  const SiteBases bases = all.lists.bases[listed];
  if (all.known != 0) {
    const auto known = static_cast<std::uint32_t>(low_bits(all.known));
    if (count_ones(differences_of(own, bases, 0, all.sites.length()) & known) <= all.found) return;
  }
  const std::uint32_t site = all.lists.site[listed];
  const std::vector<OtherLetters>& letters = all.sites.other();
  const std::uint32_t other = (bases.lo & kHasOther) == 0
                                  ? 0
                                  : other_letters_of(letters.data(), static_cast<std::uint32_t>(letters.size()), site);
  const std::uint32_t differences = differences_of(own, bases, other, all.sites.length());
  if (count_ones(differences) > all.limits.mismatches) return;
  add_place(all, site, entry, other, own, bases, differences, totals);
}

void count_places(void* context, std::uint32_t entry, std::uint32_t mismatches, std::uint32_t count) {
  const Pairs& all = *static_cast<const Pairs*>(context);
  std::uint32_t guide = 0;
  all.totals_of(entry, guide).counts[mismatches] += count;
}

class CpuJoin final : public GuideJoin {
 public:
  CpuJoin(const JoinSettings& settings, Isa isa) : settings_(settings), isa_(isa) {}

  std::string describe() const override { return "buckets, CPU"; }

  void join(const TextSites& sites, const JoinLimits& limits, SiteRange range, const Loop& loop,
            const Use& use) const override {
    UnsetVector<SiteTotals> totals;
    while (range.begin < range.end) {
      const std::uint32_t count = std::min(settings_.sites_at_once, range.end - range.begin);
      set_size(count, totals);
      clear(totals, loop);
      add_up_few_first(sites, limits, range.begin, totals, loop);
      use(range.begin, totals);
      range.begin += count;
    }
  }

 private:
  static void clear(UnsetVector<SiteTotals>& totals, const Loop& loop) {
    constexpr std::size_t kAtOnce = 1U << 16;
    loop((totals.size() + kAtOnce - 1) / kAtOnce, [&](std::size_t i) {
      const auto begin = totals.begin() + static_cast<std::ptrdiff_t>(i * kAtOnce);
      std::fill_n(begin, std::min(kAtOnce, totals.size() - i * kAtOnce), SiteTotals::none());
    });
  }

  // The sites that are guides among those from `first` on.
  static std::vector<std::uint32_t> guides_of(const TextSites& sites, std::uint32_t first, std::size_t count) {
    std::vector<std::uint32_t> guides;
    for (std::size_t site = first; site < first + count; ++site) {
      if (sites.is_guide(static_cast<std::uint32_t>(site))) guides.push_back(static_cast<std::uint32_t>(site));
    }
    return guides;
  }

  // Most guides have few places. Those with more are counted first, which costs less than to score them, and scored
  // only if they turn out to have few enough.
  void add_up_few_first(const TextSites& sites, const JoinLimits& limits, std::uint32_t first,
                        UnsetVector<SiteTotals>& totals, const Loop& loop) const {
    JoinLimits of_few = limits;
    of_few.most_scored = std::min(settings_.few_places, limits.most_scored);
    std::vector<std::uint32_t> guides = guides_of(sites, first, totals.size());
    add_up(sites, of_few, guides, first, totals, loop);
    if (!limits.scored || limits.most_scored <= settings_.few_places) return;
    std::erase_if(guides, [&](std::uint32_t guide) {
      const std::uint64_t places = totals[guide - first].places();
      return places <= settings_.few_places || places > limits.most_scored;
    });
    for (const std::uint32_t guide : guides) totals[guide - first] = SiteTotals::none();
    add_up(sites, limits, guides, first, totals, loop);
  }

  void add_up(const TextSites& sites, const JoinLimits& limits, std::vector<std::uint32_t> guides, std::uint32_t first,
              UnsetVector<SiteTotals>& totals, const Loop& loop) const {
    if (guides.empty()) return;
    // One index serves both sides where most sites are guides, all of these are searched, and all sites have totals.
    const bool all =
        guides.size() > sites.size() / 2 && guides.size() == sites.guides() && totals.size() == sites.size();
    if (all) guides.clear();
    UnsetVector<SiteBases> own(guides.size());
    for (std::size_t i = 0; i < guides.size(); ++i) own[i] = sites.bases()[guides[i]];
    const Load load{static_cast<double>(all ? sites.size() : guides.size()), static_cast<double>(sites.size()),
                    sites.length(), limits.mismatches};
    const Split split = choose_split(load, settings_.least_word, settings_.most_word).split;
    const PairWeights weights = pair_weights();
    Parts parts;
    Index of_sites;
    Index of_guides;
    SiteLists lists;
    std::vector<std::uint64_t> many;
    UnsetVector<std::uint8_t> nearest;
    for (std::uint32_t word = 0; word < 2; ++word) {
      if (split.budgets[word] < 0) continue;
      const std::uint32_t begin = word * split.q;
      build_index(sites.bases(), begin, split.q, sites.length(), isa_, loop, parts, of_sites);
      lists.set(sites, of_sites, isa_, loop);
      if (!all) build_index(own, begin, split.q, sites.length(), isa_, loop, parts, of_guides);
      const Index& index = all ? of_sites : of_guides;
      const std::size_t words = index.planes.size() / (2 * std::size_t{index.bases});
      many.assign(words + kSpareWords, 0);
      nearest.resize((words + kSpareWords) * 64);
      Pairs pairs{sites, limits,        weights, lists, index,       guides,
                  first, totals.data(), 0,       0,     many.data(), nearest.data()};
      if (word == 1 && split.budgets[0] >= 0) {
        pairs.known = split.q;
        pairs.found = static_cast<std::uint32_t>(split.budgets[0]);
      }
      compare(pairs, differences(split.q, static_cast<std::uint32_t>(split.budgets[word])), loop);
    }
  }

  void compare(const Pairs& pairs, const Differences& near, const Loop& loop) const {
    loop(pairs.guides.buckets.size(), [&](std::size_t part) {
      if (pairs.guides.buckets[part].empty()) return;
      start(pairs, pairs.guides.buckets[part]);
      JoinComparison all{};
      set_comparison(pairs.guides, pairs.guides.buckets[part], pairs.lists, near, pairs.limits.mismatches, all);
      all.listed = pairs.lists.bases.data();
      all.many = pairs.many;
      all.nearest = pairs.nearest;
      all.known_columns = pairs.known;
      all.known_mismatches = pairs.found;
      buckets_join_for(isa_)(all, {take_pair, count_places, const_cast<Pairs*>(&pairs)});
    });
  }

  // Sets what is known of the entries of a part from what other words have found.
  static void start(const Pairs& pairs, const std::vector<Bucket>& part) {
    for (std::uint32_t entry = part.front().begin; entry < part.back().end; ++entry) {
      std::uint32_t guide = 0;
      const SiteTotals& totals = pairs.totals_of(entry, guide);
      pairs.nearest[entry] = class_of(totals.nearest[1]);
      if (pairs.sites.is_guide(guide)) mark_if_many(pairs, entry, totals);
    }
  }

  static constexpr std::size_t kSpareWords = 8;  // a vector is read past the last entry

  const JoinSettings settings_;
  const Isa isa_;
};

}  // namespace

std::unique_ptr<GuideJoin> make_cpu_join(const JoinSettings& settings, Isa isa) {
  return std::make_unique<CpuJoin>(settings, isa);
}

double cpu_join_seconds(double sites, std::uint32_t length, const JoinLimits& limits) {
  constexpr double kSite = 0.3e-6;  // to list it, and to write its row
  return choose_split({sites, sites, length, limits.mismatches}).seconds + sites * kSite;
}

}  // namespace basesweep::buckets
