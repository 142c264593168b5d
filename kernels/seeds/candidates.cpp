#include "kernels/seeds/candidates.hpp"

#include <algorithm>

#include "kernels/seeds/plan.hpp"

namespace basesweep::seeds {
namespace {

// Pieces that are looked up side by side, since each look-up waits for memory several times.
constexpr std::size_t kLookUps = 128;
constexpr std::uint32_t kTextsAhead = 4;  // of each; in random text most have fewer
constexpr std::size_t kFoundBeforeMerge = 1024;
constexpr std::uint64_t kManyColumns = std::uint64_t{1} << 22;

}  // namespace

bool CandidateFinder::next(std::vector<SoughtWindow>& windows, std::size_t enough) {
  std::uint64_t columns = 0;
  while (end_entry_ != reads_.entry_count && windows.size() < enough && columns < kManyColumns) {
    const std::size_t known = windows.size();
    take_entries();
    look_up();
    const LookUp* look_ups = look_ups_.data();
    for (std::uint32_t e = first_entry_; e != end_entry_; ++e) {
      if (reads_.entries[e].length == 0) continue;
      if (swept_[e - first_entry_]) {
        add_stretches(e, windows);
      } else {
        add_found(e, look_ups, windows);
        look_ups += reads_.entries[e].edits + 1;
      }
    }
    for (std::size_t i = known; i < windows.size(); ++i) columns += windows[i].end - windows[i].first;
  }
  return end_entry_ != reads_.entry_count;
}

// Most entries are like the one before.
bool CandidateFinder::swept(const SoughtEntry& entry) {
  if (entry.length != last_.length || entry.edits != last_.edits) {
    last_ = entry;
    last_swept_ = is_swept(entry, text_.columns, candidates_);
  }
  return last_swept_;
}

// As many as are looked up side by side; a swept one is the last, since it may have many windows.
void CandidateFinder::take_entries() {
  first_entry_ = end_entry_;
  swept_.clear();
  look_ups_.clear();
  while (end_entry_ != reads_.entry_count && look_ups_.size() < kLookUps) {
    const SoughtEntry& entry = reads_.entries[end_entry_++];
    swept_.push_back(entry.length != 0 && swept(entry));
    if (swept_.back()) return;
    if (entry.length == 0) continue;
    for (std::uint32_t i = 0; i <= entry.edits; ++i) {
      const Piece piece = piece_of(entry, i);
      const Keys keys = keys_of(reads_, entry, piece, index_.gram);
      __builtin_prefetch(index_.starts + keys.first);
      look_ups_.push_back({piece, keys.first, keys.end});
    }
  }
}

void CandidateFinder::look_up() {
  for (LookUp& look_up : look_ups_) {
    look_up.first = index_.starts[look_up.first];
    look_up.last = index_.starts[look_up.last];
    if (look_up.first != look_up.last) __builtin_prefetch(index_.positions + look_up.first);
  }
  for (const LookUp& look_up : look_ups_) {
    if (look_up.piece.length() <= index_.gram) continue;
    const std::uint32_t last = std::min(look_up.last, look_up.first + kTextsAhead);
    for (std::uint32_t i = look_up.first; i < last; ++i) {
      const std::uint32_t column = index_.positions[i] + index_.gram;
      __builtin_prefetch(text_.lo + column / 64);
      __builtin_prefetch(text_.hi + column / 64);
    }
  }
}

void CandidateFinder::add_stretches(std::uint32_t entry, std::vector<SoughtWindow>& windows) const {
  const std::uint32_t stretch = stretch_columns(reads_.entries[entry]);
  for (std::uint64_t column = 0; column < text_.columns; column += stretch) {
    const std::uint64_t end = std::min<std::uint64_t>(column + stretch, text_.columns);
    windows.push_back({entry, static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(end)});
  }
}

void CandidateFinder::add_found(std::uint32_t e, const LookUp* look_ups, std::vector<SoughtWindow>& windows) {
  const SoughtEntry& entry = reads_.entries[e];
  found_.clear();
  most_found_ = kFoundBeforeMerge;
  for (std::uint32_t i = 0; i <= entry.edits; ++i) {
    const LookUp& look_up = look_ups[i];
    for (std::uint32_t at = look_up.first; at < look_up.last; ++at) {
      const std::uint32_t position = index_.positions[at];
      if (!occurs(reads_, entry, look_up.piece, text_, index_.gram, position)) continue;
      add(ends_of(entry, look_up.piece, position, text_.columns));
    }
  }
  merge();
  for (const Ends& ends : found_) windows.push_back({e, ends.first, ends.end});
}

// Those of a piece mostly come in order, so that neighbours are merged at once.
void CandidateFinder::add(const Ends& ends) {
  if (ends.first == ends.end) return;
  if (!found_.empty() && found_.back().first <= ends.first && ends.first <= found_.back().end) {
    found_.back().end = std::max(found_.back().end, ends.end);
    return;
  }
  if (found_.size() == most_found_) {
    merge();
    most_found_ = std::max(kFoundBeforeMerge, 2 * found_.size());
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
