#include "lib/pipeline/hit_text.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "lib/rows/hits_of_batch.hpp"
#include "lib/rows/row_block.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kBytesInPart = std::size_t{1} << 18;  // about
constexpr std::size_t kPartsAtOnce = 32;
constexpr std::size_t kFirstHits = 64;  // that are printed to see how long lines are

// The bytes that a line may take, whatever the first ones take. A name comes with every hit, and may be far longer than
// the rest of the line. Flanks are shorter at the ends of a record, where the first hits may be.
std::size_t usual_line_bytes(const PackedBatch& batch, std::uint32_t flank) {
  constexpr std::size_t kRestOfLine = 64;
  std::size_t longest = 0;
  for (const Segment& segment : batch.segments()) longest = std::max<std::size_t>(longest, segment.name_size);
  return longest + 2 * std::size_t{flank} + kRestOfLine;
}

// The text of some hits: one, or blocks.
struct Printed {
  std::vector<RowText> texts;
  std::size_t bytes = 0;  // before they were compressed
};

Printed print(const Formatter& formatter, const PackedBatch& batch, std::span<const Hit> hits,
              const BatchStandings& standings) {
  Printed printed;
  if (!formatter.makes_blocks()) {
    printed.texts.push_back(format_hits(formatter, batch, hits, &standings));
    printed.bytes = printed.texts.back().view().size();
    return printed;
  }
  RowText text;
  const auto close = [&] {
    printed.bytes += text.view().size();
    formatter.finish(text);
    printed.texts.push_back(std::exchange(text, RowText()));
  };
  const auto append = [&](const PlacedHit& hit) {
    formatter.append(hit, text);
    if (is_full_block(text.rows, text.view().size())) close();
  };
  for_each_hit(batch, hits, formatter.needs_letters(), append, formatter.flank(), &standings);
  if (text.rows != 0) close();
  return printed;
}

}  // namespace

void HitText::print_next(const Formatter& formatter, const PackedBatch& batch, std::span<const Hit> hits,
                         const BatchStandings& standings) {
  std::span<const Hit> left = hits.subspan(printed_);
  parts_.clear();
  if (left.empty()) return;
  if (hit_bytes_ == 0) {
    const std::size_t first = std::min(left.size(), kFirstHits);
    Printed printed = print(formatter, batch, left.first(first), standings);
    hit_bytes_ = std::max(printed.bytes / first, usual_line_bytes(batch, formatter.flank()));
    parts_ = std::move(printed.texts);
    left = left.subspan(first);
  }
  const std::size_t in_part = std::max<std::size_t>(1, kBytesInPart / hit_bytes_);
  std::vector<Printed> printed(std::min((left.size() + in_part - 1) / in_part, kPartsAtOnce));
  tbb::parallel_for(std::size_t{0}, printed.size(), [&](std::size_t i) {
    printed[i] =
        print(formatter, batch, left.subspan(i * in_part, std::min(in_part, left.size() - i * in_part)), standings);
  });
  for (Printed& one : printed) std::move(one.texts.begin(), one.texts.end(), std::back_inserter(parts_));
  printed_ = hits.size() - left.size() + std::min(left.size(), printed.size() * in_part);
}

}  // namespace basesweep
