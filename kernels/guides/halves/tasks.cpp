#include "kernels/guides/halves/tasks.hpp"

#include <algorithm>
#include <map>

#include "kernels/guides/halves/words.hpp"

namespace basesweep::halves {
namespace {

// Appends a list to an array, and returns where it begins there.
template <class T>
std::uint32_t append(std::vector<T>& to, const std::vector<T>& list) {
  const auto begin = static_cast<std::uint32_t>(to.size());
  to.insert(to.end(), list.begin(), list.end());
  return begin;
}

// A plan, and where its lists are.
struct PlacedPlan {
  LookupPlan plan;
  std::uint32_t first_form;
  std::uint32_t shapes;
};

PlacedPlan place_plan(std::uint32_t guide_length, const GuideLimits& limits, GuideWay way, Tasks& tasks) {
  PlacedPlan placed{make_plan(guide_length, limits), static_cast<std::uint32_t>(tasks.forms.size()), 0};
  placed.shapes = append(tasks.shapes, placed.plan.shapes);
  if (way == GuideWay::sites) placed.plan.forms.clear();
  for (const Form& form : placed.plan.forms) {
    tasks.forms.push_back({append(tasks.deltas, form.deltas), static_cast<std::uint32_t>(form.deltas.size()),
                           append(tasks.shapes, form.shapes), static_cast<std::uint32_t>(form.shapes.size())});
  }
  return placed;
}

TaskGroup& group_of(std::uint32_t q, std::vector<TaskGroup>& groups) {
  const auto group = std::find_if(groups.begin(), groups.end(), [q](const TaskGroup& one) { return one.q == q; });
  return group != groups.end() ? *group : groups.emplace_back(TaskGroup{q});
}

void add_tasks(std::uint32_t guide, const GuideBits& bits, const PlacedPlan& placed, TaskGroup& group) {
  for (std::size_t i = 0; i < placed.plan.forms.size(); ++i) {
    const Form& form = placed.plan.forms[i];
    for_each_key(bits, form, placed.plan.q, [&](std::uint32_t key) {
      for (std::uint32_t first = 0; first < form.deltas.size(); first += kTaskDeltas) {
        group.tasks[form.second ? 1 : 0].push_back(
            {guide, placed.first_form + static_cast<std::uint32_t>(i), key, first});
      }
      group.lookups += static_cast<double>(form.deltas.size());
    });
  }
}

}  // namespace

Tasks::Tasks(const GuideSet& set, GuideWay way) : bits(guide_bits(set)) {
  constexpr double kMaxSequences = 1U << 12;  // of a guide for which words are looked up
  std::map<std::uint32_t, PlacedPlan> plans;  // by the length of a guide
  for (std::uint32_t guide = 0; guide < set.guides().size(); ++guide) {
    const GuideBits& own = bits[guide];
    auto plan = plans.find(own.length);
    if (plan == plans.end()) plan = plans.emplace(own.length, place_plan(own.length, set.limits(), way, *this)).first;
    const PlacedPlan& placed = plan->second;
    guides.push_back(
        {compared_guide(own, set.limits()), placed.shapes, static_cast<std::uint32_t>(placed.plan.shapes.size())});
    TaskGroup& group = group_of(placed.plan.q, groups);
    group.guides.push_back(guide);
    const double sequences = sequences_of_word(own, placed.plan.q);
    if (placed.plan.forms.empty() || sequences > kMaxSequences ||
        sequences * static_cast<double>(placed.plan.lookups) > static_cast<double>(kMaxLookups)) {
      group.compared.push_back(guide);
    } else {
      add_tasks(guide, own, placed, group);
    }
  }
}

}  // namespace basesweep::halves
