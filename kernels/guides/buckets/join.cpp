#include "kernels/guides/buckets/join.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "kernels/guides/buckets/index.hpp"
#include "kernels/guides/buckets/pair.hpp"
#include "kernels/guides/buckets/score_tables.hpp"
#include "kernels/guides/buckets/site_lists.hpp"
#include "kernels/guides/buckets/split.hpp"
#include "lib/base/memory.hpp"
#include "lib/guides/shape.hpp"

namespace basesweep::buckets {
namespace {

// The mismatches of a place among the nearest, as JoinComparison has them.
std::uint8_t class_of(std::uint64_t near) {
  return near == SiteTotals::kNone ? 0xff : static_cast<std::uint8_t>(near >> 32);
}

// What all tasks of one word share.
struct Pairs {
  const TextSites& sites;
  const JoinLimits& limits;
  const PairWeights& weights;
  const MitTable& mit;
  const CfdTable& cfd;
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

  std::uint32_t number_of(std::uint32_t entry) const {
    const std::uint32_t index = guides.site[entry];
    return guide.empty() ? index : guide[index];
  }
};

// The entries that a task compares, side by side: their places come in any order, and the text has them far apart.
class Stretch {
 public:
  Stretch(const Pairs& all, std::uint32_t begin, std::uint32_t end)
      : all_(all), begin_(begin), bases_(end - begin), totals_(end - begin), places_(end - begin) {
    constexpr std::uint32_t kAhead = 16;
    for (std::uint32_t entry = begin; entry < end; ++entry) {
      if (end - entry > kAhead) {
        const std::uint32_t next = all.number_of(entry + kAhead);
        __builtin_prefetch(&all.totals[next - all.first_site]);
        __builtin_prefetch(&all.totals[next - all.first_site].counts);
        __builtin_prefetch(&all.sites.bases()[next]);
      }
      const std::uint32_t site = all.number_of(entry);
      const SiteTotals& totals = totals_[entry - begin] = all.totals[site - all.first_site];
      bases_[entry - begin] = all.sites.bases()[site];
      all.nearest[entry] = class_of(totals.nearest[1]);
      places_[entry - begin] = totals.places();
      if (all.sites.is_guide(site)) mark_if_many(entry);
    }
  }

  void give_back() const {
    for (std::uint32_t i = 0; i < totals_.size(); ++i) {
      all_.totals[all_.number_of(begin_ + i) - all_.first_site] = totals_[i];
    }
  }

  void take(const ListedSite& site, std::uint32_t entry) {
    const SiteBases own = bases_[entry - begin_];
    if ((own.lo & kIsGuide) == 0) return;
    const Pairs& all = all_;
    const std::uint32_t length = all.sites.length();
    if (all.known != 0) {
      const auto known = static_cast<std::uint32_t>(low_bits(all.known));
      if (count_ones(differences_of(own, site.bases, 0, length) & known) <= all.found) return;
    }
    const std::vector<OtherLetters>& letters = all.sites.other();
    const std::uint32_t other =
        (site.bases.lo & kHasOther) == 0
            ? 0
            : other_letters_of(letters.data(), static_cast<std::uint32_t>(letters.size()), site.number);
    const std::uint32_t differences = differences_of(own, site.bases, other, length);
    const std::uint32_t mismatches = count_ones(differences);
    if (mismatches > all.limits.mismatches) return;
    SiteTotals& totals = totals_[entry - begin_];
    ++totals.counts[mismatches];
    ++places_[entry - begin_];
    const std::uint64_t near = nearness(mismatches, site.number);
    if (near < totals.nearest[1]) {
      totals.nearest[1] = std::max(near, totals.nearest[0]);
      totals.nearest[0] = std::min(near, totals.nearest[0]);
      all.nearest[entry] = class_of(totals.nearest[1]);
    }
    if (mark_if_many(entry) || !all.limits.scored) return;
    const std::uint32_t cfd = other == 0 ? all.cfd.score(all.weights, own, site.bases, differences)
                                         : cfd_of_pair(all.weights, own, site.bases, other, differences);
    totals.mit += all.mit[differences];
    totals.cfd += cfd;
    if (mismatches == 0) totals.exact_cfd = std::max(totals.exact_cfd, cfd);
  }

  void count(std::uint32_t entry, std::uint32_t mismatches, std::uint32_t places) {
    totals_[entry - begin_].counts[mismatches] += places;
    places_[entry - begin_] += places;
  }

 private:
  // Marks an entry that has too many places to be scored. Returns whether it has.
  bool mark_if_many(std::uint32_t entry) const {
    if (places_[entry - begin_] <= all_.limits.most_scored) return false;
    all_.many[entry / 64] |= std::uint64_t{1} << (entry % 64);
    return true;
  }

  const Pairs& all_;
  const std::uint32_t begin_;
  std::vector<SiteBases> bases_;
  std::vector<SiteTotals> totals_;
  std::vector<std::uint64_t> places_;  // of each in all
};

class CpuJoin final : public GuideJoin {
 public:
  CpuJoin(const JoinSettings& settings, Isa isa) : settings_(settings), isa_(isa) {}

  std::string describe() const override { return "buckets, CPU"; }

  void join(const TextSites& sites, const JoinLimits& limits, SiteRange range, const Loop& loop,
            const Use& use) const override {
    UnsetVector<SiteTotals> totals;
    const std::uint32_t at_once = sites_at_once(sites, range.end - range.begin);
    while (range.begin < range.end) {
      const std::uint32_t count = std::min(at_once, range.end - range.begin);
      set_size(count, totals);
      clear(totals, loop);
      add_up_few_first(sites, limits, range.begin, totals, loop);
      use(range.begin, totals);
      range.begin += count;
    }
  }

 private:
  // As many of `count` sites as memory has room for, in slices of one size. A slice has all sites to search.
  std::uint32_t sites_at_once(const TextSites& sites, std::uint32_t count) const {
    constexpr std::uint64_t kSite = 80;                        // bytes of a site in the text, indexes and lists
    constexpr std::uint64_t kGuide = sizeof(SiteTotals) + 32;  // and of a guide of the slice
    constexpr std::uint64_t kFewest = 1 << 25;                 // each slice costs seconds in a genome
    const std::uint64_t room = available_memory_bytes() / 10 * 9;
    const std::uint64_t listed = sites.size() * kSite;
    const std::uint64_t fit = std::max(kFewest, room > listed ? (room - listed) / kGuide : 0);
    const std::uint64_t most = std::max<std::uint64_t>(1, std::min<std::uint64_t>(fit, settings_.sites_at_once));
    const std::uint64_t slices = std::max<std::uint64_t>(1, (count + most - 1) / most);
    return static_cast<std::uint32_t>((count + slices - 1) / slices);
  }

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
    const MitTable mit = limits.scored ? MitTable(weights, limits.mismatches) : MitTable();
    const CfdTable cfd = limits.scored ? CfdTable(weights) : CfdTable();
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
      Pairs pairs{sites,  limits, weights,       mit, cfd, lists,       index,
                  guides, first,  totals.data(), 0,   0,   many.data(), nearest.data()};
      if (word == 1 && split.budgets[0] >= 0) {
        pairs.known = split.q;
        pairs.found = static_cast<std::uint32_t>(split.budgets[0]);
      }
      compare(pairs, differences(split.q, static_cast<std::uint32_t>(split.budgets[word])), loop);
    }
  }

  void compare(const Pairs& pairs, const Differences& near, const Loop& loop) const {
    loop(pairs.guides.buckets.size(), [&](std::size_t part) {
      std::span<const Bucket> left = pairs.guides.buckets[part];
      JoinComparison all{};
      set_comparison(pairs.guides, pairs.guides.buckets[part], pairs.lists, near, pairs.limits.mismatches, all);
      all.listed = pairs.lists.listed.data();
      all.many = pairs.many;
      all.nearest = pairs.nearest;
      all.known_columns = pairs.known;
      all.known_mismatches = pairs.found;
      while (!left.empty()) {
        const std::size_t count = buckets_of_stretch(left);
        all.buckets = left.data();
        all.bucket_count = count;
        compare(pairs, left.front().begin, left[count - 1].end, all);
        left = left.subspan(count);
      }
    });
  }

  // How many of the buckets to compare next: one, or several that have few entries.
  static std::size_t buckets_of_stretch(std::span<const Bucket> buckets) {
    constexpr std::uint32_t kEntries = 1024;
    std::size_t count = 1;
    while (count < buckets.size() && buckets[count].end - buckets.front().begin <= kEntries) ++count;
    return count;
  }

  void compare(const Pairs& pairs, std::uint32_t begin, std::uint32_t end, const JoinComparison& all) const {
    Stretch stretch(pairs, begin, end);
    const JoinTaker taker{[](void* context, const ListedSite& site, std::uint32_t entry) {
                            static_cast<Stretch*>(context)->take(site, entry);
                          },
                          [](void* context, std::uint32_t entry, std::uint32_t mismatches, std::uint32_t places) {
                            static_cast<Stretch*>(context)->count(entry, mismatches, places);
                          },
                          &stretch};
    buckets_join_for(isa_)(all, taker);
    stretch.give_back();
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
