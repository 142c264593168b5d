#include "kernels/guides/halves/candidates.hpp"

#include <algorithm>

#include "kernels/guides/halves/scan.hpp"

namespace basesweep::halves {
namespace {

// The guide as sites are compared with it; without the alignments.
ComparedGuide compared_guide(const GuideBits& guide, const GuideLimits& limits) {
  const auto& sets = guide.sets;
  const std::uint64_t several = (sets[0] & sets[1]) | (sets[2] & sets[3]) | ((sets[0] | sets[1]) & (sets[2] | sets[3]));
  const auto low_half = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  return {low_half(sets[1] | sets[3]),
          low_half(sets[2] | sets[3]),
          low_half(~several & low_bits(guide.length)),
          limits.mismatches,
          nullptr,
          0};
}

// Calls use(key) for each sequence that a word of the guide stands for. Bases that are free have the code 0.
template <class Use>
void for_each_key(const GuideBits& text, std::uint32_t first, std::uint32_t q, std::uint32_t free, std::uint32_t base,
                  std::uint32_t key, const Use& use) {
  while (base < q && (free >> base & 1U) != 0) ++base;
  if (base == q) return use(key);
  for (std::uint32_t code = 0; code < 4; ++code) {
    if ((text.sets[code] >> (first + base) & 1) == 0) continue;
    const std::uint32_t own = (code & 1U) << base | (code >> 1) << (base + q);
    for_each_key(text, first, q, free, base + 1, key | own, use);
  }
}

// How many sequences the guide's bases [first, end) stand for.
double sequences_of(const GuideBits& guide, std::uint32_t first, std::uint32_t end) {
  double sequences = 1;
  for (std::uint32_t base = first; base < std::min(end, guide.length); ++base) {
    std::uint64_t codes = 0;
    for (const std::uint64_t set : guide.sets) codes += set >> base & 1;
    sequences *= static_cast<double>(codes);
  }
  return sequences;
}

// Whether looking up words takes longer than comparing all sites.
bool is_dear(const GuideBits& guide, const Plan& plan, const Sites& sites) {
  const double sequences = std::max(sequences_of(guide, 0, plan.q), sequences_of(guide, plan.q, guide.length));
  return static_cast<double>(plan.lookups) * sequences > static_cast<double>(sites.sites.size());
}

}  // namespace

bool looks_up(const Plan& plan, const Sites& sites, GuideWay way) {
  if (plan.forms.empty() || way == GuideWay::sites) return false;
  return way == GuideWay::words || plan.lookups <= sites.sites.size();
}

void find_candidates(const GuideBits& guide, const GuideLimits& limits, const Plan& plan, const Sites& sites,
                     const SiteIndex* index, GuideWay way, Isa isa, std::vector<std::uint32_t>& found) {
  found.clear();
  ComparedGuide compared = compared_guide(guide, limits);
  if (!looks_up(plan, sites, way) || (way == GuideWay::automatic && is_dear(guide, plan, sites))) {
    compared.shapes = plan.shapes.data();
    compared.shape_count = plan.shapes.size();
    const EntryTaker taker{
        [](void* to, std::uint32_t entry) { static_cast<std::vector<std::uint32_t>*>(to)->push_back(entry); }, &found};
    return guides_compare_all_for(isa)(sites.bases.data(), static_cast<std::uint32_t>(sites.bases.size()), compared,
                                       taker);
  }
  struct Entries {
    const WordIndex& words;
    std::vector<std::uint32_t>& found;
  };
  const auto look_up = guides_look_up_for(isa);
  for (const Form& form : plan.forms) {
    const WordIndex& words = form.second ? index->second : index->first;
    compared.shapes = form.shapes.data();
    compared.shape_count = form.shapes.size();
    Entries entries{words, found};
    const EntryTaker taker{[](void* to, std::uint32_t entry) {
                             const auto& [words, found] = *static_cast<Entries*>(to);
                             found.push_back(words.site[entry]);
                           },
                           &entries};
    for_each_key(on_text(guide, form.word), form.second ? plan.q : 0, plan.q, form.free, 0, 0, [&](std::uint32_t key) {
      look_up({words.begins.data(), words.bases.data()}, {key, form.deltas.data(), form.deltas.size()}, compared,
              taker);
    });
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

}  // namespace basesweep::halves
