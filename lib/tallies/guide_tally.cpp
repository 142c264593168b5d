#include "lib/tallies/guide_tally.hpp"

#include <algorithm>
#include <utility>

#include "lib/guides/scores.hpp"

namespace basesweep {

void SpecificityCounts::add(const std::optional<std::uint32_t>& specificity) {
  if (!specificity) return void(++unscored);
  ++percent[std::min<std::size_t>(*specificity / (kFullScore / 100), percent.size() - 1)];
}

void SpecificityCounts::add(const SpecificityCounts& other) {
  for (std::size_t i = 0; i < percent.size(); ++i) percent[i] += other.percent[i];
  unscored += other.unscored;
}

GuideTally::Key GuideTally::add(const GuideTotals& totals, bool scored, std::uint64_t order, Own& own) const {
  const std::optional<std::uint32_t> mit = totals.mit_specificity(scored);
  const std::optional<std::uint32_t> cfd = totals.cfd_specificity(scored);
  ++own.guides;
  own.mit.add(mit);
  own.cfd.add(cfd);
  constexpr std::uint32_t kLast = 2 * kFullScore;  // of guides without scores
  return {!cfd ? kLast : designed_ ? kFullScore - *cfd : *cfd, order};
}

void GuideTally::keep(Kept kept, Own& own) {
  const auto lower = [](const Kept& a, const Kept& b) { return a.key < b.key; };
  if (own.kept.size() == kMost) {
    std::pop_heap(own.kept.begin(), own.kept.end(), lower);
    own.kept.pop_back();
  }
  own.kept.push_back(std::move(kept));
  std::push_heap(own.kept.begin(), own.kept.end(), lower);
}

GuideTally::Counts GuideTally::counts() const {
  Counts sum;
  std::vector<const Kept*> order;
  for (const Own& own : own_) {
    sum.mit.add(own.mit);
    sum.cfd.add(own.cfd);
    sum.guides += own.guides;
    for (const Kept& one : own.kept) order.push_back(&one);
  }
  std::sort(order.begin(), order.end(), [](const Kept* a, const Kept* b) { return a->key < b->key; });
  order.resize(std::min(order.size(), kMost));
  for (const Kept* one : order) {
    sum.listed.push_back(one->guide);
    sum.listed.back().order = one->key.second;
  }
  return sum;
}

}  // namespace basesweep
