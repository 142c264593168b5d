#include "kernels/guides/halves/candidates.hpp"

#include <algorithm>

#include "kernels/guides/halves/scan.hpp"
#include "kernels/guides/halves/words.hpp"

namespace basesweep::halves {
namespace {

// Whether looking up words takes longer than comparing all sites.
bool is_dear(const GuideBits& guide, const Plan& plan, const Sites& sites) {
  return static_cast<double>(plan.lookups) * sequences_of_word(guide, plan.q) > static_cast<double>(sites.sites.size());
}

}  // namespace

bool looks_up(const Plan& plan, const Sites& sites, GuideWay way) {
  if (plan.forms.empty() || way == GuideWay::sites) return false;
  return way == GuideWay::words || plan.lookups <= sites.sites.size();
}

void find_candidates(const GuideBits& guide, const GuideLimits& limits, const Plan& plan, const Sites& sites,
                     const SiteIndex* index, GuideWay way, Isa isa, std::vector<std::uint32_t>& found) {
  found.clear();
  const ComparedGuide compared = compared_guide(guide, limits);
  if (!looks_up(plan, sites, way) || (way == GuideWay::automatic && is_dear(guide, plan, sites))) {
    const EntryTaker taker{
        [](void* to, std::uint32_t entry) { static_cast<std::vector<std::uint32_t>*>(to)->push_back(entry); }, &found};
    return guides_compare_all_for(isa)(sites.bases.data(), static_cast<std::uint32_t>(sites.bases.size()), compared,
                                       {plan.shapes.data(), plan.shapes.size()}, taker);
  }
  struct Entries {
    const WordIndex& words;
    std::vector<std::uint32_t>& found;
  };
  const auto look_up = guides_look_up_for(isa);
  for (const Form& form : plan.forms) {
    const WordIndex& words = form.second ? index->second : index->first;
    Entries entries{words, found};
    const EntryTaker taker{[](void* to, std::uint32_t entry) {
                             const auto& [words, found] = *static_cast<Entries*>(to);
                             found.push_back(words.site[entry]);
                           },
                           &entries};
    for_each_key(guide, form, plan.q, [&](std::uint32_t key) {
      look_up({words.begins.data(), words.bases.data()}, {key, form.deltas.data(), form.deltas.size()}, compared,
              {form.shapes.data(), form.shapes.size()}, taker);
    });
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

}  // namespace basesweep::halves
