#include "lib/pipeline/hit_text.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>

namespace basesweep {
namespace {

constexpr std::size_t kBytesInPart = std::size_t{1} << 20;  // about
constexpr std::size_t kPartsAtOnce = 64;

// A part has fewer hits if record names are long: a name comes with every hit, and may be far longer than the rest of
// the line.
std::size_t hits_in_part(const PackedBatch& batch) {
  constexpr std::size_t kRestOfLine = 64;
  std::size_t longest = 0;
  for (const Segment& segment : batch.segments()) longest = std::max<std::size_t>(longest, segment.name_size);
  return std::max<std::size_t>(1, kBytesInPart / (longest + kRestOfLine));
}

}  // namespace

void HitText::print_next(const Formatter& formatter, const PackedBatch& batch, std::span<const Hit> hits,
                         const BatchStandings& standings) {
  const std::span<const Hit> left = hits.subspan(printed_);
  const std::size_t in_part = left.empty() ? 1 : hits_in_part(batch);
  parts_.resize(std::min((left.size() + in_part - 1) / in_part, kPartsAtOnce));
  tbb::parallel_for(std::size_t{0}, parts_.size(), [&](std::size_t i) {
    const std::size_t begin = i * in_part;
    parts_[i] = formatter.format(batch, left.subspan(begin, std::min(in_part, left.size() - begin)), &standings);
  });
  printed_ += std::min(left.size(), parts_.size() * in_part);
}

}  // namespace basesweep
