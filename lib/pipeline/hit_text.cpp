#include "lib/pipeline/hit_text.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>

namespace basesweep {
namespace {

constexpr std::size_t kBytesInPart = std::size_t{1} << 18;  // about
constexpr std::size_t kPartsAtOnce = 32;
constexpr std::size_t kFirstHits = 64;  // that are printed to see how long lines are

// The bytes that a line takes at least. A name comes with every hit, and may be far longer than the rest of the line.
std::size_t min_line_bytes(const PackedBatch& batch) {
  constexpr std::size_t kRestOfLine = 64;
  std::size_t longest = 0;
  for (const Segment& segment : batch.segments()) longest = std::max<std::size_t>(longest, segment.name_size);
  return longest + kRestOfLine;
}

}  // namespace

void HitText::print_next(const Formatter& formatter, const PackedBatch& batch, std::span<const Hit> hits,
                         const BatchStandings& standings) {
  std::span<const Hit> left = hits.subspan(printed_);
  const auto print = [&](std::span<const Hit> some) { return format_hits(formatter, batch, some, &standings); };
  parts_.clear();
  if (left.empty()) return;
  if (hit_bytes_ == 0) {
    const std::size_t first = std::min(left.size(), kFirstHits);
    parts_.push_back(print(left.first(first)));
    hit_bytes_ = std::max(parts_.back().view().size() / first, min_line_bytes(batch));
    left = left.subspan(first);
  }
  const std::size_t before = parts_.size();
  const std::size_t in_part = std::max<std::size_t>(1, kBytesInPart / hit_bytes_);
  parts_.resize(before + std::min((left.size() + in_part - 1) / in_part, kPartsAtOnce));
  tbb::parallel_for(before, parts_.size(), [&](std::size_t i) {
    const std::size_t begin = (i - before) * in_part;
    parts_[i] = print(left.subspan(begin, std::min(in_part, left.size() - begin)));
  });
  printed_ = hits.size() - left.size() + std::min(left.size(), (parts_.size() - before) * in_part);
}

}  // namespace basesweep
