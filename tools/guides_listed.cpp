#include "tools/guides_listed.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "lib/guides/joined_rows.hpp"
#include "lib/pipeline/guide_totals.hpp"

namespace basesweep {
namespace {

// The listed guides that have all their nearest places.
template <class Counts>
auto with_places(Counts& counts) {
  return std::span(counts.listed).first(std::min(counts.listed.size(), GuideTally::kMostWithPlaces));
}

}  // namespace

void ListedDesigns::list(const TextSites& sites, std::uint32_t mismatches, const GuideJoin::Loop& loop) {
  counts_ = tally_.counts();
  const auto first = with_places(counts_);
  std::vector<std::uint32_t> numbers;
  for (const ListedGuide& guide : first) numbers.push_back(static_cast<std::uint32_t>(guide.order));
  const auto near = nearest_sites(sites, numbers, mismatches, GuideTable::kForPages, loop);
  for (std::size_t i = 0; i < first.size(); ++i) {
    set_nearest(sites, numbers[i], near[i], first[i].totals.nearest);
  }
}

void ListedDesigns::print(FieldWriter& to) const {
  const auto first = with_places(counts_);
  to.number(static_cast<std::uint32_t>(first.size()));
  for (const ListedGuide& guide : first) {
    to.number(guide.order);
    to.number(static_cast<std::uint32_t>(guide.totals.nearest.size()));
    for (const NearPlace& place : guide.totals.nearest) print_place(place, to);
  }
}

void ListedDesigns::take(FieldReader& from) {
  const auto guides = from.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < guides && from.ok(); ++i) {
    std::vector<NearPlace>& nearest = of_parts_[from.number<std::uint64_t>()];
    const auto places = from.number<std::uint32_t>();
    for (std::uint32_t k = 0; k < places && from.ok(); ++k) nearest.push_back(parse_place(from));
  }
}

void ListedDesigns::list() {
  counts_ = tally_.counts();
  for (ListedGuide& guide : with_places(counts_)) {
    const auto own = of_parts_.find(guide.order);
    if (own != of_parts_.end() && !own->second.empty()) guide.totals.nearest = own->second;
  }
}

}  // namespace basesweep
