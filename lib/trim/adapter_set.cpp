#include "lib/trim/adapter_set.hpp"

#include <algorithm>
#include <utility>

#include "lib/base/per_thread.hpp"

namespace basesweep {

AdapterSet::AdapterSet(std::vector<Adapter> adapters) : adapters_(std::move(adapters)) {
  std::vector<const AdapterLocator*> required;
  for (std::size_t i = 0; i < adapters_.size(); ++i) {
    const Adapter& adapter = adapters_[i];
    locators_.emplace_back(adapter.parts.begin(), adapter.parts.end());
    const std::vector<AdapterLocator>& parts = locators_.back();
    const auto index = static_cast<std::uint32_t>(i);
    if (!adapter.is_linked() || adapter.required[0] || adapter.required[1]) {
      required.push_back(&parts[!adapter.is_linked() || adapter.required[0] ? 0 : 1]);
      filtered_.push_back(index);
    } else {
      always_.push_back(index);
    }
  }
  filter_.emplace(required);
}

void AdapterSet::append_candidates(std::span<const LetterSet> read, std::vector<std::uint32_t>& candidates) const {
  const auto begin = static_cast<std::ptrdiff_t>(candidates.size());
  filter_->find(read, candidates);
  const auto middle = candidates.begin() + begin;
  for (auto candidate = middle; candidate != candidates.end(); ++candidate) *candidate = filtered_[*candidate];
  if (always_.empty()) return;
  const auto end = static_cast<std::ptrdiff_t>(candidates.size());
  candidates.insert(candidates.end(), always_.begin(), always_.end());
  std::inplace_merge(candidates.begin() + begin, candidates.begin() + end, candidates.end());
}

std::optional<FoundAdapter> AdapterSet::find(std::span<const LetterSet> read) const {
  struct Scratch {
    std::vector<std::uint32_t> candidates;
  };
  std::vector<std::uint32_t>& candidates = per_thread<Scratch>().candidates;
  candidates.clear();
  append_candidates(read, candidates);
  std::optional<FoundAdapter> best;
  for (const std::uint32_t candidate : candidates) {
    const std::optional<FoundAdapter> found = find(candidate, read);
    if (!found) continue;
    if (!best || found->score > best->score || (found->score == best->score && found->errors < best->errors))
      best = found;
  }
  return best;
}

std::optional<FoundAdapter> AdapterSet::find(std::size_t index, std::span<const LetterSet> read) const {
  const Adapter& adapter = adapters_[index];
  const std::vector<AdapterLocator>& locators = locators_[index];
  FoundAdapter found;
  found.adapter = static_cast<std::uint32_t>(index);
  found.kept = found.with_adapter = {0, static_cast<std::uint32_t>(read.size())};
  for (std::size_t part = 0; part < locators.size(); ++part) {
    const std::uint32_t begin = found.kept.begin;
    const std::optional<AdapterMatch> match = locators[part].locate(read.subspan(begin));
    if (!match) {
      // A linked adapter without any part is not there.
      if (!adapter.is_linked() || adapter.required[part] || (part == 1 && !found.parts[0])) return std::nullopt;
      continue;
    }
    const ReadRange place{begin + match->read_begin, begin + match->read_end};
    found.parts[part] = place;
    found.score += match->score;
    found.errors += match->errors;
    const AdapterKind kind = locators[part].part().kind;
    if (kind == AdapterKind::five_prime || (kind == AdapterKind::either && match->read_begin == 0)) {
      found.kept.begin = place.end;
      found.with_adapter.begin = place.begin;
    } else {
      found.kept.end = place.begin;
      found.with_adapter.end = place.end;
    }
    found.cropped = part == 1 && found.parts[0] ? ReadRange{found.parts[0]->begin, place.end} : place;
  }
  return found;
}

}  // namespace basesweep
