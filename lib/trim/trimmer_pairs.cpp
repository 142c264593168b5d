// The steps of trimming that look at both mates.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "lib/base/per_thread.hpp"
#include "lib/trim/mate_overlap.hpp"
#include "lib/trim/read_state.hpp"
#include "lib/trim/trimmer.hpp"

namespace basesweep {
namespace {

// An adapter with this score is one also where nothing else speaks for it: the end of a read has it by chance once in
// millions.
constexpr std::int32_t kSureScore = 12;
// The evidence of overlaps and of adapters agrees up to this distance.
constexpr std::uint32_t kSameLength = 2;

std::uint32_t distance(std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; }

}  // namespace

// Where the mates of a pair end: nothing where that is not known.
struct Trimmer::FragmentEnds {
  std::optional<std::uint32_t> of_mates[2];
  bool by_adapter = false;  // an adapter that was found says so too
};

// Adapters are looked for in whole mates, so that the place does not depend on qualities.
Trimmer::FragmentEnds Trimmer::find_ends(ReadState& first, ReadState& second, TrimCounts& counts) const {
  ReadState* const states[2] = {&first, &second};
  std::optional<std::uint32_t> ends[2];
  std::int32_t scores[2] = {0, 0};
  for (ReadState* const state : states) {
    const std::shared_ptr<const AdapterSet>& adapters = settings_.mates[state->mate].adapters;
    if (!adapters || adapters->empty()) continue;
    const ReadRange range = std::exchange(state->range, {0, static_cast<std::uint32_t>(state->read->bases.size())});
    scores[state->mate] = find_adapters(*state, false, state->found);
    state->range = range;
    if (!state->found.empty()) ends[state->mate] = state->found.back().kept.end;
  }
  const std::optional<std::uint32_t> overlap = fragment_length(first.read->bases, second.read->bases);
  const std::size_t best = scores[1] > scores[0] ? 1 : 0;
  if (scores[best] >= kSureScore) {
    const bool agrees = overlap && distance(*overlap, *ends[best]) <= kSameLength;
    ++(agrees ? counts.by_both : overlap ? counts.differing : counts.by_adapter);
    const std::optional<std::uint32_t> length = agrees ? overlap : ends[best];
    return {{length, length}, true};
  }
  if (overlap) {
    if (*overlap >= std::max(first.read->bases.size(), second.read->bases.size())) return {{overlap, overlap}};
    const bool agrees = ends[best] && distance(*overlap, *ends[best]) <= kSameLength;
    ++(agrees ? counts.by_both : counts.by_overlap);
    return {{overlap, overlap}, agrees};
  }
  if (!ends[0] || !ends[1] || distance(*ends[0], *ends[1]) > 1) return {};
  // Two short ends of adapters at the same place.
  ++counts.by_adapter;
  return {{ends[0], ends[1]}, true};
}

// Cuts both mates at the end of their fragment.
void Trimmer::cut_fragment(ReadState& first, ReadState& second, Batch& batch) const {
  const FragmentEnds ends = find_ends(first, second, batch.counts);
  if (ends.of_mates[0] && *ends.of_mates[0] == 0) ++batch.counts.dimers;
  for (ReadState* const state : {&first, &second}) {
    if (!ends.by_adapter) state->found.clear();
    const std::optional<std::uint32_t> length = ends.of_mates[state->mate];
    if (!length || *length >= state->read->bases.size()) {
      state->found.clear();
      continue;
    }
    state->by_overlap = true;
    TrimCounts::Mate& counts = batch.counts.mates[state->mate];
    ++counts.with_adapter;
    for (const FoundAdapter& one : state->found) ++counts.adapters[one.adapter];
    const ReadRange before = state->range;
    const std::uint32_t end = std::clamp(*length, before.begin, before.end);
    switch (settings_.action) {
      case AdapterAction::mask:
      case AdapterAction::lowercase: replace(*state, before, {before.begin, end}, batch); break;
      case AdapterAction::none: break;
      default: state->range.end = end; break;
    }
    counts.adapter_bases += before.size() - state->range.size();
  }
}

// Looks for adapters in the mates as they are and exchanged, and keeps what has the higher score.
void Trimmer::cut_either_way(ReadState& first, ReadState& second, Batch& batch) const {
  struct Scratch {
    std::vector<FoundAdapter> found[2];
  };
  auto& found = per_thread<Scratch>().found;
  const auto exchange = [&] {
    std::swap(first.read, second.read);
    std::swap(first.range, second.range);
  };
  const std::int32_t score = find_adapters(first, false, first.found) + find_adapters(second, false, second.found);
  exchange();
  const std::int32_t exchanged_score = find_adapters(first, false, found[0]) + find_adapters(second, false, found[1]);
  if (exchanged_score > score) {
    first.exchanged = second.exchanged = true;
    std::swap(first.found, found[0]);
    std::swap(second.found, found[1]);
  } else {
    exchange();
  }
  for (ReadState* const state : {&first, &second}) {
    if (settings_.mates[state->mate].adapters) cut_found(*state, batch);
  }
}

// Cuts the adapters of one number from both mates: those with the highest score together.
void Trimmer::cut_adapter_pair(ReadState& first, ReadState& second, Batch& batch) const {
  struct Scratch {
    std::vector<LetterSet> sets[2];
    std::vector<std::uint32_t> candidates;
  };
  auto& [sets, candidates] = per_thread<Scratch>();
  for (const ReadState* const state : {&first, &second}) {
    sets[state->mate].clear();
    append_read_sets(state->read->bases.substr(state->range.begin, state->range.size()), settings_.read_wildcards,
                     sets[state->mate]);
  }
  candidates.clear();
  settings_.mates[0].adapters->append_candidates(sets[0], candidates);
  std::optional<FoundAdapter> best[2];
  const auto rank = [](const auto& one, const auto& other) {
    return std::pair(-(one->score + other->score), one->errors + other->errors);
  };
  for (const std::uint32_t candidate : candidates) {
    const std::optional<FoundAdapter> one = settings_.mates[0].adapters->find(candidate, sets[0]);
    if (!one) continue;
    const std::optional<FoundAdapter> other = settings_.mates[1].adapters->find(candidate, sets[1]);
    if (!other || (best[0] && rank(one, other) >= rank(best[0], best[1]))) continue;
    best[0] = one;
    best[1] = other;
  }
  if (!best[0]) return;
  for (ReadState* const state : {&first, &second}) {
    state->found.push_back(*best[state->mate]);
    cut_found(*state, batch);
  }
}

void Trimmer::cut_pair(ReadState& first, ReadState& second, Batch& batch) const {
  if (settings_.by_overlap) {
    cut_fragment(first, second, batch);
  } else if (settings_.pair_adapters) {
    cut_adapter_pair(first, second, batch);
  } else {
    cut_either_way(first, second, batch);
  }
}

}  // namespace basesweep
