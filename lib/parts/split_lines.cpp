#include "lib/parts/split_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace basesweep {

// The line with another interval.
SplitLines::Line SplitLines::cut(const PrintedHit& hit, std::string_view line, std::int64_t start, std::int64_t end) {
  const std::size_t interval = hit.record.size() + 1;
  const std::size_t rest = line.find('\t', line.find('\t', interval) + 1);
  return {start, end, hit.minus, hit.pattern_number,
          fmt::format("{}\t{}\t{}{}\n", hit.record, start, end, line.substr(rest))};
}

bool SplitLines::before(const Line& a, const Line& b) {
  const auto key = [](const Line& line) { return std::tuple(line.start, line.end, line.minus, line.pattern); };
  return key(a) < key(b);
}

void SplitLines::see(const PrintedHit& hit, std::string_view line) {
  if (hit.origin != 0) tails_[hit.number].push_back(cut(hit, line, 0, hit.end - hit.origin));
}

void SplitLines::add(const PrintedHit& hit, std::string_view line) {
  if (hit.number != record_) {
    finish();
    record_ = hit.number;
    next_tail_ = 0;
    std::vector<Line>& tails = tails_[record_];
    std::stable_sort(tails.begin(), tails.end(), before);
  } else if (hit.start != group_.back().start) {
    flush_group();
  }
  group_.push_back(cut(hit, line, hit.start, hit.origin != 0 ? hit.origin : hit.end));
}

void SplitLines::flush_group() {
  std::stable_sort(group_.begin(), group_.end(), before);
  const std::vector<Line>& tails = tails_[record_];
  for (const Line& line : group_) {
    while (next_tail_ < tails.size() && before(tails[next_tail_], line)) write_(tails[next_tail_++].text);
    write_(line.text);
  }
  group_.clear();
}

void SplitLines::finish() {
  if (record_ < 0) return;
  flush_group();
  const std::vector<Line>& tails = tails_[record_];
  while (next_tail_ < tails.size()) write_(tails[next_tail_++].text);
  tails_.erase(record_);
  record_ = -1;
}

}  // namespace basesweep
