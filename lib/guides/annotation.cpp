#include "lib/guides/annotation.hpp"

#include <algorithm>
#include <tuple>

namespace basesweep {

RecordFeatures::RecordFeatures(std::vector<Feature> features)
    : features_(std::move(features)), reach_(features_.size()) {
  std::stable_sort(features_.begin(), features_.end(), [](const Feature& a, const Feature& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  set_reach(0, features_.size());
}

std::int64_t RecordFeatures::set_reach(std::size_t low, std::size_t high) {
  if (low == high) return 0;
  const std::size_t middle = low + (high - low) / 2;
  reach_[middle] = std::max({features_[middle].end, set_reach(low, middle), set_reach(middle + 1, high)});
  return reach_[middle];
}

void RecordFeatures::overlapping(std::int64_t begin, std::int64_t end, std::vector<Feature>& found) const {
  visit(0, features_.size(), begin, end, found);
}

void RecordFeatures::visit(std::size_t low, std::size_t high, std::int64_t begin, std::int64_t end,
                           std::vector<Feature>& found) const {
  if (low == high) return;
  const std::size_t middle = low + (high - low) / 2;
  if (reach_[middle] <= begin) return;
  visit(low, middle, begin, end, found);
  const Feature& feature = features_[middle];
  if (feature.begin >= end) return;
  // BED may have empty features, which share no base with anything.
  if (feature.end > begin && feature.end > feature.begin) found.push_back(feature);
  visit(middle + 1, high, begin, end, found);
}

const RecordFeatures* Annotation::of(std::string_view record) const {
  const auto found = records_.find(record);
  return found == records_.end() ? nullptr : &found->second;
}

std::vector<std::string> Annotation::records() const {
  std::vector<std::string> names;
  for (const auto& [name, features] : records_) names.push_back(name);
  return names;
}

void Annotation::kinds_of(std::span<const Feature> features, std::vector<std::uint32_t>& found) const {
  const auto before = static_cast<std::ptrdiff_t>(found.size());
  for (const Feature& feature : features) found.push_back(feature.kind);
  std::sort(found.begin() + before, found.end());
  found.erase(std::unique(found.begin() + before, found.end()), found.end());
}

void Annotation::append_names(std::span<const Feature> features, std::string& text) const {
  if (features.empty()) text += '.';
  std::vector<Feature> sorted(features.begin(), features.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const Feature& a, const Feature& b) { return a.kind < b.kind; });
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto same = [&](const Feature& f) { return f.kind == sorted[i].kind && f.name == sorted[i].name; };
    if (std::any_of(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(i), same)) continue;
    if (i != 0) text += ',';
    text += kinds_[sorted[i].kind];
    text += ':';
    text += names_[sorted[i].name];
  }
}

}  // namespace basesweep
