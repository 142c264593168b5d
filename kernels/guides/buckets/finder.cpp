#include "kernels/guides/buckets/finder.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/guides/buckets/guide_lists.hpp"
#include "kernels/guides/buckets/index.hpp"
#include "kernels/guides/buckets/split.hpp"
#include "kernels/guides/candidates.hpp"
#include "kernels/guides/kept_memory.hpp"

namespace basesweep::buckets {
namespace {

constexpr double kMostSites = 3U << 21;  // of a batch
constexpr double kFewestSites = 1U << 17;
constexpr double kMostSequences = 64;  // that a word which is looked up may stand for

// Guides of one length, by their indices.
struct Group {
  std::uint32_t length;
  bool looked_up;    // false: their words stand for too many sequences, so they are compared with all sites
  double sequences;  // that a guide stands for, on average
  std::vector<std::uint32_t> guides;
};

std::vector<Group> group_guides(const std::vector<GuideBits>& bits) {
  std::map<std::pair<bool, std::uint32_t>, Group> groups;
  for (std::uint32_t guide = 0; guide < bits.size(); ++guide) {
    const GuideBits& own = bits[guide];
    const bool looked_up = sequences_of(own, 0, kMaxWord) <= kMostSequences &&
                           sequences_of(own, kMaxWord, std::min(2 * kMaxWord, own.length)) <= kMostSequences;
    Group& group = groups.try_emplace({looked_up, own.length}, Group{own.length, looked_up, 0, {}}).first->second;
    group.guides.push_back(guide);
    group.sequences += sequences_of(own, 0, own.length);
  }
  std::vector<Group> all;
  for (auto& [kind, group] : groups) {
    group.sequences /= static_cast<double>(group.guides.size());
    all.push_back(std::move(group));
  }
  return all;
}

// Enough sites that a guide meets several in each bucket, as far as memory goes.
double sites_of_batch(std::size_t guides, const GuideLimits& limits) {
  constexpr std::uint32_t kUsualWord = 8;
  constexpr double kSitesPerLookup = 4;
  const double lookups = near_words(kUsualWord, static_cast<int>(limits.mismatches / 2)) * static_cast<double>(guides);
  return std::clamp(kSitesPerLookup * lookups, kFewestSites, kMostSites);
}

// How likely a random site has at most `mismatches` mismatches with a guide.
double share_of_sites(std::uint32_t length, std::uint32_t mismatches) {
  double share = 0;
  double exactly = std::pow(0.25, length);
  for (std::uint32_t i = 0; i <= mismatches; ++i) {
    share += exactly;
    exactly *= 3.0 * (length - i) / (i + 1);
  }
  return share;
}

// Guides as they are looked up by one of their words.
struct GuideLookup {
  GuideLists lists;
  Differences near;
};

// Memory of one batch, kept for the next.
struct Workspace {
  Sites sites;
  Parts parts;
  Index indices[2];
  std::vector<std::vector<Candidate>> candidates[2];  // of each part of the index of a word
};

// Takes the candidates of a part of an index, as long as there are not more than `most`.
struct Taker {
  const Index& index;
  std::vector<Candidate>& candidates;
  std::size_t most;
};

class Finder final : public GuideFinder {
 public:
  Finder(const GuideSet& guides, const Settings& settings, Isa isa)
      : guides_(guides), settings_(settings), isa_(isa), bits_(guide_bits(guides)), groups_(group_guides(bits_)) {}

  std::string describe() const override { return "buckets, CPU"; }

  std::uint32_t batch_positions() const override {
    return positions_of_batch(sites_of_batch(bits_.size(), guides_.limits()), guides_);
  }

  void find(const PackedBatch& batch, const Loop& loop, const Use& use) const override {
    std::unique_ptr<Workspace> work = memory_.take();
    find_sites(batch, guides_, loop, work->sites);
    for (Index& index : work->indices) index.built = false;  // it is of the batch before
    if (!work->sites.sites.empty()) {
      for (const Group& group : groups_) search(batch, group, loop, use, *work);
    }
    memory_.give_back(std::move(work));
  }

 private:
  void search(const PackedBatch& batch, const Group& group, const Loop& loop, const Use& use, Workspace& work) const {
    const auto sites = static_cast<double>(work.sites.sites.size());
    const std::uint32_t mismatches = guides_.limits().mismatches;
    const double expected = sites * std::min(1.0, group.sequences * share_of_sites(group.length, mismatches));
    const double fitting =
        std::min(settings_.usual_candidates / std::max(expected, 1e-6), static_cast<double>(group.guides.size()));
    std::size_t at_once = std::max(static_cast<std::size_t>(fitting), settings_.fewest_guides);
    const Load load{sites, static_cast<double>(std::min(at_once, group.guides.size())), group.length, mismatches};
    const Split split = group.looked_up ? choose_split(load, settings_.least_word, settings_.most_word).split : Split{};
    for (std::size_t first = 0; first < group.guides.size();) {
      const std::span<const std::uint32_t> guides{group.guides.data() + first,
                                                  std::min(at_once, group.guides.size() - first)};
      if (!find_candidates(split, group, guides, loop, work)) {
        at_once = std::max(guides.size() / 4, settings_.fewest_guides);
        continue;
      }
      find_places(batch, guides, loop, use, work);
      first += guides.size();
    }
  }

  // Returns false if there are too many candidates to be kept.
  bool find_candidates(const Split& split, const Group& group, std::span<const std::uint32_t> guides, const Loop& loop,
                       Workspace& work) const {
    const bool all_at_once = guides.size() == group.guides.size();
    const bool divisible = guides.size() > settings_.fewest_guides;
    std::atomic<std::size_t> count = 0;
    const auto too_many = [&] { return divisible && count > settings_.most_candidates; };
    for (std::uint32_t word = 0; word < 2; ++word) {
      work.candidates[word].clear();
      if (split.budgets[word] < 0) continue;
      // Memory for one index is enough where each is searched once.
      Index& index = work.indices[all_at_once && groups_.size() == 1 ? 0 : word];
      const std::uint32_t first = word * split.q;
      if (!index.built || index.q != split.q || index.first != first) {
        build_index({work.sites.bases.data(), work.sites.sites.size()}, first, split.q, guides_.max_length(), isa_,
                    loop, work.parts, index);
      }
      const std::shared_ptr<const GuideLookup> lookup =
          all_at_once ? lookup_of_all(group, split, word) : make_lookup(guides, split, word);
      work.candidates[word].resize(index.buckets.size());
      loop(index.buckets.size(), [&](std::size_t part) {
        if (too_many()) return;
        std::vector<Candidate>& candidates = work.candidates[word][part];
        compare(index.buckets[part], *lookup,
                {index, candidates, divisible ? settings_.most_candidates + 1 : candidates.max_size()});
        count += candidates.size();
      });
      if (too_many()) return false;
    }
    return true;
  }

  std::shared_ptr<const GuideLookup> make_lookup(std::span<const std::uint32_t> guides, const Split& split,
                                                 std::uint32_t word) const {
    std::vector<const GuideBits*> bits;
    for (const std::uint32_t guide : guides) bits.push_back(&bits_[guide]);
    auto lookup = std::make_shared<GuideLookup>();
    lookup->lists.set(bits, word * split.q, split.q, isa_);
    lookup->near = differences(split.q, static_cast<std::uint32_t>(split.budgets[word]));
    return lookup;
  }

  // Kept, since most batches have the same split.
  std::shared_ptr<const GuideLookup> lookup_of_all(const Group& group, const Split& split, std::uint32_t word) const {
    const std::lock_guard lock(lookups_mutex_);
    std::shared_ptr<const GuideLookup>& known = lookups_[{&group, split.q, word, split.budgets[word]}];
    if (!known) known = make_lookup(group.guides, split, word);
    return known;
  }

  void compare(const std::vector<Bucket>& buckets, const GuideLookup& lookup, Taker taker) const {
    const auto& [lists, near] = lookup;
    taker.candidates.clear();
    Comparison all{};
    set_comparison(taker.index, buckets, lists, near, guides_.limits().mismatches, all);
    all.guides = lists.guides.data();
    all.codes = lists.codes.data();
    buckets_compare_for(isa_)(all, {[](void* to, std::uint32_t guide, std::uint32_t entry) {
                                      auto& [index, candidates, most] = *static_cast<Taker*>(to);
                                      if (candidates.size() < most) candidates.push_back({guide, index.site[entry]});
                                    },
                                    &taker});
    sort_candidates(taker.candidates);
  }

  void find_places(const PackedBatch& batch, std::span<const std::uint32_t> guides, const Loop& loop, const Use& use,
                   const Workspace& work) const {
    constexpr std::size_t kTasks = 64;
    const std::size_t each = std::clamp<std::size_t>(guides.size() / kTasks, 16, 1024);
    loop((guides.size() + each - 1) / each, [&](std::size_t task) {
      const std::size_t end = std::min(guides.size(), (task + 1) * each);
      std::vector<Candidate> candidates;
      for (const auto& parts : work.candidates) {
        for (const std::vector<Candidate>& part : parts) {
          const auto from = [&](std::size_t guide) {
            return std::partition_point(part.begin(), part.end(),
                                        [=](const Candidate& one) { return one.guide < guide; });
          };
          candidates.insert(candidates.end(), from(task * each), from(end));
        }
      }
      sort_candidates(candidates);
      use_places(batch, guides_, bits_, guides, candidates, work.sites, use);
    });
  }

  const GuideSet& guides_;
  const Settings settings_;
  const Isa isa_;
  const std::vector<GuideBits> bits_;  // of each guide
  const std::vector<Group> groups_;
  mutable std::mutex lookups_mutex_;
  // By group, bases of a word, word and mismatches in it.
  mutable std::map<std::tuple<const Group*, std::uint32_t, std::uint32_t, int>, std::shared_ptr<const GuideLookup>>
      lookups_;
  mutable KeptMemory<Workspace> memory_;
};

}  // namespace

std::unique_ptr<GuideFinder> make_cpu_finder(const GuideSet& guides, const Settings& settings, Isa isa) {
  return std::make_unique<Finder>(guides, settings, isa);
}

double cpu_seconds_per_base(const GuideSet& guides) {
  constexpr double kBase = 1e-9;
  constexpr double kSite = 40e-9;  // to find it
  const double sites = sites_of_batch(guides.guides().size(), guides.limits());
  double all = 0;
  for (const Group& group : group_guides(guide_bits(guides))) {
    const Load load{sites, static_cast<double>(group.guides.size()), group.length, guides.limits().mismatches};
    all += choose_split(load, 0, group.looked_up ? kMaxWord : 0).seconds;
  }
  return kBase + (kSite + all / sites) * sites_per_position(guides);
}

}  // namespace basesweep::buckets
