#include "kernels/reads/seeds/candidates.hpp"

#include <algorithm>

#include "kernels/reads/seeds/choices.hpp"

namespace basesweep::seeds {
namespace {

// Seeds that are looked up side by side, since each look-up waits for memory several times.
constexpr std::size_t kLookUps = 128;
// Places of each seed whose text is prefetched. In random text most seeds have fewer.
constexpr std::uint32_t kTextsAhead = 4;
// The blocks of a seed are not looked for if it occurs at more than one in this many positions of the text.
constexpr std::uint32_t kOften = 32;
constexpr std::size_t kFoundBeforeMerge = 1024;
constexpr std::uint64_t kManyPositions = std::uint64_t{1} << 22;

}  // namespace

bool CandidateFinder::next(std::vector<QueryWindow>& windows, std::size_t enough) {
  std::uint64_t positions = 0;
  while (end_query_ != reads_.query_count && windows.size() < enough && positions < kManyPositions) {
    const std::size_t known = windows.size();
    take_queries();
    look_up();
    std::size_t done = 0;
    for (std::uint32_t e = first_query_; e != end_query_; ++e) {
      if (swept_[e - first_query_]) {
        add_stretches(e, windows);
      } else {
        const std::size_t end = look_ups_end_[e - first_query_];
        add_found(e, done, end, windows);
        done = end;
      }
    }
    for (std::size_t i = known; i < windows.size(); ++i) positions += windows[i].end - windows[i].first;
  }
  return end_query_ != reads_.query_count;
}

// Most queries have the length and edits of the one before, so the last answer is kept.
std::uint32_t CandidateFinder::seeds(const ReadQuery& query) {
  if (query.length != last_.length || query.edits != last_.edits) {
    last_ = query;
    last_seeds_ = seeds_for(query, text_.positions, candidates_);
  }
  return last_seeds_;
}

// Takes as many queries as are looked up side by side. A swept query ends them, since it may have many windows.
void CandidateFinder::take_queries() {
  first_query_ = end_query_;
  swept_.clear();
  look_ups_.clear();
  look_ups_end_.clear();
  erroneous_.clear();
  blocks_.clear();
  while (end_query_ != reads_.query_count && look_ups_.size() < kLookUps) {
    const ReadQuery& query = reads_.queries[end_query_++];
    const std::uint32_t seeds = query.length == 0 ? 0 : this->seeds(query);
    swept_.push_back(query.length != 0 && seeds == 0);
    take_seeds(query, seeds);
    look_ups_end_.push_back(look_ups_.size());
    if (swept_.back()) return;
  }
}

void CandidateFinder::take_seeds(const ReadQuery& query, std::uint32_t seeds) {
  const bool with_blocks = has_blocks(query, seeds);
  std::uint32_t blocks = kAlone;
  for (std::uint32_t i = 0; i < seeds; ++i) {
    const Seed seed = seed_of(query, i, seeds);
    if (with_blocks) {
      blocks = static_cast<std::uint32_t>(blocks_.size());
      blocks_.emplace_back(reads_, query, i, seeds);
    }
    const auto look_up = [&](const Keys& keys, std::uint32_t erroneous, const SeedColumn& column) {
      __builtin_prefetch(index_.starts + keys.first);
      look_ups_.push_back({seed, keys.first, keys.end, erroneous, column, blocks});
    };
    const std::uint32_t errors = errors_of(query, i, seeds);
    if (errors == 0) {
      look_up(keys_of(reads_, query, seed, index_.gram), kExact, SeedColumn::first(0));
      continue;
    }
    erroneous_.push_back(erroneous_seed(reads_, query, seed, errors));
    const auto index = static_cast<std::uint32_t>(erroneous_.size() - 1);
    for_each_keys(erroneous_.back(), index_.gram, SeedColumn::first(errors), 0, 0,
                  [&](const Keys& keys, const SeedColumn& column) { look_up(keys, index, column); });
  }
}

void CandidateFinder::look_up() {
  for (LookUp& look_up : look_ups_) {
    look_up.first = index_.starts[look_up.first];
    look_up.last = index_.starts[look_up.last];
    if (look_up.first != look_up.last) __builtin_prefetch(index_.positions + look_up.first);
  }
  for (const LookUp& look_up : look_ups_) {
    // Without blocks, the text of a seed no longer than a q-gram is compared only if it may have errors, and then
    // seldom.
    if (look_up.blocks == kAlone && look_up.seed.length() <= index_.gram) continue;
    const std::uint32_t last = std::min(look_up.last, look_up.first + kTextsAhead);
    for (std::uint32_t i = look_up.first; i < last; ++i) {
      const std::uint32_t position = index_.positions[i] + index_.gram;
      __builtin_prefetch(text_.lo + position / 64);
      __builtin_prefetch(text_.hi + position / 64);
    }
  }
}

void CandidateFinder::add_stretches(std::uint32_t query, std::vector<QueryWindow>& windows) const {
  const std::uint32_t stretch = stretch_positions(reads_.queries[query]);
  for (std::uint64_t position = 0; position < text_.positions; position += stretch) {
    const std::uint64_t end = std::min<std::uint64_t>(position + stretch, text_.positions);
    windows.push_back({query, static_cast<std::uint32_t>(position), static_cast<std::uint32_t>(end)});
  }
}

bool CandidateFinder::occurs_at(const ReadQuery& query, const LookUp& look_up, std::uint32_t position) const {
  if (look_up.erroneous == kExact) return occurs(reads_, query, look_up.seed, text_, index_.gram, position);
  return goes_on(erroneous_[look_up.erroneous], look_up.column, text_, position + index_.gram);
}

// Calls use(position) for each place of a look-up where the whole seed occurs.
template <class Use>
void CandidateFinder::for_each_occurrence(const ReadQuery& query, const LookUp& look_up, const Use& use) const {
  for (std::uint32_t at = look_up.first; at < look_up.last; ++at) {
    const std::uint32_t position = index_.positions[at];
    if (occurs_at(query, look_up, position)) use(position);
  }
}

void CandidateFinder::add_found(std::uint32_t e, std::size_t first, std::size_t end,
                                std::vector<QueryWindow>& windows) {
  const ReadQuery& query = reads_.queries[e];
  found_.clear();
  max_found_ = kFoundBeforeMerge;
  for (std::size_t i = first; i < end;) {
    const LookUp& look_up = look_ups_[i];
    const auto add_ends = [&](std::uint32_t position) { add(ends_of(query, look_up.seed, position, text_.positions)); };
    if (look_up.blocks == kAlone) {
      for_each_occurrence(query, look_ups_[i++], add_ends);
      continue;
    }
    occurrences_.clear();  // of all look-ups of the seed
    for (; i < end && look_ups_[i].blocks == look_up.blocks; ++i)
      for_each_occurrence(query, look_ups_[i], [&](std::uint32_t position) { occurrences_.push_back(position); });
    // A seed that occurs more often is part of a repeat: its windows merge into a few long ones anyway.
    if (occurrences_.size() <= text_.positions / kOften) blocks_[look_up.blocks].keep_blocks(text_, occurrences_);
    for (const std::uint32_t position : occurrences_) add_ends(position);
  }
  merge();
  for (const Ends& ends : found_) windows.push_back({e, ends.first, ends.end});
}

// The ends of a seed mostly come in order, so neighbours are merged at once.
void CandidateFinder::add(const Ends& ends) {
  if (ends.first == ends.end) return;
  if (!found_.empty() && found_.back().first <= ends.first && ends.first <= found_.back().end) {
    found_.back().end = std::max(found_.back().end, ends.end);
    return;
  }
  if (found_.size() == max_found_) {
    merge();
    max_found_ = std::max(kFoundBeforeMerge, 2 * found_.size());
  }
  found_.push_back(ends);
}

void CandidateFinder::merge() {
  if (found_.size() < 2) return;
  std::sort(found_.begin(), found_.end(), [](const Ends& a, const Ends& b) { return a.first < b.first; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < found_.size(); ++i) {
    if (found_[i].first <= found_[last].end) {
      found_[last].end = std::max(found_[last].end, found_[i].end);
    } else {
      found_[++last] = found_[i];
    }
  }
  found_.resize(last + 1);
}

}  // namespace basesweep::seeds
