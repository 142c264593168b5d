#include "kernels/guides/buckets/join.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/guides/buckets/index.hpp"
#include "kernels/guides/buckets/pair.hpp"
#include "kernels/guides/buckets/site_lists.hpp"

namespace basesweep::buckets {
namespace {

// What the pairs of a word need.
struct Pairs {
  const TextSites& sites;
  const JoinLimits& limits;
  const PairWeights& weights;
  const SiteLists& lists;
  const Index& guides;                      // of the sites that are guides, or of all
  const std::vector<std::uint32_t>& guide;  // the numbers of the sites of `guides`; empty: as they are
  std::uint32_t first_site;                 // of the totals
  SiteTotals* totals;
  // Pairs that differ in at most `found` bases of `known` were found by another word; 0: none.
  std::uint32_t known;
  std::uint32_t found;
};

void add_place(const Pairs& all, std::uint32_t site, std::uint32_t other, SiteBases guide, SiteBases bases,
               std::uint32_t differences, SiteTotals& totals) {
  const std::uint32_t mismatches = count_ones(differences);
  ++totals.counts[mismatches];
  const std::uint64_t near = nearness(mismatches, site);
  if (near < totals.nearest[1]) {
    totals.nearest[1] = std::max(near, totals.nearest[0]);
    totals.nearest[0] = std::min(near, totals.nearest[0]);
  }
  if (!all.limits.scored || totals.places() > all.limits.most_scored) return;
  const std::uint32_t cfd = cfd_of_pair(all.weights, guide, bases, other, differences);
  totals.mit += mit_score(all.weights, differences);
  totals.cfd += cfd;
  if (mismatches == 0) totals.exact_cfd = std::max(totals.exact_cfd, cfd);
}

void take_pair(void* context, std::uint32_t listed, std::uint32_t entry) {
  const Pairs& all = *static_cast<const Pairs*>(context);
  const std::uint32_t index = all.guides.site[entry];
  const std::uint32_t guide = all.guide.empty() ? index : all.guide[index];
  const SiteBases own = all.sites.bases()[guide];
  if ((own.lo & kIsGuide) == 0) return;
  const SiteBases bases = all.lists.bases[listed];
  if (all.known != 0) {
    if (count_ones(differences_of(own, bases, 0, all.sites.length()) & all.known) <= all.found) return;
  }
  const std::uint32_t site = all.lists.site[listed];
  const std::vector<OtherLetters>& letters = all.sites.other();
  const std::uint32_t other = (bases.lo & kHasOther) == 0
                                  ? 0
                                  : other_letters_of(letters.data(), static_cast<std::uint32_t>(letters.size()), site);
  const std::uint32_t differences = differences_of(own, bases, other, all.sites.length());
  if (count_ones(differences) > all.limits.mismatches) return;
  add_place(all, site, other, own, bases, differences, all.totals[guide - all.first_site]);
}

class CpuJoin final : public GuideJoin {
 public:
  CpuJoin(const JoinSettings& settings, Isa isa) : settings_(settings), isa_(isa) {}

  std::string describe() const override { return "buckets, CPU"; }

  void join(const TextSites& sites, const JoinLimits& limits, const Loop& loop, const Use& use) const override {
    UnsetVector<SiteTotals> totals;
    std::uint32_t first = 0;
    do {
      const std::uint32_t count = std::min(settings_.sites_at_once, sites.size() - first);
      set_size(count, totals);
      clear(totals, loop);
      add_up(sites, limits, first, totals, loop);
      use(first, totals);
      first += count;
    } while (first < sites.size());
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

  void add_up(const TextSites& sites, const JoinLimits& limits, std::uint32_t first, UnsetVector<SiteTotals>& totals,
              const Loop& loop) const {
    std::vector<std::uint32_t> guides = guides_of(sites, first, totals.size());
    if (guides.empty()) return;
    // One index serves both sides where most sites are guides.
    const bool all = guides.size() > sites.size() / 2 && totals.size() == sites.size();
    if (all) guides.clear();
    UnsetVector<SiteBases> own(guides.size());
    for (std::size_t i = 0; i < guides.size(); ++i) own[i] = sites.bases()[guides[i]];
    const Load load{static_cast<double>(all ? sites.size() : guides.size()), static_cast<double>(sites.size()),
                    sites.length(), limits.mismatches};
    const Plan plan = choose_plan(load, settings_.least_word, settings_.most_word).plan;
    const PairWeights weights = pair_weights();
    Parts parts;
    Index of_sites;
    Index of_guides;
    SiteLists lists;
    for (std::uint32_t word = 0; word < 2; ++word) {
      if (plan.budgets[word] < 0) continue;
      const std::uint32_t begin = word * plan.q;
      build_index(sites.bases(), begin, plan.q, sites.length(), isa_, loop, parts, of_sites);
      lists.set(sites, of_sites, isa_, loop);
      if (!all) build_index(own, begin, plan.q, sites.length(), isa_, loop, parts, of_guides);
      Pairs pairs{sites, limits, weights, lists, all ? of_sites : of_guides, guides, first, totals.data(), 0, 0};
      if (word == 1 && plan.budgets[0] >= 0) {
        pairs.known = (1U << plan.q) - 1;
        pairs.found = static_cast<std::uint32_t>(plan.budgets[0]);
      }
      compare(pairs, differences(plan.q, static_cast<std::uint32_t>(plan.budgets[word])), loop);
    }
  }

  void compare(const Pairs& pairs, const Differences& near, const Loop& loop) const {
    loop(pairs.guides.buckets.size(), [&](std::size_t part) {
      Comparison all{};
      all.planes = pairs.guides.planes.data();
      all.bases = pairs.guides.bases;
      all.buckets = pairs.guides.buckets[part].data();
      all.bucket_count = pairs.guides.buckets[part].size();
      all.columns = static_cast<std::uint32_t>(pairs.lists.base_of.size());
      all.base_of = pairs.lists.base_of.data();
      all.key_begins = pairs.lists.begins.data();
      all.guides = pairs.lists.numbers.data();
      all.codes = pairs.lists.codes.data();
      all.differences = near.keys.data();
      all.ends = near.ends.data();
      all.most_in_word = static_cast<std::uint32_t>(near.ends.size()) - 1;
      all.mismatches = pairs.limits.mismatches;
      buckets_compare_for(isa_)(all, {take_pair, const_cast<Pairs*>(&pairs)});
    });
  }

  const JoinSettings settings_;
  const Isa isa_;
};

}  // namespace

std::unique_ptr<GuideJoin> make_cpu_join(const JoinSettings& settings, Isa isa) {
  return std::make_unique<CpuJoin>(settings, isa);
}

double cpu_join_seconds(double sites, std::uint32_t length, const JoinLimits& limits) {
  constexpr double kSite = 0.3e-6;  // to list it, and to write its row
  return choose_plan({sites, sites, length, limits.mismatches}).seconds + sites * kSite;
}

}  // namespace basesweep::buckets
