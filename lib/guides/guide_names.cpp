#include "lib/guides/guide_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace basesweep {
namespace {

// The sequences of a name, numbered in the order in which they come, and then their own names. Most names have one.
struct Namesakes {
  std::string_view first{};
  std::map<std::string_view, std::size_t> others{};
  std::vector<std::string> names{};

  std::size_t sequences() const { return others.size() + 1; }
};

using ByName = std::unordered_map<std::string_view, Namesakes>;

std::vector<std::string> numbered(std::string_view name, std::size_t count, const ByName& used) {
  std::vector<std::string> names;
  for (std::size_t number = 1; names.size() < count; ++number) {
    std::string next = fmt::format("{}_{}", name, number);
    if (!used.contains(next)) names.push_back(std::move(next));
  }
  return names;
}

}  // namespace

GuideNames number_names(std::vector<Pattern>& guides) {
  GuideNames result;
  ByName by_name;  // with the texts of the guides
  by_name.reserve(guides.size());
  std::vector<std::size_t> numbers;  // of each guide's sequence among those of its name
  numbers.reserve(guides.size());
  result.repeats.reserve(guides.size());
  bool any_repeats = false;
  bool any_numbered = false;
  for (const Pattern& guide : guides) {
    const auto [same, is_new_name] = by_name.try_emplace(guide.name);
    Namesakes& all = same->second;
    if (is_new_name) all.first = guide.sequence;
    std::size_t number = 0;
    bool fresh = is_new_name;
    if (guide.sequence != all.first) {
      const auto [known, is_new] = all.others.emplace(guide.sequence, all.sequences());
      number = known->second;
      fresh = is_new;
      any_numbered = true;
    }
    numbers.push_back(number);
    result.repeats.push_back(!fresh);
    any_repeats = any_repeats || !fresh;
  }
  if (!any_repeats) result.repeats.clear();
  if (!any_numbered) return result;
  for (auto& [name, same] : by_name) {
    if (same.sequences() > 1) same.names = numbered(name, same.sequences(), by_name);
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < guides.size(); ++i) {
    const Namesakes& same = by_name.at(guides[i].name);
    names.push_back(same.names.empty() ? guides[i].name : same.names[numbers[i]]);
  }
  for (std::size_t i = 0; i < guides.size(); ++i) {
    result.given.push_back(std::exchange(guides[i].name, std::move(names[i])));
  }
  return result;
}

}  // namespace basesweep
