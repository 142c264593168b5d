#include "kernels/host_sink.hpp"

#include <algorithm>

namespace basesweep {

HostSink::HostSink(const PackedView& text, const std::vector<Entry>& entries, Output output)
    : text_(text), output_(output) {
  lengths_.reserve(entries.size());
  for (const Entry& entry : entries) lengths_.push_back(static_cast<std::uint32_t>(entry.columns.size()));
  if (output == Output::counts) result_.counts.resize(entries.size());
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
  std::sort(result_.hits.begin() + static_cast<std::ptrdiff_t>(word_begin_), result_.hits.end());
}

MatchResult HostSink::finish() {
  sort_word();
  if (!std::is_sorted(result_.hits.begin(), result_.hits.end())) std::sort(result_.hits.begin(), result_.hits.end());
  return std::move(result_);
}

}  // namespace basesweep
