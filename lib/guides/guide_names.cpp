#include "lib/guides/guide_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <unordered_map>

namespace basesweep {
namespace {

// The sequences of a name, in the order in which they come, and then their own names.
struct Namesakes {
  std::map<std::string, std::size_t> sequences{};
  std::vector<std::string> names{};
};

using ByName = std::unordered_map<std::string, Namesakes>;

std::vector<std::string> numbered(const std::string& name, std::size_t count, const ByName& used) {
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
  ByName by_name;
  std::vector<std::size_t> numbers;  // of each guide's sequence among those of its name
  bool any_repeats = false;
  bool any_numbered = false;
  for (const Pattern& guide : guides) {
    auto& sequences = by_name[guide.name].sequences;
    const auto [known, fresh] = sequences.emplace(guide.sequence, sequences.size());
    numbers.push_back(known->second);
    result.repeats.push_back(!fresh);
    any_repeats = any_repeats || !fresh;
    any_numbered = any_numbered || sequences.size() > 1;
  }
  if (!any_repeats) result.repeats.clear();
  if (!any_numbered) return result;
  for (auto& [name, same] : by_name) {
    if (same.sequences.size() > 1) same.names = numbered(name, same.sequences.size(), by_name);
  }
  for (std::size_t i = 0; i < guides.size(); ++i) {
    const std::string name = guides[i].name;
    result.given.push_back(name);
    const Namesakes& same = by_name.at(name);
    if (!same.names.empty()) guides[i].name = same.names[numbers[i]];
  }
  return result;
}

}  // namespace basesweep
