#include "kernels/host_sink.hpp"

#include <algorithm>
#include <limits>

namespace basesweep {

std::vector<std::uint32_t> sink_lengths(const PatternSet& patterns) {
  std::vector<std::uint32_t> lengths;
  lengths.reserve(patterns.entries().size());
  for (const Entry& entry : patterns.entries()) {
    lengths.push_back(patterns.approximate() ? 1 : static_cast<std::uint32_t>(entry.columns.size()));
  }
  return lengths;
}

PackedView searched_text(const PackedView& batch, const PatternSet& patterns, Interval& open_end) {
  if (!patterns.approximate()) return batch;
  PackedView text = batch;
  open_end = {batch.columns, std::numeric_limits<std::uint32_t>::max()};
  text.blocked = &open_end;
  text.blocked_count = 1;
  text.own_begin = 0;
  text.own_end = batch.columns;
  return text;
}

HostSink::HostSink(const PackedView& text, const std::vector<std::uint32_t>& lengths, bool approximate, Output output)
    : text_(text), output_(output), approximate_(approximate), lengths_(lengths) {
  if (output == Output::counts) result_.counts.resize(lengths_.size());
}

bool HostSink::free_of_blocked(std::uint32_t column, std::uint32_t length) {
  while (text_.blocked[blocked_].end <= column) ++blocked_;  // the last interval ends past every column
  while (blocked_ != 0 && text_.blocked[blocked_ - 1].end > column) --blocked_;
  return text_.blocked[blocked_].begin >= std::uint64_t{column} + length;
}

void HostSink::hit(std::uint32_t column, std::uint32_t entry) {
  if (column < text_.own_begin || column >= text_.own_end || !free_of_blocked(column, lengths_[entry])) return;
  if (output_ == Output::counts) {
    ++result_.counts[entry];
  } else {
    result_.hits.push_back(make_hit(column, entry));
  }
}

void HostSink::word(std::uint32_t column, std::uint32_t entry, std::uint64_t bits) {
  if (column != word_column_) {
    sort_word();
    word_column_ = column;
    word_begin_ = result_.hits.size();
  }
  const bool inside = column >= text_.own_begin && std::uint64_t{column} + 64 <= text_.own_end;
  if (inside && free_of_blocked(column, 63 + lengths_[entry])) {
    if (output_ == Output::counts) {
      result_.counts[entry] += static_cast<unsigned>(__builtin_popcountll(bits));
      return;
    }
    for (; bits != 0; bits &= bits - 1) {
      result_.hits.push_back(make_hit(column + static_cast<unsigned>(__builtin_ctzll(bits)), entry));
    }
    return;
  }
  for (; bits != 0; bits &= bits - 1) hit(column + static_cast<unsigned>(__builtin_ctzll(bits)), entry);
}

// A word's hits come entry by entry; put them in order while they are few.
void HostSink::sort_word() {
  if (word_column_ == kNoWord) return;
  std::sort(result_.hits.begin() + static_cast<std::ptrdiff_t>(word_begin_), result_.hits.end());
}

MatchResult HostSink::finish() {
  sort_word();
  if (!std::is_sorted(result_.hits.begin(), result_.hits.end())) std::sort(result_.hits.begin(), result_.hits.end());
  if (approximate_) result_.hits.erase(std::unique(result_.hits.begin(), result_.hits.end()), result_.hits.end());
  return std::move(result_);
}

}  // namespace basesweep
