#include "kernels/cpu/host_sink.hpp"

#include <algorithm>
#include <limits>

#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {

std::vector<std::uint32_t> sink_lengths(const PatternSet& patterns) {
  std::vector<std::uint32_t> lengths;
  lengths.reserve(patterns.queries().size());
  for (const Query& query : patterns.queries()) {
    lengths.push_back(patterns.finds() == Finds::ends ? 1 : static_cast<std::uint32_t>(query.sets.size()));
  }
  return lengths;
}

PackedView searched_text(const PackedView& batch, const PatternSet& patterns, Interval& open_end) {
  if (patterns.finds() == Finds::starts) return batch;
  PackedView text = batch;
  open_end = {batch.positions, std::numeric_limits<std::uint32_t>::max()};
  text.blocked = &open_end;
  text.blocked_count = 1;
  text.own_begin = 0;
  text.own_end = batch.positions;
  return text;
}

HostSink::HostSink(const PackedView& text, const std::vector<std::uint32_t>& lengths, Finds finds, Output output,
                   std::uint64_t max_occurrences)
    : text_(text), output_(output), finds_(finds), lengths_(lengths), max_occurrences_(max_occurrences) {
  if (output == Output::counts) result_.counts.resize(lengths_.size());
}

bool HostSink::free_of_blocked(std::uint32_t position, std::uint32_t length) {
  while (text_.blocked[blocked_].end <= position) ++blocked_;  // the last interval ends past every position
  while (blocked_ != 0 && text_.blocked[blocked_ - 1].end > position) --blocked_;
  return text_.blocked[blocked_].begin >= std::uint64_t{position} + length;
}

void HostSink::send(std::uint32_t position, std::uint32_t query) {
  if (position < text_.own_begin || position >= text_.own_end || !free_of_blocked(position, lengths_[query])) return;
  if (output_ == Output::counts) {
    ++result_.counts[query];
  } else {
    result_.occurrences.push_back(make_occurrence(position, query));
    check_number();
  }
}

void HostSink::word(std::uint32_t position, std::uint32_t query, std::uint64_t bits) {
  if (position != word_position_) {
    sort_word();
    word_position_ = position;
    word_begin_ = result_.occurrences.size();
  }
  const bool inside = position >= text_.own_begin && std::uint64_t{position} + 64 <= text_.own_end;
  if (inside && free_of_blocked(position, 63 + lengths_[query])) {
    if (output_ == Output::counts) {
      result_.counts[query] += static_cast<unsigned>(__builtin_popcountll(bits));
      return;
    }
    for (; bits != 0; bits &= bits - 1) {
      result_.occurrences.push_back(make_occurrence(position + static_cast<unsigned>(__builtin_ctzll(bits)), query));
    }
    check_number();
    return;
  }
  for (; bits != 0; bits &= bits - 1) send(position + static_cast<unsigned>(__builtin_ctzll(bits)), query);
}

// The occurrences of a word come query by query. They are put in order while they are few.
void HostSink::sort_word() {
  if (word_position_ == kNoWord) return;
  std::sort(result_.occurrences.begin() + static_cast<std::ptrdiff_t>(word_begin_), result_.occurrences.end());
}

MatchResult HostSink::finish() {
  sort_word();
  if (!std::is_sorted(result_.occurrences.begin(), result_.occurrences.end()))
    std::sort(result_.occurrences.begin(), result_.occurrences.end());
  if (finds_ == Finds::ends)
    result_.occurrences.erase(std::unique(result_.occurrences.begin(), result_.occurrences.end()),
                              result_.occurrences.end());
  return std::move(result_);
}

}  // namespace basesweep
