#include "lib/align/text_sets.hpp"

#include <algorithm>
#include <array>

#include "lib/search/packed_batch.hpp"

namespace basesweep {
namespace {

// The sets of 4 positions. The index is their 4 bits of the plane `lo` and, above these, their 4 bits of `hi`.
constexpr auto kSetsOf4 = [] {
  std::array<std::array<BaseSet, 4>, 256> sets{};
  for (unsigned bits = 0; bits < 256; ++bits) {
    for (unsigned i = 0; i < 4; ++i) {
      sets[bits][i] = static_cast<BaseSet>(1U << ((bits >> i & 1) | (bits >> (i + 4) & 1) << 1));
    }
  }
  return sets;
}();

}  // namespace

void read_sets(const PackedBatch& batch, std::uint32_t begin, std::uint32_t end, std::vector<BaseSet>& out) {
  const PackedView view = batch.view();
  const std::uint32_t aligned = begin / 4 * 4;
  out.resize((end - aligned + 3) / 4 * 4);
  for (std::uint32_t position = aligned; position < end; position += 4) {
    const std::uint64_t lo = view.lo[position / 64] >> (position % 64) & 15;
    const std::uint64_t hi = view.hi[position / 64] >> (position % 64) & 15;
    std::copy_n(kSetsOf4[lo | hi << 4].data(), 4, out.data() + (position - aligned));
  }
  out.erase(out.begin(), out.begin() + (begin - aligned));
  out.resize(end - begin);
  if (batch.letters().empty()) return;
  for (auto run = std::partition_point(batch.letters().begin(), batch.letters().end(),
                                       [begin](const LetterRun& r) { return r.end <= begin; });
       run != batch.letters().end() && run->begin < end; ++run) {
    std::fill(out.begin() + (std::max(run->begin, begin) - begin), out.begin() + (std::min(run->end, end) - begin), 0);
  }
}

}  // namespace basesweep
