#include "kernels/guides/halves/candidates.hpp"

#include "kernels/guides/halves/scan.hpp"
#include "kernels/guides/halves/words.hpp"
#include "lib/base/per_thread.hpp"

namespace basesweep::halves {
namespace {

// Whether looking up words takes longer than comparing all sites.
bool is_dear(const GuideBits& guide, const LookupPlan& plan, const Sites& sites) {
  return static_cast<double>(plan.lookups) * sequences_of_word(guide, plan.q) > static_cast<double>(sites.sites.size());
}

// Memory of one thread.
struct Work {
  std::vector<ComparedGuide> compared;
  std::vector<std::uint32_t> looked_up;  // guides
  std::vector<GuideKey> keys;
};

struct Entries {
  const WordIndex& words;
  std::vector<Candidate>& found;
};

// The index is larger than the caches. So all guides are looked up in one part of it after the other.
void look_up_form(const Form& form, std::uint32_t q, const WordIndex& words, const Work& work, Isa isa,
                  std::vector<Candidate>& found) {
  Entries entries{words, found};
  const EntryTaker taker{[](void* to, std::uint32_t guide, std::uint32_t entry) {
                           const auto& [words, found] = *static_cast<Entries*>(to);
                           found.push_back({guide, words.site[entry]});
                         },
                         &entries};
  const auto look_up = guides_look_up_for(isa);
  for (std::uint32_t part = 0; part < kParts; ++part) {
    look_up({words.begins.data(), words.bases.data()},
            {work.keys.data(), work.keys.size(), form.deltas.data(), form.parts.data(), part_shift(q), part},
            work.compared.data(), {form.shapes.data(), form.shapes.size()}, taker);
  }
}

}  // namespace

bool looks_up(const LookupPlan& plan, const Sites& sites, GuideWay way) {
  if (plan.forms.empty() || way == GuideWay::sites) return false;
  return way == GuideWay::words || plan.lookups <= sites.sites.size();
}

void find_candidates(std::span<const GuideBits* const> guides, const GuideLimits& limits, const LookupPlan& plan,
                     const Sites& sites, const SiteIndex* index, GuideWay way, Isa isa, std::vector<Candidate>& found) {
  found.clear();
  Work& work = per_thread<Work>();
  work.compared.clear();
  work.looked_up.clear();
  const EntryTaker taker{[](void* to, std::uint32_t guide, std::uint32_t entry) {
                           static_cast<std::vector<Candidate>*>(to)->push_back({guide, entry});
                         },
                         &found};
  for (const GuideBits* guide : guides) work.compared.push_back(compared_guide(*guide, limits));
  for (std::uint32_t i = 0; i < guides.size(); ++i) {
    if (looks_up(plan, sites, way) && !(way == GuideWay::automatic && is_dear(*guides[i], plan, sites))) {
      work.looked_up.push_back(i);
    } else {
      guides_compare_all_for(isa)(sites.bases.data(), static_cast<std::uint32_t>(sites.sites.size()),
                                  work.compared.data(), i, {plan.shapes.data(), plan.shapes.size()}, taker);
    }
  }
  if (!work.looked_up.empty()) {
    for (const Form& form : plan.forms) {
      work.keys.clear();
      for (const std::uint32_t i : work.looked_up) {
        for_each_key(*guides[i], form, plan.q, [&](std::uint32_t key) { work.keys.push_back({key, i}); });
      }
      look_up_form(form, plan.q, form.second ? index->second : index->first, work, isa, found);
    }
  }
  sort_candidates(found);
}

}  // namespace basesweep::halves
